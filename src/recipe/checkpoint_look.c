// What a checkpoint holds, for those who look at it: texts, and the terrain as far as it had come.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/status.h"
#include "io/output.h"
#include "recipe/checkpoint_inside.h"
#include "recipe/recipe.h"

enum { LONGEST_TEXT = 1 << 24 };

static char *load_text(const SiltCheckpoint *c, const SiltKeptPart *part)
{
    char *text = part->bytes < LONGEST_TEXT ? silt_alloc((size_t)part->bytes + 1) : NULL;
    if (text && silt_kept_load(&c->source, part, 0, text, (size_t)part->bytes) != SILT_OK) {
        silt_free(text);
        text = NULL;
    }
    return text;
}

const char *silt_checkpoint_text(const SiltCheckpoint *c, const char *name)
{
    const SiltKeptPart *part = c->reads ? silt_kept_find(&c->source, name) : NULL;
    if (!part)
        return NULL;
    char **slot = &((SiltCheckpoint *)(uintptr_t)c)->texts[part - c->source.parts]; // kept for the caller
    if (!*slot)
        *slot = load_text(c, part);
    return *slot;
}

// ---- the stage ----

int silt_checkpoint_stage(SiltCheckpoint *c)
{
    SiltPack pack;
    int stage = -1, nominal[2];
    if (!c->reads || !silt_kept_find(&c->source, "terrain") || !silt_checkpoint_take(c, "kitchen", &pack))
        return -1;
    silt_kitchen_place(&pack, &stage, nominal);
    c->taken[c->reading - c->source.parts] = false; // whoever runs it takes it, too
    return stage;
}

// ---- the terrain ----

SiltStatus silt_checkpoint_terrain(SiltCheckpoint *c, SiltTerrain **out)
{
    SiltStatus status = c->keeper.take_terrain(&c->keeper, "terrain", out);
    return status == SILT_OK && !*out
               ? silt_fail(SILT_BAD_FILE, "%s: the checkpoint holds no terrain", c->source.path)
               : status;
}

// The run of the part "stage", brought to where it was, and its layers stored.
static SiltStatus bring_back(SiltCheckpoint *c, SiltTerrain *terrain)
{
    SiltPack pack;
    SiltErosion *erosion = NULL;
    SiltStageNote note = {.find = silt_model_find};
    if (!silt_checkpoint_take(c, "stage", &pack))
        return SILT_OK;
    silt_stage_pack(&note, &pack);
    SiltStatus status = pack.status;
    SiltRun run = {.seed = note.seed, .began = note.began, .keeper = &c->keeper};
    if (status == SILT_OK)
        status = silt_erosion_begin(note.model, terrain, note.params, &run, &erosion);
    if (status == SILT_OK)
        status = silt_erosion_go_on(erosion, NULL);
    if (status == SILT_OK)
        status = silt_erosion_store(erosion);
    silt_erosion_end(erosion);
    if (note.model)
        silt_params_delete(silt_model_params(note.model), note.params);
    return status;
}

SiltStatus silt_checkpoint_show(SiltCheckpoint *c, SiltTerrain **out)
{
    SiltStatus status = c->keeper.take_terrain(&c->keeper, "ground", out); // a coarse level
    if (status == SILT_OK && !*out)
        status = silt_checkpoint_terrain(c, out);
    if (status == SILT_OK)
        status = bring_back(c, *out);
    if (status == SILT_OK) {
        silt_terrain_settle(*out);
        return SILT_OK;
    }
    char why[1024];
    snprintf(why, sizeof why, "%s", silt_message());
    silt_terrain_destroy(*out);
    *out = NULL;
    return silt_fail(status == SILT_NO_MEMORY ? status : SILT_BAD_FILE, "%s: %s", c->source.path, why);
}

// It may be a stranger's, and terminals obey control characters.
static void silence(char *text)
{
    if (text)
        silt_text_disarm(text, true);
}

// ---- whether it is finished ----

// How far the stage at hand has come: "400 of 20000 steps". The model, or NULL where that is not known;
// `is_short` takes whether it is less than it was to be.
static const char *tell_course(SiltCheckpoint *c, char course[96], bool *is_short)
{
    SiltPack pack;
    SiltStageNote note = {.find = silt_model_find};
    const char *about = silt_checkpoint_text(c, "about");
    long long steps;
    double time;
    if (!about || sscanf(about, "%*s on %*d x %*d cells: %lld steps, %lg", &steps, &time) != 2 ||
        !silt_checkpoint_take(c, "stage", &pack))
        return NULL;
    silt_stage_pack(&note, &pack);
    if (note.model)
        silt_params_delete(silt_model_params(note.model), note.params);
    if (pack.status != SILT_OK)
        return NULL;
    if (note.duration.time > 0.0) {
        *is_short = time < note.duration.time * (1.0 - 1e-5); // it has six digits
        snprintf(course, 96, "%g of %g %s", time, note.duration.time, silt_model_clock(note.model));
    } else {
        *is_short = steps < note.duration.steps;
        snprintf(course, 96, "%lld of %lld steps", steps, (long long)note.duration.steps);
    }
    return silt_model_name(note.model);
}

static void add_unfinished(SiltText *text, const SiltCheckpoint *c, const char *model, const char *course)
{
    bool cooks = silt_kept_find(&c->source, "recipe") != NULL;
    silt_text_add(text, "a run");
    if (cooks || model)
        silt_text_addf(text, " of %s", cooks ? "a recipe" : model);
    silt_text_add(text, " that is not finished");
    if (model)
        silt_text_addf(text, " (%s%s%s)", cooks ? model : "", cooks ? ": " : "", course);
    if (strcmp(c->source.version, silt_version()) != 0)
        silt_text_addf(text, ", of version %s", c->source.version);
    silence(text->data);
}

SiltStatus silt_checkpoint_unfinished(const char *path, char **what)
{
    SiltCheckpoint *c;
    SiltText text = {0};
    char course[96] = "";
    bool is_short = false;
    *what = NULL;
    SiltStatus status = silt_checkpoint_create(&c);
    if (status != SILT_OK)
        return status;
    status = silt_kept_read(path, &c->source);
    c->reads = status == SILT_OK;
    const char *model = c->reads ? tell_course(c, course, &is_short) : NULL;
    uint64_t state = c->source.state;
    if (c->reads && state != SILT_KEPT_FINISHED && (state != SILT_KEPT_UNKNOWN || is_short)) {
        add_unfinished(&text, c, model, course);
        *what = silt_text_take(&text);
        status = *what ? SILT_OK : SILT_NO_MEMORY;
    }
    silt_checkpoint_destroy(c);
    return status;
}

// ---- for people ----

// The words as a shell takes them.
static void add_command(SiltText *text, const char *command)
{
    for (const char *at = command; at && *at;) {
        size_t length = strcspn(at, "\n");
        char *word = silt_alloc(length + 1);
        if (!word) {
            text->failed = true;
            return;
        }
        memcpy(word, at, length);
        silt_line_restore(word);
        silt_text_add(text, " ");
        silt_text_add_shell(text, word);
        silt_free(word);
        at += length + (at[length] == '\n');
    }
}

char *silt_checkpoint_about(const SiltCheckpoint *c)
{
    SiltText text = {0};
    const char *about = silt_checkpoint_text(c, "about"), *command = silt_checkpoint_text(c, "command");
    silt_text_addf(&text, "  %-22s %s\n", "checkpoint of", about ? about : "an unknown run");
    silt_text_addf(&text, "  %-22s %s\n  %-22s", "version", c->source.version, "command");
    add_command(&text, command);
    silt_text_add(&text, "\n");
    for (int k = 0; k < c->source.count; k++)
        silt_text_addf(&text, "  part %-17s %" PRIu64 " bytes, sum %016" PRIx64 "\n", c->source.parts[k].name,
                       c->source.parts[k].bytes, c->source.parts[k].sum);
    silence(text.data);
    return silt_text_take(&text);
}

bool silt_path_is_checkpoint(const char *path)
{
    return silt_kept_recognise(path);
}

bool silt_checkpoint_writes(const char *path, const char *file)
{
    return silt_kept_writes(path, file);
}
