#include "io/zip.h"

#include <string.h>

#ifdef SILT_HAS_ZLIB
#include <zlib.h>
#endif

#include "core/memory.h"
#include "core/status.h"
#include "io/bytes.h"

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    LAST = 0x06054b50,
    LOCAL_HEAD = 30,
    CENTRAL_HEAD = 46,
    LAST_HEAD = 22
};
static const size_t most_bytes = (size_t)1 << 33; // of an entry

static const unsigned char *at(const char *data, size_t offset)
{
    return (const unsigned char *)data + offset;
}

// ---- reading ----

static bool find_list(const char *data, size_t bytes, size_t *offset, unsigned *count)
{
    if (bytes < LAST_HEAD)
        return false;
    size_t furthest = bytes > 65557 ? bytes - 65557 : 0;
    for (size_t k = bytes - LAST_HEAD + 1; k-- > furthest;)
        if (silt_load_u32(at(data, k), false) == LAST) {
            *count = silt_load_u16(at(data, k + 10), false);
            *offset = silt_load_u32(at(data, k + 16), false);
            return *offset < bytes;
        }
    return false;
}

static SiltStatus unpack(const char *path, const char *name, const char *from, size_t packed, unsigned method,
                         char *to, size_t length)
{
    if (method == 0 && packed == length) {
        memcpy(to, from, length);
        return SILT_OK;
    }
    if (method != 8)
        return silt_fail(SILT_BAD_FILE, "%s: %.60s is packed by method %u, where ZIP's own is 8", path, name,
                         method);
#ifdef SILT_HAS_ZLIB
    z_stream stream = {0};
    if (packed > UINT32_MAX || length > UINT32_MAX || inflateInit2(&stream, -15) != Z_OK)
        return silt_fail(SILT_BAD_FILE, "%s: %.60s cannot be unpacked", path, name);
    stream.next_in = (Bytef *)(uintptr_t)from;
    stream.avail_in = (uInt)packed;
    stream.next_out = (Bytef *)to;
    stream.avail_out = (uInt)length;
    int result = inflate(&stream, Z_FINISH);
    size_t got = length - stream.avail_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END && got == length
               ? SILT_OK
               : silt_fail(SILT_BAD_FILE, "%s: %.60s is damaged and cannot be unpacked", path, name);
#else
    (void)from, (void)to;
    return silt_fail(SILT_MISSING_FEATURE,
                     "%s: it is packed, and this build cannot unpack; install zlib1g-dev and build "
                     "again",
                     path);
#endif
}

static SiltStatus take_entry(const char *path, const char *data, size_t bytes, size_t central, char **out,
                             size_t *length)
{
    const unsigned char *head = at(data, central);
    unsigned method = silt_load_u16(head + 10, false);
    size_t packed = silt_load_u32(head + 20, false), whole = silt_load_u32(head + 24, false);
    size_t local = silt_load_u32(head + 42, false);
    if (local + LOCAL_HEAD > bytes || silt_load_u32(at(data, local), false) != LOCAL)
        return silt_fail(SILT_BAD_FILE, "%s: the archive is damaged", path);
    size_t begin = local + LOCAL_HEAD + silt_load_u16(at(data, local + 26), false) +
                   silt_load_u16(at(data, local + 28), false);
    // deflate makes nothing smaller than a thousandth
    if (begin > bytes || packed > bytes - begin || whole > most_bytes || whole > 1040 * packed + 64)
        return silt_fail(SILT_BAD_FILE, "%s: the archive is damaged: an entry does not fit into it", path);
    void *block;
    SiltStatus status = silt_alloc_for(path, whole + 1, 1, &block);
    if (status != SILT_OK)
        return status;
    status = unpack(path, "the model", data + begin, packed, method, block, whole);
    if (status != SILT_OK) {
        silt_free(block);
        return status;
    }
    *out = block;
    *length = whole;
    return SILT_OK;
}

SiltStatus silt_zip_find(const char *path, const char *data, size_t bytes, const char *name, bool ending,
                         char **out, size_t *length)
{
    size_t offset, wanted = strlen(name);
    unsigned count;
    *out = NULL;
    if (!find_list(data, bytes, &offset, &count))
        return silt_fail(SILT_BAD_FILE, "%s: not a ZIP archive, or cut off", path);
    for (unsigned k = 0; k < count; k++) {
        if (offset + CENTRAL_HEAD > bytes || silt_load_u32(at(data, offset), false) != CENTRAL)
            return silt_fail(SILT_BAD_FILE, "%s: the list of the archive is damaged", path);
        size_t named = silt_load_u16(at(data, offset + 28), false);
        size_t more =
            (size_t)silt_load_u16(at(data, offset + 30), false) + silt_load_u16(at(data, offset + 32), false);
        if (offset + CENTRAL_HEAD + named > bytes)
            return silt_fail(SILT_BAD_FILE, "%s: the list of the archive is damaged", path);
        const char *own = data + offset + CENTRAL_HEAD;
        bool fits = ending ? named >= wanted : named == wanted;
        if (fits && memcmp(own + named - wanted, name, wanted) == 0)
            return take_entry(path, data, bytes, offset, out, length);
        offset += CENTRAL_HEAD + named + more;
    }
    return silt_fail(SILT_BAD_FILE, "%s: the archive has no %s", path, name);
}

// ---- writing ----

static uint32_t crc_of(uint32_t crc, const char *data, size_t bytes)
{
    static uint32_t table[256];
    if (!table[1]) // all threads write the same
        for (uint32_t k = 256; k-- > 0;) {
            uint32_t value = k;
            for (int bit = 0; bit < 8; bit++)
                value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
            table[k] = value;
        }
    crc = ~crc;
    for (size_t k = 0; k < bytes; k++)
        crc = table[(crc ^ (unsigned char)data[k]) & 255] ^ crc >> 8;
    return ~crc;
}

static char *put_common(char *to, const SiltZipEntry *entry)
{
    to = silt_store_u16(to, 20, false); // version
    to = silt_store_u16(to, 0, false);  // flags
    to = silt_store_u16(to, 0, false);  // stored
    to = silt_store_u16(to, 0, false);  // midnight
    to = silt_store_u16(to, 33, false); // the first of January 1980: same input, same bytes
    to = silt_store_u32(to, entry->crc, false);
    to = silt_store_u32(to, entry->bytes, false);
    to = silt_store_u32(to, entry->bytes, false);
    to = silt_store_u16(to, (uint16_t)strlen(entry->name), false);
    return silt_store_u16(to, 0, false);
}

static void put_local(SiltOutput *output, const SiltZipEntry *entry)
{
    char head[LOCAL_HEAD];
    put_common(silt_store_u32(head, LOCAL, false), entry);
    fwrite(head, 1, sizeof head, output->file);
    fwrite(entry->name, 1, strlen(entry->name), output->file);
}

void silt_zip_begin(SiltOutput *output, const char *name, SiltZipEntry *entry)
{
    *entry = (SiltZipEntry){.name = name, .offset = (uint32_t)ftell(output->file)};
    put_local(output, entry);
}

void silt_zip_put(SiltOutput *output, const char *data, size_t bytes, SiltZipEntry *entry)
{
    entry->crc = crc_of(entry->crc, data, bytes);
    entry->bytes += (uint32_t)bytes;
    fwrite(data, 1, bytes, output->file);
}

SiltStatus silt_zip_end(SiltOutput *output, SiltZipEntry *entry)
{
    long end = ftell(output->file);
    if (end < 0 || end > 0xFFFFFFF0L)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: more than 4 GB, which this archive cannot hold; write fewer triangles",
                         output->path);
    fseek(output->file, (long)entry->offset, SEEK_SET);
    put_local(output, entry);
    fseek(output->file, end, SEEK_SET);
    return silt_output_status(output);
}

SiltStatus silt_zip_finish(SiltOutput *output, const SiltZipEntry *entries, int count)
{
    long begin = ftell(output->file);
    for (int k = 0; k < count; k++) {
        char head[CENTRAL_HEAD] = {0}, *to = silt_store_u32(head, CENTRAL, false);
        to = silt_store_u16(to, 20, false);
        put_common(to, &entries[k]);
        silt_store_u32(head + 42, entries[k].offset, false);
        fwrite(head, 1, sizeof head, output->file);
        fwrite(entries[k].name, 1, strlen(entries[k].name), output->file);
    }
    char last[LAST_HEAD] = {0};
    silt_store_u32(last, LAST, false);
    silt_store_u16(last + 8, (uint16_t)count, false);
    silt_store_u16(last + 10, (uint16_t)count, false);
    silt_store_u32(last + 12, (uint32_t)(ftell(output->file) - begin), false);
    silt_store_u32(last + 16, (uint32_t)begin, false);
    fwrite(last, 1, sizeof last, output->file);
    return silt_output_status(output);
}
