#include <string.h>

#include "fuzz.h"
#include "silt/record.h"
#include "silt/text.h"

// A report that is to be done again. What is read can be told, and its outputs lie below the folder they are
// given.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[64], below[SILT_PATH_SIZE];
    int descriptor = fuzz_open(data, bytes, path);
    SiltRecord *record;
    SiltStatus status = silt_record_read(path, &record);
    close(descriptor);
    if ((status == SILT_OK) != (record != NULL) || (status != SILT_OK && !silt_message()[0]))
        abort();
    size_t letters = 0;
    for (int k = 0; record && k < record->word_count; k++)
        letters += strlen(record->words[k]);
    for (int k = 0; record && k < record->output_count; k++) {
        const SiltRecordFile *file = &record->outputs[k];
        letters += strlen(file->path) + strlen(file->hash);
        if (silt_path_below("folder", file->path, below) == SILT_OK &&
            ((strncmp(below, "folder/", 7) != 0 && strcmp(below, "folder") != 0) || strstr(below, "/../") ||
             silt_ends_with(below, "/..")))
            abort();
    }
    if (letters == SIZE_MAX)
        abort();
    silt_record_destroy(record);
    return 0;
}
