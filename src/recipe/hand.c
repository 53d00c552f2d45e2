// What hands do in a recipe: strokes on a terrain as a stage of their own, and hands in a stage of erosion.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "recipe/recipe.h"

// ---- brush ----

typedef struct BrushStage {
    SiltList strokes;
} BrushStage;

static const SiltParam brush_items[] = {
    SILT_LIST(
        BrushStage, strokes, SILT_STROKE_COLUMN_NAMES, "",
        "strokes in order: a brush, from where to where in metres from the south-western corner, how wide "
        "and strong",
        .words = silt_brush_names),
};

static SiltStatus stroke_at(const Step *step, int row, const char *owner, SiltStroke *out)
{
    const BrushStage *p = step->params;
    SiltStatus status =
        silt_stroke_from_row(p->strokes.values + (size_t)row * (size_t)p->strokes.columns, out);
    return status == SILT_OK ? status
                             : silt_fail(status, "%s: strokes: row %d: %s", owner, row + 1, silt_message());
}

static SiltStatus check_brush(const Step *step, const char *owner)
{
    const BrushStage *p = step->params;
    SiltStroke stroke;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < p->strokes.count && status == SILT_OK; k++)
        status = stroke_at(step, k, owner, &stroke);
    return status;
}

static const char *made_by_brush(const Step *step, int index)
{
    const BrushStage *p = step->params;
    SiltStroke stroke;
    if (index >= p->strokes.count)
        return NULL;
    bool right = silt_stroke_from_row(p->strokes.values + (size_t)index * (size_t)p->strokes.columns,
                                      &stroke) == SILT_OK;
    return right ? silt_stroke_layer(&stroke) : "";
}

static SiltStatus brush(const Step *step, Kitchen *kitchen)
{
    const BrushStage *p = step->params;
    SiltStroke stroke;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < p->strokes.count && status == SILT_OK; k++) {
        status = stroke_at(step, k, step->subject, &stroke);
        if (status == SILT_OK)
            status = silt_stroke_terrain(&stroke, kitchen->terrain);
        if (status == SILT_OK && k % 64 == 63)
            status = silt_run_progress(&kitchen->run, kitchen->label, k + 1, p->strokes.count, "strokes");
    }
    return status;
}

static const StageKind brush_kinds[] = {
    {.info = {"stages", "brush", SILT_SUBJECT_LABEL, "strokes of a hand on the terrain",
              SILT_PARAM_TABLE(BrushStage, brush_items), NULL, false},
     .check = check_brush,
     .makes = made_by_brush,
     .run = brush,
     .scratch = 4},
};

const Section silt_section_brush = {"stages", brush_kinds, 1, NULL};

// ---- hands in a stage of erosion ----

SiltStatus silt_step_read_hands(Step *step, const char *text)
{
    step->hands_text = silt_strdup(text);
    return step->hands_text ? silt_hands_read(text, &step->hands, &step->hand_count)
                            : silt_fail_memory("a recipe", (double)strlen(text));
}

static SiltStatus check_set(const SiltModel *model, const SiltHand *hand, const char *owner)
{
    const SiltParamTable *table = &model->params;
    int index = silt_params_find(table, hand->name);
    if (index >= 0 && !(table->items[index].flags & SILT_LIVE))
        return silt_fail(SILT_BAD_ARGUMENT, "%s: %s cannot change while a run goes on", owner, hand->name);
    void *params = silt_params_new(table);
    if (!params)
        return SILT_NO_MEMORY;
    SiltStatus status = silt_params_set(table, params, owner, hand->name, hand->text);
    silt_params_delete(table, params);
    return status;
}

SiltStatus silt_step_check_hands(const Step *step, const char *owner)
{
    const SiltErodeOptions *options = step->params;
    if (step->hand_count > 0 && options->pyramid > 0)
        return silt_fail(
            SILT_BAD_ARGUMENT,
            "%s: hands work on the terrain itself, not on coarse levels of it; leave pyramid out", owner);
    SiltStatus status = SILT_OK;
    for (int k = 0; k < step->hand_count && status == SILT_OK; k++) {
        char row[OWNER_SIZE + 32];
        snprintf(row, sizeof row, "%s: hands: row %d", owner, k + 1);
        if (step->hands[k].name[0])
            status = check_set(step->model, &step->hands[k], row);
    }
    return status;
}

SiltStatus silt_recipe_hands(const SiltRecipe *recipe, int stage, const SiltHand **out, int *count)
{
    *out = NULL;
    *count = 0;
    if (stage < 0 || stage >= recipe->stage_count)
        return silt_fail(SILT_BAD_ARGUMENT, "there is no stage %d: there are %d", stage, recipe->stage_count);
    *out = recipe->stages[stage].hands;
    *count = recipe->stages[stage].hand_count;
    return SILT_OK;
}
