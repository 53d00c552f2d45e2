// Tables of numbers as CSV and JSON.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "silt/profile.h"

void silt_table_destroy(SiltTable *table)
{
    silt_free(table->values);
    *table = (SiltTable){0};
}

int silt_table_column(const SiltTable *table, const char *name)
{
    for (int k = 0; k < table->columns; k++)
        if (strcmp(table->names[k], name) == 0)
            return k;
    return -1;
}

static double at(const SiltTable *table, int row, int column)
{
    return table->values[(size_t)row * (size_t)table->columns + (size_t)column];
}

char *silt_table_csv(const SiltTable *table)
{
    SiltText text = {0};
    for (int k = 0; k < table->columns; k++)
        silt_text_addf(&text, "%s%s", k ? "," : "", table->names[k]);
    silt_text_add(&text, "\n");
    for (int row = 0; row < table->rows; row++) {
        for (int k = 0; k < table->columns; k++) {
            silt_text_add(&text, k ? "," : "");
            if (isfinite(at(table, row, k)))
                silt_text_add_number(&text, at(table, row, k));
        }
        silt_text_add(&text, "\n");
    }
    return silt_text_take(&text);
}

char *silt_table_json(const SiltTable *table)
{
    SiltText text = {0};
    for (int k = 0; k < table->columns; k++) {
        silt_text_addf(&text, "%s\"%s\": [", k ? ",\n" : "{", table->names[k]);
        for (int row = 0; row < table->rows; row++) {
            silt_text_add(&text, row ? ", " : "");
            silt_text_add_json_number(&text, at(table, row, k));
        }
        silt_text_add(&text, "]");
    }
    silt_text_add(&text, "}\n");
    return silt_text_take(&text);
}
