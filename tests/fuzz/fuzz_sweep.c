// A sweep's values, its recipe, and the table that a folder has: a text of three parts with zero bytes
// between. Whatever the table says, each row of the sweep has a number of its own.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "fuzz.h"
#include "recipe/sweep.h"

// The next part, up to a zero byte or the end.
static char *cut(const uint8_t **data, size_t *bytes)
{
    const uint8_t *zero = memchr(*data, 0, *bytes);
    size_t length = zero ? (size_t)(zero - *data) : *bytes, skip = zero ? length + 1 : length;
    char *text = malloc(length + 1);
    if (!text)
        abort();
    memcpy(text, *data, length);
    text[length] = '\0';
    *data += skip;
    *bytes -= skip;
    return text;
}

static void check_numbers(const SiltSweep *sweep)
{
    for (int k = 0; k < sweep->row_count; k++) {
        if (sweep->rows[k].number < 1 || sweep->rows[k].number >= MOST_NUMBERS)
            abort();
        for (int n = 0; n < k; n++)
            if (sweep->rows[n].number == sweep->rows[k].number)
                abort();
    }
    char *table = silt_sweep_csv(sweep);
    if (!table)
        abort();
    silt_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char recipe[64], table[64], old[64];
    if (bytes == 0 || bytes > 1 << 12)
        return 0;
    char *words = cut(&data, &bytes), *text = cut(&data, &bytes), *rest = NULL;
    const char *defines[8];
    int count = 0;
    for (char *word = strtok_r(words, "\n", &rest); word && count < 8; word = strtok_r(NULL, "\n", &rest))
        defines[count++] = word;
    snprintf(recipe, sizeof recipe, "%s/x.yaml", fuzz_folder());
    snprintf(table, sizeof table, "%s/sweep.csv", fuzz_folder());
    snprintf(old, sizeof old, "%s/sweep.old.csv", fuzz_folder());
    fuzz_put((const uint8_t *)text, strlen(text), recipe);
    SiltSweep *sweep;
    SiltStatus status = silt_sweep_open(recipe, defines, count, false, &sweep);
    if ((status == SILT_OK) != (sweep != NULL) || (status != SILT_OK && !silt_message()[0]))
        abort();
    // a table whose first line is right leads further than one whose is not
    FILE *file = sweep && sweep->row_count < 500 ? fopen(table, "wb") : NULL;
    if (file) {
        fputs(sweep->head, file);
        fwrite(data, 1, bytes, file);
        fclose(file);
        if (silt_sweep_load(sweep, fuzz_folder()) == SILT_OK)
            check_numbers(sweep);
        else if (!silt_message()[0])
            abort();
    }
    silt_sweep_destroy(sweep);
    unlink(recipe);
    unlink(table);
    unlink(old);
    free(words);
    free(text);
    return 0;
}
