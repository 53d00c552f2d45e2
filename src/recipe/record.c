// Reads back from a report how a run was done.
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/json.h"
#include "io/output.h"
#include "silt/record.h"

enum { REPORT_BYTES = 1 << 28, MOST_LISTED = 1 << 20 };

static SiltStatus no_report(const char *path, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: %s: it is no report that a run can be repeated from", path, what);
}

static SiltStatus read_words(const char *path, const SiltJson *json, int array, SiltRecord *record)
{
    int *items, count;
    SiltStatus status = silt_json_items(json, array, &items, &count);
    if (status == SILT_OK && (count < 1 || count > MOST_LISTED))
        status = no_report(path, "'command' names no command");
    if (status == SILT_OK)
        status =
            silt_alloc_for("a report", (size_t)count + 1, sizeof *record->words, (void **)&record->words);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        record->words[k] = silt_json_string(json, items[k]);
        record->word_count = k + 1;
        if (!record->words[k])
            status = no_report(path, "a word of 'command' is no text");
    }
    silt_free(items);
    return status;
}

static bool is_hash(const char *text)
{
    return text && strlen(text) == SILT_HASH_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == SILT_HASH_SIZE - 1;
}

static SiltStatus read_files(const char *path, const SiltJson *json, int array, SiltRecordFile **files,
                             int *out)
{
    int *items, count;
    SiltStatus status = silt_json_items(json, array, &items, &count);
    if (status == SILT_OK && count > 0)
        status = silt_alloc_for("a report", (size_t)count, sizeof **files, (void **)files);
    for (int k = 0; k < count && status == SILT_OK; k++) {
        SiltRecordFile *file = &(*files)[k];
        char *hash = silt_json_string(json, silt_json_member(json, items[k], "sha256"));
        *out = k + 1;
        file->path = silt_json_string(json, silt_json_member(json, items[k], "path"));
        file->bytes = silt_json_number(json, items[k], "bytes", 0.0, 1e18, 0.0);
        if (!file->path || !is_hash(hash))
            status = no_report(path, "a file in it has no path or no hash");
        else
            memcpy(file->hash, hash, SILT_HASH_SIZE);
        silt_free(hash);
    }
    silt_free(items);
    return status;
}

// The text of a member as it stands between the brace it begins with and the one that closes it.
static char *copy_object(const SiltJson *json, const char *text, const char *name)
{
    int member = silt_json_member(json, 0, name);
    char key[64];
    snprintf(key, sizeof key, "\"%s\": {", name);
    const char *at = member >= 0 && json->values[member].type == SILT_JSON_OBJECT ? strstr(text, key) : NULL;
    if (!at)
        return NULL;
    const char *begin = at + strlen(key) - 1, *end = begin;
    int depth = 0;
    do {
        depth += (*end == '{') - (*end == '}');
        end++;
    } while (*end && depth > 0);
    char *copy = silt_alloc((size_t)(end - begin) + 1);
    if (copy)
        memcpy(copy, begin, (size_t)(end - begin));
    return copy;
}

static SiltStatus read_record(const char *path, const SiltJson *json, const char *text, SiltRecord *record)
{
    if (json->values[0].type != SILT_JSON_OBJECT)
        return no_report(path, "there is no object in it");
    int command = silt_json_member(json, 0, "command"), cancelled = silt_json_member(json, 0, "cancelled");
    if (command < 0 || json->values[command].type != SILT_JSON_ARRAY)
        return no_report(path, "'command' is missing");
    record->version = silt_json_string(json, silt_json_member(json, 0, "version"));
    record->recipe = silt_json_string(json, silt_json_member(json, 0, "recipe_text"));
    record->drainage = copy_object(json, text, "drainage");
    record->cancelled = cancelled >= 0 && json->values[cancelled].type == SILT_JSON_BOOL &&
                        json->values[cancelled].number != 0.0;
    if (!record->version)
        return no_report(path, "'version' is missing");
    SiltStatus status = read_words(path, json, command, record);
    if (status == SILT_OK)
        status = read_files(path, json, silt_json_member(json, 0, "inputs"), &record->inputs,
                            &record->input_count);
    if (status == SILT_OK)
        status = read_files(path, json, silt_json_member(json, 0, "outputs"), &record->outputs,
                            &record->output_count);
    return status;
}

SiltStatus silt_record_read(const char *path, SiltRecord **out)
{
    *out = NULL;
    char *text = NULL;
    size_t bytes;
    SiltJson json = {0};
    SiltRecord *record = NULL;
    SiltStatus status = silt_read_file(path, REPORT_BYTES, &text, &bytes);
    if (status == SILT_OK)
        status = silt_json_parse(path, text, bytes, &json);
    if (status == SILT_OK)
        status = silt_alloc_for("a report", 1, sizeof *record, (void **)&record);
    if (status == SILT_OK)
        status = read_record(path, &json, text, record);
    silt_json_free(&json);
    silt_free(text);
    if (status != SILT_OK)
        silt_record_destroy(record);
    else
        *out = record;
    return status;
}

void silt_record_destroy(SiltRecord *record)
{
    if (!record)
        return;
    for (int k = 0; k < record->word_count; k++)
        silt_free(record->words[k]);
    for (int k = 0; k < record->input_count; k++)
        silt_free(record->inputs[k].path);
    for (int k = 0; k < record->output_count; k++)
        silt_free(record->outputs[k].path);
    silt_free(record->words);
    silt_free(record->inputs);
    silt_free(record->outputs);
    silt_free(record->version);
    silt_free(record->recipe);
    silt_free(record->drainage);
    silt_free(record);
}

SiltStatus silt_path_below(const char *folder, const char *path, char out[SILT_PATH_SIZE])
{
    size_t used = strlen(folder), left = strlen(path);
    if (used + left + 2 >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s: in %.60s its path is longer than %d bytes", path, folder,
                         SILT_PATH_SIZE - 1);
    memcpy(out, folder, used);
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length > 0 && !(length == 1 && path[0] == '.')) {
            bool up = length == 2 && path[0] == '.' && path[1] == '.';
            out[used++] = '/';
            memcpy(out + used, up ? "__" : path, length);
            used += length;
        }
        path += length;
        path += strspn(path, "/");
    }
    out[used] = '\0';
    return SILT_OK;
}
