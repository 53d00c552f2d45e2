// `paper`: one switch that gives every parameter with a value of the paper that value, unless another was
// set.
#include <string.h>

#include "core/memory.h"
#include "core/param.h"
#include "core/status.h"

int silt_params_paper(const SiltParamTable *table)
{
    for (int k = 0; k < table->count; k++)
        if (table->items[k].flags & SILT_PAPER)
            return k;
    return -1;
}

// Whether a parameter is the same in two structs of the table.
static bool same_value(const SiltParamTable *table, const void *a, const void *b, int index)
{
    char *one = silt_params_value(table, a, index), *other = silt_params_value(table, b, index);
    bool same = one && other && strcmp(one, other) == 0;
    silt_free(one);
    silt_free(other);
    return same;
}

// Each parameter that has a value of the paper goes from one struct's value to the other's; what was set to
// something else stays.
static SiltStatus exchange(const SiltParamTable *table, const void *from, const void *to, void *params)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < table->count && status == SILT_OK; k++) {
        if (!table->items[k].paper || !same_value(table, params, from, k))
            continue;
        char *value = silt_params_value(table, to, k);
        status = value ? silt_params_set(table, params, "paper", table->items[k].name, value)
                       : silt_fail_memory("parameters", (double)table->size);
        silt_free(value);
    }
    return status;
}

SiltStatus silt_params_take_paper(const SiltParamTable *table, void *params, bool before, bool now)
{
    if (before == now)
        return SILT_OK;
    void *usual = silt_params_new(table), *paper = silt_params_new(table);
    SiltStatus status = usual && paper ? SILT_OK : silt_fail_memory("parameters", (double)table->size);
    for (int k = 0; k < table->count && status == SILT_OK; k++)
        if (table->items[k].paper)
            status = silt_params_set(table, paper, "paper", table->items[k].name, table->items[k].paper);
    if (status == SILT_OK)
        status = now ? exchange(table, usual, paper, params) : exchange(table, paper, usual, params);
    silt_params_delete(table, usual);
    silt_params_delete(table, paper);
    return status;
}
