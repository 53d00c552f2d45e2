// What a checkpoint holds, for programs: one JSON object.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "recipe/checkpoint_inside.h"

static void add_text(SiltText *text, const char *key, const char *string)
{
    silt_text_addf(text, ", \"%s\": ", key);
    if (string)
        silt_text_add_json(text, string);
    else
        silt_text_add(text, "null");
}

static void add_number(SiltText *text, const char *key, double value)
{
    silt_text_addf(text, ", \"%s\": ", key);
    silt_text_add_json_number(text, value);
}

// The first `length` bytes of a line that was written by silt_text_add_line.
static void add_line(SiltText *text, const char *line, size_t length)
{
    char *word = silt_alloc(length + 1);
    if (!word) {
        text->failed = true;
        return;
    }
    memcpy(word, line, length);
    word[length] = '\0';
    silt_line_restore(word);
    silt_text_add_json(text, word);
    silt_free(word);
}

static void add_words(SiltText *text, const char *lines)
{
    silt_text_add(text, ", \"command\": [");
    for (const char *line = lines; line && *line; line = next_line(line)) {
        silt_text_add(text, line == lines ? "" : ", ");
        add_line(text, line, strcspn(line, "\n"));
    }
    silt_text_add(text, "]");
}

// Of the stage at hand: its model, how far it has come, and how far it goes. Between two stages there is
// none.
static void add_course(SiltText *text, SiltCheckpoint *c)
{
    SiltPack pack;
    SiltStageNote note = {.find = silt_model_find};
    const char *about = silt_checkpoint_text(c, "about");
    int width, height;
    long long steps;
    double time;
    bool is_known =
        about &&
        sscanf(about, "%*s on %d x %d cells: %lld steps, %lg", &width, &height, &steps, &time) == 4 &&
        silt_checkpoint_take(c, "stage", &pack);
    if (is_known)
        silt_stage_pack(&note, &pack);
    if (note.model)
        silt_params_delete(silt_model_params(note.model), note.params);
    if (!is_known || pack.status != SILT_OK) {
        silt_text_add(text, ", \"model\": null");
        return;
    }
    const char *clock = silt_model_clock(note.model);
    add_text(text, "model", silt_model_name(note.model));
    add_number(text, "width", width);
    add_number(text, "height", height);
    add_number(text, "steps", (double)steps);
    add_number(text, "time", time);
    add_text(text, "clock", clock[0] ? clock : NULL);
    if (note.duration.time > 0.0)
        add_number(text, "end_time", note.duration.time);
    else
        add_number(text, "end_steps", (double)note.duration.steps);
}

// A line each, "SHA256 BYTES PATH".
static void add_inputs(SiltText *text, const char *lines)
{
    silt_text_add(text, ", \"inputs\": [");
    bool is_first = true;
    for (const char *line = lines; line && *line; line = next_line(line)) {
        unsigned long long bytes;
        char hash[SILT_HASH_SIZE];
        int before = 0;
        _Static_assert(SILT_HASH_SIZE == 65, "as the format has it");
        if (sscanf(line, "%64[0-9a-f] %llu%n", hash, &bytes, &before) != 2 || line[before] != ' ')
            continue;
        silt_text_add(text, is_first ? "{\"path\": " : ", {\"path\": ");
        add_line(text, line + before + 1, strcspn(line + before + 1, "\n"));
        silt_text_addf(text, ", \"bytes\": %llu, \"sha256\": \"%s\"}", bytes, hash);
        is_first = false;
    }
    silt_text_add(text, "]");
}

static void add_parts(SiltText *text, const SiltKeptReader *source)
{
    silt_text_add(text, ", \"parts\": [");
    for (int k = 0; k < source->count; k++) {
        const SiltKeptPart *part = &source->parts[k];
        silt_text_add(text, k ? ", {\"name\": " : "{\"name\": ");
        silt_text_add_json(text, part->name);
        silt_text_addf(text, ", \"bytes\": %" PRIu64 ", \"sum\": \"%016" PRIx64 "\"}", part->bytes,
                       part->sum);
    }
    silt_text_add(text, "]");
}

char *silt_checkpoint_json(SiltCheckpoint *c)
{
    static const char *const states[] = {"unknown", "under way", "finished"};
    SiltText text = {0};
    const SiltKeptReader *source = &c->source;
    silt_text_add(&text, "{\"version\": ");
    silt_text_add_json(&text, source->version);
    add_text(&text, "state", states[source->state <= SILT_KEPT_FINISHED ? source->state : 0]);
    add_course(&text, c);
    silt_text_addf(&text, ", \"recipe\": %s, \"automatic\": %s",
                   silt_kept_find(source, "recipe") ? "true" : "false",
                   silt_kept_find(source, "unasked") ? "true" : "false");
    add_words(&text, silt_checkpoint_text(c, "command"));
    add_text(&text, "folder", silt_checkpoint_text(c, "folder"));
    add_inputs(&text, silt_checkpoint_text(c, "inputs"));
    add_parts(&text, source);
    silt_text_add(&text, "}");
    return silt_text_take(&text);
}
