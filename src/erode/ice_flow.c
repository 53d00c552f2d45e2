// How ice moves in a step of `ice`: dh/dt = balance - div(h u), u = -pace grad(surface).
//
// The pace goes with the fourth power of the thickness and the second of the slope. Taken as it stands at
// the beginning of a step, a long step would overshoot by twice what is wrong, and then by four times; so the
// paces of corners follow by a third in each step, which makes the whole as steady as a Newton step would
// (1 - 3/3 = 0 of an error in slope is left). They are part of the state.
#include <math.h>

#include "core/memory.h"
#include "core/simd.h"
#include "erode/ice.h"
#include "physics/elementary.h"
#include "physics/ice_cell.h"

static const double weight_of_ice = 910.0 * 9.81; // N/m3

static const double fastest_ice = 5000.0; // m/year: no glacier but a few into the sea is faster
static const double most_cells = 100.0;   // that ice crosses in a step

static const float least_outfall = 0.03f; // slope with which ice leaves over an open side at the least

static const float thickest = 1e4f; // m: higher than any snow falls

// ---- memory ----

static SiltStatus make_arrays(Ice *ice)
{
    size_t count = ice->pitch * ((size_t)ice->terrain->height + 3);
    float **arrays[] = {&ice->base, &ice->thick, &ice->around,    &ice->melt,    &ice->east,      &ice->south,
                        &ice->load, &ice->drop,  &ice->next_load, &ice->scratch, &ice->other_pace};
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0] && status == SILT_OK; k++)
        status = silt_alloc_for("ice", count, sizeof(float), (void **)arrays[k]);
    if (status == SILT_OK)
        status = silt_alloc_for("ice", count, 1, (void **)&ice->wall);
    if (status == SILT_OK)
        status = silt_alloc_for("ice", count, sizeof(float), &ice->pace.data);
    ice->pace.size = sizeof(float);
    ice->pace.count = ice->pace.room = (int64_t)count;
    return status;
}

void silt_ice_choose_rates(Ice *ice)
{
    const IceParams *params = ice->params;
    double cube = weight_of_ice * weight_of_ice * weight_of_ice;
    ice->deform = (float)(0.4 * params->softness * cube);
    ice->slide = (float)(params->sliding * cube);
    double crossing = most_cells * ice->terrain->cell / params->step;
    ice->fastest = (float)(crossing < fastest_ice ? crossing : fastest_ice);
    int longest = ice->terrain->width > ice->terrain->height ? ice->terrain->width : ice->terrain->height;
    double reach = params->coupling / ice->terrain->cell;
    ice->blur = (int)(0.5 + (reach < longest ? reach : longest));
}

SiltStatus silt_ice_flow_create(Ice *ice)
{
    SiltStatus status = silt_ice_levels_create(ice);
    if (status != SILT_OK)
        return status;
    ice->pitch = ice->levels[0].pitch;
    silt_ice_choose_rates(ice);
    status = make_arrays(ice);
    ice->levels[0].most = ice->thick;
    ice->levels[0].most_pitch = ice->pitch;
    for (int j = -1; status == SILT_OK && j <= ice->terrain->height; j++)
        for (int i = -1; i <= ice->terrain->width; i++) {
            bool inside = i >= 0 && j >= 0 && i < ice->terrain->width && j < ice->terrain->height;
            ice->wall[ice_at(ice, i, j)] = !inside                                      ? ICE_BEYOND
                                           : silt_terrain_is_nodata(ice->terrain, i, j) ? ICE_NO_DATA
                                                                                        : 0;
            ice->levels[0].mass[ice_at(ice, i, j)] = inside ? 1.0f : 0.0f;
        }
    return status;
}

void silt_ice_flow_destroy(Ice *ice)
{
    float *arrays[] = {ice->base, ice->thick, ice->around,    ice->melt,    ice->east,      ice->south,
                       ice->load, ice->drop,  ice->next_load, ice->scratch, ice->other_pace};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        silt_free(arrays[k]);
    silt_free(ice->wall);
    silt_free(ice->pace.data);
    silt_ice_levels_destroy(ice);
}

// ---- state into work arrays ----

// Beyond the edge the land goes on level; so does the ice, unless it breaks off there.
static void pad_row(const Ice *ice, int j)
{
    int width = ice->terrain->width;
    float beyond = ice->params->sides == ICE_CALVING ? 0.0f : 1.0f;
    size_t west = ice_at(ice, -1, j), east = ice_at(ice, width, j);
    ice->base[west] = ice->base[west + 1];
    ice->base[east] = ice->base[east - 1];
    ice->thick[west] = beyond * ice->thick[west + 1];
    ice->thick[east] = beyond * ice->thick[east - 1];
}

static void pad_rows(const Ice *ice, int from, int to)
{
    float beyond = ice->params->sides == ICE_CALVING ? 0.0f : 1.0f;
    for (int i = -1; i <= ice->terrain->width; i++) {
        ice->base[ice_at(ice, i, to)] = ice->base[ice_at(ice, i, from)];
        ice->thick[ice_at(ice, i, to)] = beyond * ice->thick[ice_at(ice, i, from)];
    }
}

static void load_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    int width = ice->terrain->width;
    for (int j = begin; j < end; j++) {
        const float *from = silt_field_row(&ice->ice, j), *debris = silt_field_row(&ice->debris, j);
        const double *bed = ice->bed + (size_t)j * (size_t)width;
        size_t at = ice_at(ice, 0, j);
        for (int i = 0; i < width; i++) {
            ice->base[at + (size_t)i] = (float)bed[i];
            ice->thick[at + (size_t)i] = from[i];
            ice->load[at + (size_t)i] = debris[i];
        }
        pad_row(ice, j);
    }
}

void silt_ice_load(Ice *ice)
{
    int height = ice->terrain->height;
    silt_parallel(height, ice_rows(ice), load_rows, ice);
    pad_rows(ice, 0, -1);
    pad_rows(ice, height - 1, height);
}

// ---- paces at corners ----

typedef struct Paces {
    Ice *ice;
    float share, over; // of the new pace; 1 / (2 cell)
} Paces;

SILT_CLONES static void pace_row(const Paces *paces, const float *restrict base, const float *restrict thick,
                                 const float *restrict around, const uint8_t *restrict wall,
                                 const float *restrict pace, float *restrict next, int count)
{
    size_t below = paces->ice->pitch;
    float deform = paces->ice->deform, slide = paces->ice->slide, over = paces->over, share = paces->share;
    float fastest = paces->ice->fastest;
    for (int i = 0; i < count; i++) {
        const float *b = base + i, *h = thick + i, *m = around + i;
        float east =
            ice_fall(b[0], h[0], b[1], h[1]) + ice_fall(b[below], h[below], b[below + 1], h[below + 1]);
        float south =
            ice_fall(b[0], h[0], b[below], h[below]) + ice_fall(b[1], h[1], b[below + 1], h[below + 1]);
        east *= over;
        south *= over;
        float own = 0.25f * (h[0] + h[1] + h[below] + h[below + 1]);
        float mean = 0.25f * (m[0] + m[1] + m[below] + m[below + 1]);
        float now = ice_pace(own, mean, east * east + south * south, deform, slide, fastest);
        int closed = wall[i] | wall[i + 1] | wall[below + (size_t)i] | wall[below + (size_t)i + 1];
        now = closed & ICE_NO_DATA ? 0.0f : now;
        next[i] = pace[i] + share * (now - pace[i]);
    }
}

static void pace_rows(void *context, int begin, int end)
{
    const Paces *paces = context;
    const Ice *ice = paces->ice;
    const float *around = ice->blur > 0 ? ice->around : ice->thick;
    for (int j = begin; j < end; j++) {
        size_t at = (size_t)j * ice->pitch;
        pace_row(paces, ice->base + at, ice->thick + at, around + at, ice->wall + at,
                 (const float *)ice->pace.data + at, ice->other_pace + at, ice->terrain->width + 1);
    }
}

void silt_ice_choose_paces(Ice *ice, float share)
{
    Paces paces = {ice, share, (float)(0.5 / ice->terrain->cell)};
    silt_parallel(ice->terrain->height + 1, ice_rows(ice), pace_rows, &paces);
    silt_ice_swap_paces(ice);
}

void silt_ice_swap_paces(Ice *ice)
{
    float *next = ice->other_pace;
    ice->other_pace = ice->pace.data;
    ice->pace.data = next;
}

// ---- snow and melt ----

typedef struct Climate {
    float line, gradient, most_snow, aspect, bare2, added; // of the present time
    float over, dt;                                        // 1 / (2 cell)
} Climate;

// Metres that melt in the step (below zero: that snow adds), but for the sea; a slope to the north rises to
// the south.
SILT_CLONES static void melt_row(const Climate *climate, const float *base, const float *thick, size_t below,
                                 int count, float *restrict melt)
{
    Climate c = *climate;
    for (int i = 0; i < count; i++) {
        const float *b = base + i, *h = thick + i;
        ptrdiff_t down = (ptrdiff_t)below;
        float x = ice_drop(b[1], h[1], b[-1], h[-1]) * c.over;
        float y = ice_drop(b[down], h[down], b[-down], h[-down]) * c.over, slope2 = x * x + y * y;
        float above = b[0] + h[0] - c.line + c.aspect * y / silt_sqrtf(1.0f + slope2);
        float gain = ice_balance(above, c.gradient, c.most_snow, slope2, c.bare2) + c.added;
        melt[i] = -c.dt * gain;
    }
}

// What a map, the sea and the ice there is change of that.
static void bound_melt(const Ice *ice, int i, int j)
{
    const IceParams *params = ice->params;
    size_t k = ice_at(ice, i, j);
    float thick = ice->thick[k], melt = ice->melt[k];
    if (ice->balance)
        melt -= ice->dt * silt_field_at(ice->balance, i, j);
    bool floats =
        !isnan(params->sea_level) && 0.89 * (double)thick < params->sea_level - (double)ice->base[k];
    melt = floats ? ice->dt * (float)params->calving : melt;
    melt = ice->wall[k] || (melt < 0.0f && thick > thickest) ? 0.0f : melt;
    ice->melt[k] = silt_minf(melt, thick);
}

static void balance_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    const IceParams *params = ice->params;
    double bare = silt_tan(params->bare * 0.0174532925199433);
    Climate climate = {.line = ice->ela_now,
                       .gradient = (float)params->gradient,
                       .most_snow = (float)params->most_snow,
                       .aspect = (float)params->aspect,
                       .bare2 = (float)(bare * bare),
                       .added = (float)params->balance,
                       .over = (float)(0.5 / ice->terrain->cell),
                       .dt = ice->dt};
    for (int j = begin; j < end; j++) {
        size_t at = ice_at(ice, 0, j);
        melt_row(&climate, ice->base + at, ice->thick + at, ice->pitch, ice->terrain->width, ice->melt + at);
        for (int i = 0; i < ice->terrain->width; i++)
            bound_melt(ice, i, j);
    }
}

void silt_ice_choose_balance(Ice *ice)
{
    silt_parallel(ice->terrain->height, ice_rows(ice), balance_rows, ice);
}

// ---- links ----

typedef struct Links {
    float *restrict flow, *restrict out, *restrict back;
} Links;

SILT_CLONES static void link_row(const float *restrict base, const float *restrict thick,
                                 const uint8_t *restrict wall, const float *restrict pace, size_t next,
                                 size_t corner, float scale, int count, Links to)
{
    for (int i = 0; i < count; i++) {
        int closed = wall[i] | wall[(size_t)i + next];
        float p = closed ? 0.0f : 0.5f * scale * (pace[i] + pace[i - (ptrdiff_t)corner]);
        IceLink link = ice_link(base[i], thick[i], base[(size_t)i + next], thick[(size_t)i + next], p);
        to.flow[i] = link.flow;
        to.out[i] = link.from_a;
        to.back[i] = link.from_b;
    }
}

static void link_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    const IceLevel *level = &ice->levels[0];
    const float *pace = ice->pace.data;
    float scale = ice->dt / (float)(ice->terrain->cell * ice->terrain->cell);
    int width = ice->terrain->width, height = ice->terrain->height;
    for (int j = begin; j < end; j++) {
        size_t at = ice_at(ice, 0, j);
        Links east = {ice->east + at, level->east_out + at, level->east_back + at};
        Links south = {ice->south + at, level->south_out + at, level->south_back + at};
        link_row(ice->base + at, ice->thick + at, ice->wall + at, pace + at, 1, ice->pitch, scale, width - 1,
                 east);
        if (j + 1 < height)
            link_row(ice->base + at, ice->thick + at, ice->wall + at, pace + at, ice->pitch, 1, scale, width,
                     south);
    }
}

// What leaves over the edge at cell k, times its ice. Where ice breaks off, nothing lies beyond; where the
// land goes on, the surface falls on as the bed does from `inner` to here. (As the surface does would drain
// and fill the edge in turns: the lower it lies, the more would leave.)
static float edge_link(const Ice *ice, size_t k, size_t inner, float corner_a, float corner_b)
{
    float pace = 0.5f * ice->dt / (float)(ice->terrain->cell * ice->terrain->cell) * (corner_a + corner_b);
    if (ice->wall[k] || ice->params->sides == ICE_CLOSED)
        return 0.0f;
    if (ice->params->sides == ICE_CALVING)
        return ice_link(ice->base[k], ice->thick[k], ice->base[k], 0.0f, pace).from_a;
    float fall = ice->base[inner] - ice->base[k], least = least_outfall * (float)ice->terrain->cell;
    return pace * silt_maxf(fall, least);
}

static void link_edges(Ice *ice)
{
    const IceLevel *level = &ice->levels[0];
    const float *pace = ice->pace.data, *thick = ice->thick;
    int width = ice->terrain->width, height = ice->terrain->height;
    // open sides: the paces of the corners one cell further in
    size_t in = ice->params->sides == ICE_CALVING ? 0 : 1, below = ice->pitch;
    for (int j = 0; j < height; j++) {
        size_t west = ice_at(ice, 0, j), east = ice_at(ice, width - 1, j);
        size_t w = west - 1 + in, e = east - in, beyond = west - 1;
        level->east_back[beyond] =
            edge_link(ice, west, width > 1 ? west + 1 : west, pace[w], pace[w - below]);
        level->east_out[east] = edge_link(ice, east, width > 1 ? east - 1 : east, pace[e], pace[e - below]);
        ice->east[beyond] = -level->east_back[beyond] * thick[west];
        ice->east[east] = level->east_out[east] * thick[east];
    }
    for (int i = 0; i < width; i++) {
        size_t north = ice_at(ice, i, 0), south = ice_at(ice, i, height - 1), beyond = north - below;
        size_t n = beyond + in * below, s = south - in * below;
        level->south_back[beyond] =
            edge_link(ice, north, height > 1 ? north + below : north, pace[n], pace[n - 1]);
        level->south_out[south] =
            edge_link(ice, south, height > 1 ? south - below : south, pace[s], pace[s - 1]);
        ice->south[beyond] = -level->south_back[beyond] * thick[north];
        ice->south[south] = level->south_out[south] * thick[south];
    }
}

static double gone_from(const Ice *ice, size_t k)
{
    return (double)ice->east[k] - (double)ice->east[k - 1] + (double)ice->south[k] -
           (double)ice->south[k - ice->pitch];
}

static void rhs_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j);
            double owed = (double)silt_field_at(&ice->owed, i, j);
            ice->levels[0].rhs[k] = (float)(owed - (double)ice->melt[k] - gone_from(ice, k));
            ice->levels[0].x[k] = 0.0f;
        }
}

void silt_ice_choose_links(Ice *ice)
{
    silt_parallel(ice->terrain->height, ice_rows(ice), link_rows, ice);
    link_edges(ice);
    silt_parallel(ice->terrain->height, ice_rows(ice), rhs_rows, ice);
}

// ---- moving ----

static void flow_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    const IceLevel *level = &ice->levels[0];
    for (int row = begin; row < end; row++) // the one beyond the northern edge too
        for (int i = -1; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, row - 1);
            ice->east[k] += level->east_out[k] * level->x[k] - level->east_back[k] * level->x[k + 1];
            ice->south[k] +=
                level->south_out[k] * level->x[k] - level->south_back[k] * level->x[k + ice->pitch];
        }
}

typedef struct Tally {
    Ice *ice;
    double snow[SILT_REDUCE_BLOCKS], melt[SILT_REDUCE_BLOCKS];
    int grain;
} Tally;

// Nothing is lost, however well the links were solved: what went through the faces and is not there yet is
// owed, and comes with the next step. (Put where it is missing, it would be flattened out at once, and leave
// as much to solve again.) Bare ground melts no more than it has.
static void settle_rows(void *context, int begin, int end)
{
    Tally *tally = context;
    Ice *ice = tally->ice;
    double snow = 0.0, melt = 0.0;
    for (int j = begin; j < end; j++) {
        float *thickness = silt_field_row(&ice->ice, j), *owed = silt_field_row(&ice->owed, j);
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j);
            double before = (double)ice->thick[k] + (double)owed[i] - gone_from(ice, k);
            ice->levels[0].rhs[k] = owed[i]; // it is solved, and free for a step that is left
            float next = ice->thick[k] + ice->levels[0].x[k];
            next = next > 0.0f ? next : 0.0f;
            double melted = (double)ice->melt[k], left = before - melted - (double)next;
            if (!(next > 0.0f) && left < 0.0 && melted > 0.0)
                melted = melted + left > 0.0 ? melted + left : 0.0;
            thickness[i] = next;
            owed[i] = (float)(before - melted - (double)next);
            ice->melt[k] = (float)melted;
            melted = before - (double)next - (double)owed[i]; // to the last bit
            snow += melted < 0.0 ? -melted : 0.0;
            melt += melted > 0.0 ? melted : 0.0;
        }
    }
    tally->snow[begin / tally->grain] = snow;
    tally->melt[begin / tally->grain] = melt;
}

bool silt_ice_move(Ice *ice, IceBooks *books)
{
    int width = ice->terrain->width, height = ice->terrain->height;
    silt_parallel(height + 1, ice_rows(ice), flow_rows, ice);
    Tally tally = {.ice = ice, .grain = silt_reduce_span(height)};
    silt_parallel(height, tally.grain, settle_rows, &tally);
    for (int k = 0; k * tally.grain < height; k++) {
        books->snow += tally.snow[k];
        books->melt += tally.melt[k];
    }
    for (int j = 0; j < height; j++)
        books->left += (double)ice->east[ice_at(ice, width - 1, j)] - (double)ice->east[ice_at(ice, -1, j)];
    for (int i = 0; i < width; i++)
        books->left +=
            (double)ice->south[ice_at(ice, i, height - 1)] - (double)ice->south[ice_at(ice, i, -1)];
    return !silt_is_stopped();
}

static void move_back_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j);
            silt_field_row(&ice->ice, j)[i] = ice->thick[k];
            silt_field_row(&ice->owed, j)[i] = ice->levels[0].rhs[k];
            if (ice->slip)
                silt_field_row(&ice->speed, j)[i] = ice->levels[0].x[k];
        }
}

void silt_ice_move_back(Ice *ice)
{
    silt_parallel(ice->terrain->height, ice_rows(ice), move_back_rows, ice);
}

// ---- the end ----

typedef struct Settling {
    Ice *ice;
    double share; // of what is there and owed that stays
} Settling;

static double missing_rows(void *context, int begin, int end)
{
    const Ice *ice = context;
    double missing = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ice->terrain->width; i++) {
            double all = (double)silt_field_at(&ice->ice, i, j) + (double)silt_field_at(&ice->owed, i, j);
            missing -= all < 0.0 ? all : 0.0;
        }
    return missing;
}

static void settle_owed_rows(void *context, int begin, int end)
{
    const Settling *settling = context;
    const Ice *ice = settling->ice;
    for (int j = begin; j < end; j++) {
        float *thickness = silt_field_row(&ice->ice, j), *owed = silt_field_row(&ice->owed, j);
        for (int i = 0; i < ice->terrain->width; i++) {
            double all = (double)thickness[i] + (double)owed[i];
            thickness[i] = all > 0.0 ? (float)(settling->share * all) : 0.0f;
            owed[i] = 0.0f;
        }
    }
}

// No step comes to bring what is owed: it is put where it is missing. Where a cell gave more than it had, all
// give a share of that back; what is more than all have is taken for snow that fell.
double silt_ice_settle(Ice *ice)
{
    int height = ice->terrain->height;
    double held = silt_field_sum(&ice->ice) + silt_field_sum(&ice->owed);
    double missing = silt_parallel_sum(height, missing_rows, ice), there = held + missing;
    Settling settling = {ice, held > 0.0 ? held / there : 0.0};
    silt_parallel(height, ice_rows(ice), settle_owed_rows, &settling);
    return held < 0.0 ? -held : 0.0;
}
