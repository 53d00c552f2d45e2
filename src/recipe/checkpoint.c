// Keeps runs in a file while they go, and gives back what it kept, part by part.
#include "recipe/checkpoint_inside.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "erode/run.h"
#include "io/output.h"
#include "volume/keep.h"

// ---- parts ----

static Note *find_note(SiltCheckpoint *c, const char *name)
{
    for (int k = 0; k < c->note_count; k++)
        if (strcmp(c->notes[k].name, name) == 0)
            return &c->notes[k];
    return NULL;
}

static void let_go(SiltKeeper *keeper, const char *name)
{
    SiltCheckpoint *c = (SiltCheckpoint *)keeper;
    Note *note = find_note(c, name);
    if (!note)
        return;
    if (note->spool)
        fclose(note->spool);
    silt_free(note->text);
    silt_free(note->bytes);
    *note = c->notes[--c->note_count];
}

static Note *new_note(SiltCheckpoint *c, const char *name)
{
    let_go(&c->keeper, name);
    if (c->note_count == SILT_MOST_PARTS - 4) { // "about", "unasked", "inputs" and "run" come too
        silt_fail(SILT_BAD_ARGUMENT, "a checkpoint has at most %d parts", SILT_MOST_PARTS);
        return NULL;
    }
    Note *note = &c->notes[c->note_count++];
    *note = (Note){.pack = NULL};
    snprintf(note->name, sizeof note->name, "%s", name);
    return note;
}

// A file without a name, on the disk that the checkpoint will lie on.
static FILE *open_spool(const SiltCheckpoint *c)
{
    char folder[SILT_PATH_SIZE];
    const char *slash = strrchr(c->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - c->path) + 1 : 1, slash ? c->path : ".");
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    FILE *spool = file >= 0 ? fdopen(file, "w+b") : tmpfile();
    if (file >= 0 && !spool)
        close(file);
    return spool;
}

static SiltStatus no_room(void)
{
    return silt_fail(SILT_IO_ERROR, "the run cannot be kept: no room for the terrain it begins with");
}

static SiltStatus to_spool(void *user, void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, user) == count ? SILT_OK : no_room();
}

// As it is now, in a file without a name.
static SiltStatus spool(SiltCheckpoint *c, Note *note, SiltPackPart pack, void *context)
{
    note->spool = open_spool(c);
    if (!note->spool)
        return silt_fail(SILT_IO_ERROR, "%s: no file can be made beside it", c->path);
    SiltPack out = {.flow = to_spool, .user = note->spool};
    pack(context, &out);
    if (out.status == SILT_OK && fflush(note->spool) != 0)
        out.status = no_room();
    if (out.status != SILT_OK) {
        fclose(note->spool);
        note->spool = NULL;
    }
    return out.status;
}

// As it is now, in memory; false where there is none for it.
static bool hold(Note *note, SiltPackPart pack, void *context)
{
    SiltPack measure = {.block = NULL};
    pack(context, &measure);
    note->bytes = measure.status == SILT_OK ? silt_alloc(measure.at + 1) : NULL;
    note->length = measure.at;
    SiltPack out = {.block = note->bytes, .size = note->length};
    if (note->bytes)
        pack(context, &out);
    return note->bytes && out.status == SILT_OK;
}

// A full disk does not stop the run: the part waits in memory for room on the disk. Where that is full too,
// or the run may never be kept, it is missing, and nothing is kept until its like comes.
static SiltStatus spool_or_hold(SiltCheckpoint *c, Note *note, SiltPackPart pack, void *context)
{
    SiltStatus status = spool(c, note, pack, context);
    if (status != SILT_IO_ERROR)
        return status;
    note->is_missing = !c->writes || !hold(note, pack, context);
    return SILT_OK;
}

static SiltStatus note_part(SiltKeeper *keeper, const char *name, SiltPackPart pack, void *context, bool now)
{
    SiltCheckpoint *c = (SiltCheckpoint *)keeper;
    Note *note = new_note(c, name);
    if (!note)
        return SILT_BAD_ARGUMENT;
    if (strcmp(name, "stage") == 0)
        c->stage_time = silt_wall_clock();
    if (!now) {
        note->pack = pack;
        note->context = context;
        return SILT_OK;
    }
    SiltStatus status = spool_or_hold(c, note, pack, context);
    if (status != SILT_OK)
        let_go(keeper, name);
    return status;
}

static void pack_terrain(void *context, SiltPack *pack)
{
    silt_terrain_pack(context, pack);
}

static SiltStatus note_terrain(SiltKeeper *keeper, const char *name, SiltTerrain *terrain)
{
    SiltCheckpoint *c = (SiltCheckpoint *)keeper;
    c->is_kept = c->is_kept && (c->goes_on || strcmp(name, "ground") == 0);
    return c->path[0] ? note_part(keeper, name, pack_terrain, &terrain, true) : SILT_OK;
}

// ---- what is gone on from ----

static SiltStatus from_source(void *user, void *bytes, size_t count)
{
    SiltCheckpoint *c = user;
    SiltStatus status = silt_kept_load(&c->source, c->reading, c->read_bytes, bytes, count);
    c->read_bytes += count;
    return status;
}

bool silt_checkpoint_take(SiltCheckpoint *c, const char *name, SiltPack *out)
{
    const SiltKeptPart *part = c->reads ? silt_kept_find(&c->source, name) : NULL;
    if (!part || c->taken[part - c->source.parts])
        return false;
    c->taken[part - c->source.parts] = true;
    c->reading = part;
    c->read_bytes = 0;
    *out = (SiltPack){.flow = from_source, .user = c, .size = (size_t)part->bytes, .reads = true};
    return true;
}

static bool take_part(SiltKeeper *keeper, const char *name, SiltPack *out)
{
    return silt_checkpoint_take((SiltCheckpoint *)keeper, name, out);
}

static SiltStatus take_terrain(SiltKeeper *keeper, const char *name, SiltTerrain **out)
{
    SiltPack pack;
    *out = NULL;
    if (!take_part(keeper, name, &pack))
        return SILT_OK;
    silt_terrain_pack(out, &pack);
    if (pack.status == SILT_OK)
        return SILT_OK;
    silt_terrain_destroy(*out);
    *out = NULL;
    return pack.status;
}

// ---- writing ----

static SiltStatus to_file(void *user, void *bytes, size_t count)
{
    return silt_kept_write(user, bytes, count);
}

static SiltStatus copy_spool(SiltKeptWriter *writer, FILE *spool)
{
    char bytes[1 << 16];
    SiltStatus status = SILT_OK;
    rewind(spool);
    for (size_t got; status == SILT_OK && (got = fread(bytes, 1, sizeof bytes, spool)) > 0;)
        status = silt_kept_write(writer, bytes, got);
    return status == SILT_OK && ferror(spool) ? silt_fail(SILT_IO_ERROR, "%s: cannot read back", writer->path)
                                              : status;
}

static SiltStatus write_note(SiltKeptWriter *writer, const Note *note)
{
    SiltPack pack = {.flow = to_file, .user = writer};
    SiltStatus status = silt_kept_open_part(writer, note->name);
    if (status != SILT_OK)
        return status;
    if (note->is_missing)
        return no_room();
    if (note->spool)
        status = copy_spool(writer, note->spool);
    else if (note->bytes)
        status = silt_kept_write(writer, note->bytes, note->length);
    else if (note->text)
        status = silt_kept_write(writer, note->text, strlen(note->text));
    else
        note->pack(note->context, &pack);
    status = status == SILT_OK ? pack.status : status;
    return status == SILT_OK ? silt_kept_close_part(writer) : status;
}

static SiltStatus write_text(SiltKeptWriter *writer, const char *name, const char *text)
{
    Note note = {.text = (char *)(uintptr_t)text};
    snprintf(note.name, sizeof note.name, "%s", name);
    return write_note(writer, &note);
}

// One line for people.
static SiltStatus write_about(SiltKeptWriter *writer, const SiltErosion *erosion)
{
    char text[256] = "between two stages";
    if (erosion) {
        const SiltReport *report = &erosion->report;
        snprintf(text, sizeof text, "%s on %d x %d cells: %lld steps, %.6g %s", erosion->model->name,
                 erosion->terrain->width, erosion->terrain->height, (long long)report->steps,
                 report->model_time, erosion->model->clock[0] ? erosion->model->clock : "of no clock");
    }
    return write_text(writer, "about", text);
}

static SiltStatus write_run(SiltKeptWriter *writer, SiltErosion *erosion)
{
    SiltPack pack = {.flow = to_file, .user = writer};
    SiltStatus status = silt_kept_open_part(writer, "run");
    if (status == SILT_OK)
        status = silt_erosion_pack(erosion, &pack);
    return status == SILT_OK ? silt_kept_close_part(writer) : status;
}

static SiltStatus write_parts(const SiltCheckpoint *c, SiltErosion *erosion, SiltKeptWriter *writer)
{
    SiltStatus status = write_about(writer, erosion);
    if (status == SILT_OK && c->automatic)
        status = write_text(writer, "unasked", "the file goes when the run is done");
    for (int k = 0; k < c->note_count && status == SILT_OK; k++)
        status = write_note(writer, &c->notes[k]);
    if (status == SILT_OK && c->inputs.length > 0)
        status = write_text(writer, "inputs", c->inputs.data);
    if (status == SILT_OK && erosion)
        status = write_run(writer, erosion);
    return status;
}

// A file that nobody asked for takes a name that is free, and is ours from then on.
static SiltStatus write_all(SiltCheckpoint *c, SiltErosion *erosion)
{
    SiltKeptWriter writer;
    char path[SILT_PATH_SIZE];
    bool is_new = c->automatic && !c->owns;
    SiltStatus status = (is_new ? silt_kept_begin_new : silt_kept_begin)(c->path, &c->claim, &writer);
    if (status != SILT_OK)
        return status;
    snprintf(path, sizeof path, "%s", writer.path);
    silt_checkpoint_sum_inputs(c);
    status = write_parts(c, erosion, &writer);
    if (status != SILT_OK) {
        silt_kept_abandon(&writer);
        return status;
    }
    status = silt_kept_commit(&writer);
    if (status == SILT_OK && c->automatic && !c->owns) {
        snprintf(c->path, sizeof c->path, "%s", path);
        c->owns = true;
        if (c->minutes > 0.0)
            silt_warn("erode %s: this may take %.0f minutes: what is done is kept in %s every %.0f", c->model,
                      c->minutes, c->path, c->seconds / 60.0);
    }
    return status;
}

// A stage whose end lies further off than anybody would wait for twice.
static void look_ahead(SiltCheckpoint *c, const SiltErosion *erosion, double now)
{
    const Note *note = find_note(c, "stage");
    const SiltStageNote *stage = note ? note->context : NULL;
    double passed = now - c->stage_time;
    if (!erosion || !stage || passed < fmin(5.0, 0.01 * c->longest)) // too early to tell
        return;
    const SiltReport *report = &erosion->report;
    double part = stage->duration.time > 0.0 ? report->model_time / stage->duration.time
                                             : (double)report->steps / (double)stage->duration.steps;
    if (!(passed > c->longest * part))
        return;
    c->writes = true;
    c->last_time = -INFINITY;
    c->minutes = passed / part / 60.0;
    c->model = report->model->name;
}

// The last step of a stage that took its time: should its results find no room, it is not done again.
static bool is_end_due(SiltCheckpoint *c, const SiltErosion *erosion, double now)
{
    const double worth = 10.0; // s
    const Note *note = find_note(c, "stage");
    const SiltStageNote *stage = note ? note->context : NULL;
    if (!erosion || !stage || now - c->last_time < worth)
        return false;
    SiltDuration all = stage->duration;
    return all.time > 0.0 ? erosion->report.model_time >= all.time * (1.0 - 1e-12)
                          : erosion->report.steps >= all.steps;
}

static bool is_due(SiltCheckpoint *c, const SiltErosion *erosion, double now)
{
    if (is_end_due(c, erosion, now))
        return true;
    if (c->steps <= 0 || !erosion)
        return now - c->last_time >= c->seconds;
    int64_t steps = erosion->report.steps;
    return steps < c->last_steps || steps - c->last_steps >= c->steps;
}

// Whether it is the first time for this reason: a disk that fails and works by turns is told of once.
static bool is_new_reason(SiltCheckpoint *c, const char *sentence)
{
    uint64_t sum = silt_sum_of(sentence, strlen(sentence));
    for (int k = 0; k < c->told_count; k++)
        if (c->told[k] == sum)
            return false;
    if (c->told_count == SILT_MOST_REASONS)
        return false;
    c->told[c->told_count++] = sum;
    return true;
}

// Whether a run that ends early, and that nobody asked to keep, is worth it: a minute's work is done again
// sooner than somebody finds the file.
static bool is_worth_keeping(const SiltCheckpoint *c, double now)
{
    const double worth = 60.0; // s
    return now - c->last_time >= worth;
}

// The run is worth more than its checkpoint.
static void tell_failure(SiltCheckpoint *c, bool last)
{
    char text[SILT_PATH_SIZE + 256];
    if (!is_new_reason(c, silt_message()))
        return;
    snprintf(text, sizeof text, "%s%s%s", silt_message(), last ? "" : "; the run goes on",
             !c->count ? ""
             : last    ? "; what was kept before is whole"
                       : ", and what was kept before is whole");
    if (c->failed)
        c->failed(c->failed_user, text);
    else
        silt_warn("%s", text);
}

// What would fail when it is due is better told now. The file takes what the terrain took, and more.
static void foresee(SiltCheckpoint *c)
{
    if (c->is_foreseen || !c->writes || c->count > 0)
        return;
    c->is_foreseen = true;
    const Note *note = find_note(c, "terrain");
    uint64_t bytes = !note ? 0 : note->spool ? (uint64_t)ftello(note->spool) : note->length;
    SiltStatus status = silt_kept_try(c->path, &c->claim);
    if (status == SILT_OK)
        status = silt_kept_has_room(c->path, bytes);
    if (status == SILT_IO_ERROR)
        tell_failure(c, false);
}

static SiltStatus step(SiltKeeper *keeper, SiltErosion *erosion, bool last)
{
    SiltCheckpoint *c = (SiltCheckpoint *)keeper;
    double now = silt_wall_clock();
    if (c->automatic && !c->writes)
        look_ahead(c, erosion, now);
    c->goes_on = c->goes_on && last;
    if (erosion && !last)
        foresee(c);
    if (last && !erosion && c->is_kept)
        return SILT_OK;
    c->writes = c->writes || (last && c->automatic && is_worth_keeping(c, now));
    if (!c->writes || !(last || is_due(c, erosion, now)))
        return SILT_OK;
    char message[1024]; // why the run ends, if it does
    snprintf(message, sizeof message, "%s", silt_message());
    SiltStatus status = write_all(c, erosion);
    c->last_time = silt_wall_clock();
    c->last_steps = erosion ? erosion->report.steps : 0;
    c->is_kept = c->is_kept || status == SILT_OK;
    if (status == SILT_OK) {
        c->count++;
        return SILT_OK;
    }
    if (!silt_kept_is_at(c->claim.files[SILT_KEPT_FILE], c->claim.names.list[SILT_KEPT_FILE]))
        c->count = 0; // it may be another's
    tell_failure(c, last);
    silt_fail(SILT_CANCELLED, "%s", message);
    return SILT_OK;
}

// ---- made and destroyed ----

SiltStatus silt_checkpoint_create(SiltCheckpoint **out)
{
    SiltStatus status = silt_alloc_for("a checkpoint", 1, sizeof **out, (void **)out);
    if (status != SILT_OK)
        return status;
    (*out)->keeper = (SiltKeeper){note_part, let_go, take_part, note_terrain, take_terrain, step};
    (*out)->source.file = -1;
    silt_kept_unclaimed(&(*out)->claim);
    (*out)->longest = INFINITY;
    return SILT_OK;
}

SiltStatus silt_checkpoint_open(const char *path, SiltCheckpoint **out)
{
    SiltStatus status = silt_checkpoint_create(out);
    if (status != SILT_OK)
        return status;
    status = silt_kept_read(path, &(*out)->source);
    if (status == SILT_OK && strcmp((*out)->source.version, silt_version()) != 0)
        status = silt_fail(SILT_BAD_FILE, "%s: a checkpoint of version %s; this is version %s", path,
                           (*out)->source.version, silt_version());
    (*out)->reads = (*out)->is_kept = (*out)->goes_on = status == SILT_OK;
    if (status != SILT_OK) {
        silt_checkpoint_destroy(*out);
        *out = NULL;
    }
    return status;
}

void silt_checkpoint_destroy(SiltCheckpoint *c)
{
    if (!c)
        return;
    while (c->note_count > 0)
        let_go(&c->keeper, c->notes[0].name);
    for (int k = 0; k < SILT_MOST_PARTS; k++)
        silt_free(c->texts[k]);
    silt_text_free(&c->inputs);
    silt_text_free(&c->inputs_later);
    silt_kept_close(&c->source);
    silt_kept_release(&c->claim);
    silt_free(c);
}

void silt_checkpoint_attach(SiltCheckpoint *c, SiltRun *run)
{
    run->keeper = &c->keeper;
    c->last_time = silt_wall_clock();
}

SiltStatus silt_checkpoint_set_text(SiltCheckpoint *c, const char *name, const char *text)
{
    char *copy = silt_strdup(text);
    Note *note = copy ? new_note(c, name) : NULL;
    if (!note) {
        silt_free(copy);
        return copy ? SILT_BAD_ARGUMENT : silt_fail_memory("a checkpoint", (double)strlen(text));
    }
    note->text = copy;
    return SILT_OK;
}
