// A table as a file: CSV, or JSON by its ending.
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "silt/io.h"
#include "silt/profile.h"

SiltStatus silt_table_write(const SiltTable *table, const char *path)
{
    char *text = silt_ends_with(path, ".json") ? silt_table_json(table) : silt_table_csv(table);
    SiltStatus status = text ? silt_write_file(path, text, strlen(text)) : SILT_NO_MEMORY;
    silt_free(text);
    return status;
}
