// A map cut into 2 x 3 regions, each run by a thread of its own; they meet to exchange their halos.
#ifndef SILT_REGION_HELP_H
#define SILT_REGION_HELP_H

#include "erode_help.h"

#include <pthread.h>

#include "grid/region.h"

enum { ACROSS = 2, DOWN = 3, REGIONS = ACROSS * DOWN, HALO = 20, MOST_FIELDS = 48 };

typedef struct Meeting Meeting;

typedef struct Part {
    Meeting *meeting;
    const char *model, *settings;
    int64_t steps;
    uint64_t seed;
    bool settles; // the change goes into the heights at the end
    SiltPeers peers;
    SiltRegion region;
    SiltTerrain *terrain;
    SiltReport report;
    SiltField *const *fields; // of the present exchange
    double *values;           // of the present fold
    SiltStatus status;
} Part;

struct Meeting {
    pthread_barrier_t barrier;
    Part parts[REGIONS];
};

// The cells that both have on the map and `from` owns.
static inline void copy_shared(const Part *from, Part *to, int field)
{
    const SiltRegion *a = &from->region, *b = &to->region;
    const SiltField *source = from->fields[field];
    SiltField *target = to->fields[field];
    for (int j = a->north; j < source->height - a->south; j++)
        for (int i = a->west; i < source->width - a->east; i++) {
            int to_i = a->i + i - b->i, to_j = a->j + j - b->j;
            if (to_i >= 0 && to_i < target->width && to_j >= 0 && to_j < target->height)
                silt_field_row(target, to_j)[to_i] = silt_field_at(source, i, j);
        }
}

static inline void exchange(void *user, SiltField *const *fields, int count)
{
    Part *part = user;
    Meeting *meeting = part->meeting;
    part->fields = fields;
    pthread_barrier_wait(&meeting->barrier);
    for (int k = 0; k < REGIONS; k++)
        for (int f = 0; &meeting->parts[k] != part && f < count; f++)
            copy_shared(&meeting->parts[k], part, f);
    pthread_barrier_wait(&meeting->barrier);
}

static inline void fold(void *user, SiltFold kind, double *values, int count)
{
    Part *part = user;
    Meeting *meeting = part->meeting;
    double *mine = malloc((size_t)count * sizeof(double));
    part->values = values;
    pthread_barrier_wait(&meeting->barrier);
    for (int n = 0; n < count; n++) {
        mine[n] = meeting->parts[0].values[n];
        for (int k = 1; k < REGIONS; k++) {
            double other = meeting->parts[k].values[n];
            mine[n] = kind == SILT_FOLD_SUM ? mine[n] + other : other > mine[n] ? other : mine[n];
        }
    }
    pthread_barrier_wait(&meeting->barrier);
    memcpy(values, mine, (size_t)count * sizeof(double));
    free(mine);
}

static inline void *run_part(void *context)
{
    Part *part = context;
    const SiltModel *model = silt_model_find(part->model);
    void *params = silt_alloc(model->params.size);
    char text[512];
    part->status = silt_params_init(&model->params, params);
    snprintf(text, sizeof text, "%s", part->settings);
    for (char *rest, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (part->status == SILT_OK)
            part->status = silt_params_assign(&model->params, params, part->model, word);
    SiltRun run = {.seed = part->seed, .threads = 1};
    if (part->status == SILT_OK)
        part->status = silt_erode(model, part->terrain, params, (SiltDuration){.steps = part->steps}, &run,
                                  &part->report);
    if (part->status == SILT_OK && part->settles)
        silt_terrain_settle(part->terrain);
    silt_params_free(&model->params, params);
    silt_free(params);
    return NULL;
}

#endif
