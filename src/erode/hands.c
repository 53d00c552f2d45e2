// What hands did to a run: kept as rows of text, and done again at the same steps.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "erode/keeper.h"
#include "erode/run.h"
#include "silt/stroke.h"

SiltStatus silt_hand_run(const SiltHand *hand, SiltErosion *erosion)
{
    return hand->name[0] ? silt_erosion_set_text(erosion, hand->name, hand->text)
                         : silt_stroke_run(&hand->stroke, erosion);
}

// ---- as text ----

static void add_hand(SiltText *text, const SiltHand *hand)
{
    silt_text_addf(text, "%lld,", (long long)hand->step);
    if (!hand->name[0]) {
        char *stroke = silt_strokes_text(&hand->stroke, 1);
        silt_text_add(text, stroke ? stroke : "");
        text->failed = text->failed || !stroke;
        silt_free(stroke);
        return;
    }
    silt_text_addf(text, "set,%s,", hand->name);
    for (const char *c = hand->text; *c; c++)
        silt_text_addf(text, "%c", *c == ';' ? '|' : *c);
}

char *silt_hands_text(const SiltHand *hands, int count)
{
    SiltText text = {0};
    silt_text_add(&text, "");
    for (int k = 0; k < count; k++) {
        silt_text_add(&text, k ? ";" : "");
        add_hand(&text, &hands[k]);
    }
    return silt_text_take(&text);
}

// A table of its own reads a row of strokes.
typedef struct Row {
    SiltList strokes;
} Row;

static const SiltParam row_items[] = {
    SILT_LIST(Row, strokes, SILT_STROKE_COLUMN_NAMES, "", "a stroke", .words = silt_brush_names),
};
static const SiltParamTable row_params = SILT_PARAM_TABLE(Row, row_items);

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " ");
}

// The number of the brush whose name stands there; -1: none does.
static int find_brush(const char *text, size_t length)
{
    const char *name = silt_brush_names;
    for (int k = 0; *name; k++) {
        size_t letters = strcspn(name, " ");
        if (letters == length && strncmp(name, text, length) == 0)
            return k;
        name += letters + strspn(name + letters, " ");
    }
    return -1;
}

// The short way through a row that is right: there may be many thousands.
static bool read_right_stroke(const char *text, SiltStroke *out)
{
    size_t word = strcspn(text, " ,");
    double row[SILT_STROKE_COLUMNS] = {find_brush(text, word)};
    const char *cursor = skip_spaces(text + word);
    bool right = row[0] >= 0.0;
    for (int k = 1; k < SILT_STROKE_COLUMNS && right; k++) {
        right = *cursor++ == ',' && silt_parse_number(&cursor, &row[k]);
        cursor = right ? skip_spaces(cursor) : cursor;
    }
    return right && !*cursor && silt_stroke_from_row(row, out) == SILT_OK;
}

static SiltStatus read_stroke(const char *text, const char *owner, SiltStroke *out)
{
    if (read_right_stroke(text, out))
        return SILT_OK;
    Row row = {0};
    SiltStatus status = silt_params_set(&row_params, &row, owner, "strokes", text);
    if (status == SILT_OK && row.strokes.count != 1)
        status = silt_fail(SILT_BAD_ARGUMENT, "%s: a stroke or 'set' belongs here", owner);
    if (status == SILT_OK)
        status = silt_stroke_from_row(row.strokes.values, out);
    if (status != SILT_OK && strncmp(silt_message(), owner, strlen(owner)) != 0)
        status = silt_fail(status, "%s: %s", owner, silt_message());
    silt_params_free(&row_params, &row);
    return status;
}

// "set,NAME,VALUE"
static SiltStatus read_set(const char *text, const char *owner, SiltHand *out)
{
    const char *name = skip_spaces(strchr(text, ',') + 1);
    size_t length = strcspn(name, " ,");
    const char *comma = strchr(name, ',');
    if (length == 0 || length >= sizeof out->name || !comma)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: 'set' takes a parameter and its value, like 120,set,rain,30",
                         owner);
    memcpy(out->name, name, length);
    out->text = silt_strdup(skip_spaces(comma + 1));
    for (char *c = out->text; c && *c; c++)
        *c = *c == '|' ? ';' : *c;
    return out->text ? SILT_OK : silt_fail_memory("hands", (double)strlen(text));
}

static SiltStatus read_hand(const char *text, int index, SiltHand *out)
{
    char owner[32];
    const char *cursor = text;
    double step;
    snprintf(owner, sizeof owner, "hands: row %d", index + 1);
    bool stepped = silt_parse_number(&cursor, &step) && step >= 0.0 && step < 0x1p53 && step == floor(step);
    cursor = skip_spaces(cursor);
    if (!stepped || *cursor != ',')
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s begins with no step; it is like 120,raise,... or 120,set,rain,30", owner);
    out->step = (int64_t)step;
    cursor = skip_spaces(cursor + 1);
    size_t word = strcspn(cursor, " ,");
    return word == 3 && strncmp(cursor, "set", 3) == 0 && strchr(cursor, ',')
               ? read_set(cursor, owner, out)
               : read_stroke(cursor, owner, &out->stroke);
}

void silt_hands_free(SiltHand *hands, int count)
{
    for (int k = 0; hands && k < count; k++)
        silt_free(hands[k].text);
    silt_free(hands);
}

SiltStatus silt_hands_read(const char *text, SiltHand **out, int *count)
{
    *out = NULL;
    *count = 0;
    if (!*skip_spaces(text))
        return SILT_OK;
    int rows = 1;
    for (const char *c = text; *c; c++)
        rows += *c == ';';
    char *copy = silt_strdup(text);
    SiltHand *hands = NULL;
    SiltStatus status = copy ? silt_alloc_for("hands", (size_t)rows, sizeof *hands, (void **)&hands)
                             : silt_fail_memory("hands", (double)strlen(text));
    char *row = copy;
    for (int k = 0; k < rows && status == SILT_OK; k++) {
        size_t length = strcspn(row, ";");
        row[length] = '\0';
        status = read_hand(skip_spaces(row), k, &hands[k]);
        if (status == SILT_OK && k > 0 && hands[k].step < hands[k - 1].step)
            status =
                silt_fail(SILT_BAD_ARGUMENT,
                          "hands: row %d comes at step %lld, before the row above it; rows stand in order",
                          k + 1, (long long)hands[k].step);
        row += length + 1;
    }
    silt_free(copy);
    if (status != SILT_OK) {
        silt_hands_free(hands, rows);
        return status;
    }
    *out = hands;
    *count = rows;
    return SILT_OK;
}

// ---- a run with hands in it ----

static SiltStatus do_hands(SiltErosion *erosion, const SiltHand *hands, int count, int *next, int64_t step)
{
    SiltStatus status = SILT_OK;
    while (*next < count && hands[*next].step <= step && status == SILT_OK) {
        status = silt_hand_run(&hands[*next], erosion);
        *next += status == SILT_OK;
    }
    return status == SILT_OK ? status : silt_fail(status, "hands: row %d: %s", *next + 1, silt_message());
}

SiltStatus silt_erosion_play(SiltErosion *erosion, SiltDuration whole, const SiltHand *hands, int count,
                             int *next, int64_t steps, bool *done)
{
    const SiltReport *report = &erosion->report;
    SiltStatus status = SILT_OK;
    *done = false;
    if (whole.steps == 0 && whole.time == 0.0)
        whole.steps = erosion->model->default_steps;
    status = silt_erosion_pay(erosion, whole);
    while (status == SILT_OK) {
        status = silt_erosion_check_end(erosion, whole);
        if (status == SILT_OK && !silt_erosion_rests(erosion)) // hands that lie behind the end are not done
            status = do_hands(erosion, hands, count, next, report->steps);
        *done = status == SILT_OK && silt_erosion_is_over(erosion, whole);
        if (status != SILT_OK || *done || steps <= 0)
            break;
        int64_t before = report->steps, most = steps;
        if (*next < count && hands[*next].step - before < most)
            most = hands[*next].step - before;
        status = silt_erosion_toward(erosion, whole, most);
        steps -= report->steps - before;
        if (status != SILT_OK || report->steps > before)
            continue;
        *done = *next >= count; // all has come to rest
        if (*done)
            break;
        status = do_hands(erosion, hands, count, next, hands[*next].step);
    }
    return status;
}

static void pack_next(void *context, SiltPack *pack)
{
    SILT_PACK(pack, *(int *)context);
}

// Which hand comes next in a run that is gone on with.
static SiltStatus find_next(SiltKeeper *keeper, int count, int *next)
{
    SiltPack pack;
    if (!silt_keep_take(keeper, "hands", &pack))
        return SILT_OK;
    pack_next(next, &pack);
    bool good = *next >= 0 && *next <= count;
    *next = good ? *next : 0;
    return pack.status != SILT_OK || good
               ? pack.status
               : silt_fail(SILT_BAD_ARGUMENT, "hands: the run that was kept had others");
}

SiltStatus silt_erode_by_hand(const SiltModel *model, SiltTerrain *terrain, const void *params,
                              SiltDuration duration, const SiltHand *hands, int count, const SiltRun *run,
                              SiltReport *report)
{
    SiltErosion *erosion;
    if (duration.steps == 0 && duration.time == 0.0)
        duration.steps = model->default_steps;
    SiltStatus status = silt_keep_terrain(run ? run->keeper : NULL, "terrain", terrain);
    if (status == SILT_OK)
        status = silt_erosion_begin(model, terrain, params, run, &erosion);
    if (status != SILT_OK)
        return status;
    int next = 0;
    bool done;
    SiltKeeper *keeper = erosion->run.keeper;
    SiltStageNote note = {.model = model,
                          .params = silt_params_clone(&model->params, params),
                          .seed = erosion->run.seed,
                          .began = erosion->run.began,
                          .duration = duration};
    status = note.params ? find_next(keeper, count, &next) : SILT_NO_MEMORY;
    if (status == SILT_OK)
        status = silt_keep_note(keeper, "hands", pack_next, &next, false);
    if (status == SILT_OK)
        status = silt_keep_note(keeper, "stage", silt_stage_pack, &note, false);
    if (status == SILT_OK)
        status = silt_erosion_go_on(erosion, &duration);
    if (status == SILT_OK)
        status = silt_erosion_play(erosion, duration, hands, count, &next, INT64_MAX, &done);
    status = silt_erosion_leave(erosion, status);
    bool stands = status == SILT_OK || status == SILT_CANCELLED || erosion->report.cancelled;
    silt_keep_let_go(keeper, "hands");
    silt_keep_let_go(keeper, "stage");
    SiltWarnings warnings = silt_warnings_begin(run);
    if (status == SILT_OK)
        silt_warn_of_books(&erosion->report, note.params);
    silt_warnings_end(warnings);
    silt_params_delete(&model->params, note.params);
    if (report)
        *report = erosion->report;
    silt_erosion_end(erosion);
    // at once, so that whatever comes next sees the ground as it is
    if (stands)
        silt_terrain_settle(terrain);
    return status;
}
