#include "core/pack.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"

static SiltStatus end_early(SiltPack *pack)
{
    if (pack->status == SILT_OK)
        pack->status = silt_fail(SILT_BAD_ARGUMENT,
                                 "the block of state is damaged: it ends early or holds what cannot be");
    return pack->status;
}

void silt_pack(SiltPack *pack, void *value, size_t bytes)
{
    if (pack->status != SILT_OK || bytes == 0)
        return;
    if ((pack->block || (pack->flow && pack->reads)) && bytes > pack->size - pack->at) {
        end_early(pack);
        return;
    }
    if (pack->flow) {
        pack->status = pack->flow(pack->user, value, bytes);
        if (pack->status != SILT_OK)
            return;
    } else if (pack->block && pack->reads)
        memcpy(value, pack->block + pack->at, bytes);
    else if (pack->block)
        memcpy(pack->block + pack->at, value, bytes);
    pack->at += bytes;
}

bool silt_pack_same(SiltPack *pack, uint64_t value)
{
    uint64_t found = value;
    SILT_PACK(pack, found);
    return pack->status == SILT_OK && found == value;
}

void silt_pack_flag(SiltPack *pack, bool *flag)
{
    uint8_t value = *flag;
    SILT_PACK(pack, value);
    if (pack->status == SILT_OK && value > 1)
        end_early(pack);
    *flag = pack->status == SILT_OK ? value != 0 : *flag;
}

void silt_pack_array(SiltPack *pack, void *elements, size_t size, int64_t *count, int64_t room)
{
    SILT_PACK(pack, *count);
    if (pack->status == SILT_OK && (*count < 0 || *count > room)) {
        *count = 0;
        end_early(pack);
    }
    silt_pack(pack, elements, (size_t)*count * size);
}

void silt_pack_owned(SiltPack *pack, void **elements, size_t size, int64_t *count)
{
    int64_t there = *count;
    SILT_PACK(pack, there);
    if (pack->status != SILT_OK)
        return;
    if (pack->reads) {
        if (there < 0 || (size_t)there > (pack->size - pack->at) / size) {
            end_early(pack);
            return;
        }
        void *made = NULL;
        if (there > 0)
            pack->status = silt_alloc_for("saved state", (size_t)there, size, &made);
        if (pack->status != SILT_OK)
            return;
        silt_free(*elements);
        *elements = made;
        *count = there;
    }
    silt_pack(pack, *elements, (size_t)there * size);
}
