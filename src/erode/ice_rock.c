// What ice does to rock in a step of `ice`: sliding wears the bed, walls that stand too steep fall onto the
// ice, the ice carries all of it along, and lays it down where it melts: moraines.
#include <math.h>

#include "core/simd.h"
#include "erode/ice.h"
#include "physics/elementary.h"
#include "physics/ice_cell.h"

enum { HOPS = 3 };                    // cells that rock in the ice can go in a step
static const float rockfall = 0.04f;  // share of a wall's excess that falls on a neighbour in a step
static const float fastest = 2000.0f; // m/year that wear the bed: no ice but in surges is faster

typedef struct Tally {
    Ice *ice;
    double worn[SILT_REDUCE_BLOCKS], laid[SILT_REDUCE_BLOCKS], washed[SILT_REDUCE_BLOCKS];
    int grain;
    float most_fall[2]; // m that a wall may fall to a neighbour at the side, and across a corner
} Tally;

// ---- wear ----

typedef struct Flow {
    float speed;       // m/year
    float east, south; // its direction
} Flow;

// By the ice that went through the faces.
static Flow flow_at(const Ice *ice, size_t k, float thick)
{
    float per_year = (float)ice->terrain->cell * 0.5f / (ice->dt * thick);
    float east = (ice->east[k] + ice->east[k - 1]) * per_year;
    float south = (ice->south[k] + ice->south[k - ice->pitch]) * per_year;
    float speed = silt_sqrtf(east * east + south * south);
    return (Flow){speed, speed > 0.0f ? east / speed : 0.0f, speed > 0.0f ? south / speed : 0.0f};
}

static float hardness_at(const Ice *ice, int i, int j, float elevation)
{
    float layer = ice->erodibility ? silt_field_at(ice->erodibility, i, j) : 1.0f;
    return ice->strata.count ? layer * silt_strata_erodibility(&ice->strata, i, j, elevation) : layer;
}

static float mean_ice(const Ice *ice, int i, int j)
{
    return 0.5f * (silt_field_at(&ice->ice, i, j) + ice->thick[ice_at(ice, i, j)]);
}

static void slip_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j);
            float thick = mean_ice(ice, i, j), around = ice->blur > 0 ? ice->around[k] : thick;
            float speed = thick > 1.0f ? flow_at(ice, k, thick).speed : 0.0f;
            ice->levels[0].x[k] = silt_field_at(&ice->speed, i, j); // for a step that is left
            silt_field_row(&ice->speed, j)[i] = speed;
            speed *= ice_sliding_share(thick, around, ice->deform, ice->slide);
            ice->slip[k] = silt_minf(speed, fastest) * thick;
        }
}

typedef struct Lie {
    float east, south; // slope of the bed over the length of coupling
    float bump;        // how far it stands above what is near, and above what is as far as that length
} Lie;

static int within(int index, int count)
{
    return index < 0 ? 0 : index < count ? index : count - 1;
}

static Lie lie_at(const Ice *ice, int i, int j)
{
    const float *b = ice->base;
    int width = ice->terrain->width, height = ice->terrain->height, reach = ice->blur > 0 ? ice->blur : 1;
    int west = within(i - reach, width), east = within(i + reach, width);
    int north = within(j - reach, height), south = within(j + reach, height);
    size_t k = ice_at(ice, i, j);
    float over = 1.0f / (float)ice->terrain->cell;
    float mean = 0.25f * (b[k + 1] + b[k - 1] + b[k + ice->pitch] + b[k - ice->pitch]);
    float far = 0.25f * (b[ice_at(ice, east, j)] + b[ice_at(ice, west, j)] + b[ice_at(ice, i, north)] +
                         b[ice_at(ice, i, south)]);
    Lie lie = {.bump = (b[k] - mean) * over + (b[k] - far) * over / (float)reach};
    if (east > west)
        lie.east = (b[ice_at(ice, east, j)] - b[ice_at(ice, west, j)]) * over / (float)(east - west);
    if (south > north)
        lie.south = (b[ice_at(ice, i, south)] - b[ice_at(ice, i, north)]) * over / (float)(south - north);
    return lie;
}

// Metres of bed that sliding takes in the step: what is loose first, and faster. Ice slides as one over the
// length of coupling: a groove in its bed is worn no faster than what stands beside it.
static float wear_at(const Ice *ice, size_t k, int i, int j, float thick, float deposit)
{
    const IceParams *params = ice->params;
    Flow flow = flow_at(ice, k, thick);
    Lie lie = lie_at(ice, i, j);
    float around = ice->blur > 0 ? ice->around[k] : thick;
    float sliding = silt_minf(ice->slip[k] / silt_maxf(around, 1.0f), fastest);
    float fall = -(lie.east * flow.east + lie.south * flow.south);
    float slope2 = lie.east * lie.east + lie.south * lie.south;
    float rate = ice->dt * ice_wear(sliding, silt_minf(thick, around), fall, slope2, lie.bump,
                                    (float)params->abrasion, (float)params->quarrying);
    float loose = rate * (float)params->loose;
    if (loose <= deposit)
        return loose;
    float left = loose > 0.0f ? 1.0f - deposit / loose : 0.0f;
    return deposit + left * rate * hardness_at(ice, i, j, ice->base[k]);
}

// The largest of four differences, whatever their sign.
static float most_apart(float here, float a, float b, float c, float d)
{
    float first = silt_maxf(fabsf(here - a), fabsf(here - b));
    return silt_maxf(first, silt_maxf(fabsf(here - c), fabsf(here - d)));
}

// Whether nothing falls to or from here, as nearly everywhere.
static bool stands(const Tally *tally, size_t k)
{
    const float *b = tally->ice->base + k, *north = b - tally->ice->pitch, *south = b + tally->ice->pitch;
    return most_apart(*b, b[-1], b[1], *north, *south) <= tally->most_fall[0] &&
           most_apart(*b, north[-1], north[1], south[-1], south[1]) <= tally->most_fall[1];
}

// What falls off a wall here, and what falls here from others.
static void falls_at(const Tally *tally, size_t k, float *lost, float *gained)
{
    const Ice *ice = tally->ice;
    const float *b = ice->base;
    *lost = *gained = 0.0f;
    if (stands(tally, k))
        return;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            size_t n = (size_t)((ptrdiff_t)k + dj * (ptrdiff_t)ice->pitch + di);
            if ((di == 0 && dj == 0) || ice->wall[n])
                continue;
            float share = di != 0 && dj != 0 ? 0.5f * rockfall : rockfall;
            float most = tally->most_fall[di != 0 && dj != 0];
            *lost += ice_rockfall(b[k], b[n], most, share);
            *gained += ice_rockfall(b[n], b[k], most, share);
        }
}

static void wear_rows(void *context, int begin, int end)
{
    Tally *tally = context;
    Ice *ice = tally->ice;
    double worn = 0.0, laid = 0.0;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j), c = (size_t)j * (size_t)ice->terrain->width + (size_t)i;
            float *deposit = silt_field_row(&ice->deposit, j) + i, lost, gained;
            float thick = mean_ice(ice, i, j);
            ice->drop[k] = 0.0f;
            if (ice->wall[k])
                continue;
            falls_at(tally, k, &lost, &gained);
            float taken = thick > 1.0f ? wear_at(ice, k, i, j, thick, *deposit) + lost : lost;
            bool carries = ice->thick[k] > 0.0f;
            ice->bed[c] += carries ? -(double)taken : (double)gained - (double)taken;
            *deposit = silt_maxf(*deposit - taken, 0.0f) + (carries ? 0.0f : gained);
            // what fell off the neighbours, and what was worn here, but not what fell from here
            ice->load[k] += taken - lost + (carries ? gained : 0.0f);
            silt_field_row(&ice->wear, j)[i] += taken;
            silt_field_row(&ice->deposition, j)[i] += carries ? 0.0f : gained;
            worn += (double)taken;
            laid += carries ? 0.0 : (double)gained;
        }
    tally->worn[begin / tally->grain] = worn;
    tally->laid[begin / tally->grain] = laid;
}

// ---- carrying ----

// 1 / all the ice that was in a cell in the part of a step: what stays, what goes on and what melts. Rock is
// mixed with it, and shares its fate.
static void mix_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    float *over = ice->scratch;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j);
            float went = silt_maxf(ice->east[k], 0.0f) + silt_maxf(-ice->east[k - 1], 0.0f) +
                         silt_maxf(ice->south[k], 0.0f) + silt_maxf(-ice->south[k - ice->pitch], 0.0f);
            float all = silt_field_at(&ice->ice, i, j) * HOPS + went + silt_maxf(ice->melt[k], 0.0f);
            over[k] = all > 1e-20f ? 1.0f / all : 0.0f;
        }
}

// What goes through the face between a and b, in the direction of b above zero.
static float through(const Ice *ice, float ice_through, size_t a, size_t b)
{
    return ice_through > 0.0f ? ice_through * (ice->load[a] * ice->scratch[a])
                              : ice_through * (ice->load[b] * ice->scratch[b]);
}

// A row of that: `load`, `over`, the ice through the eastern and southern faces, and the rows around them.
SILT_CLONES static void carry_row(const float *load, const float *over, const float *east, const float *south,
                                  const float *melt, size_t below, int count, float *restrict next,
                                  float *restrict drop)
{
    ptrdiff_t down = (ptrdiff_t)below;
    for (int i = 0; i < count; i++) {
        const float *l = load + i, *o = over + i;
        float e = east[i], w = east[i - 1], s = south[i], n = south[i - down];
        float mixed = l[0] * o[0], in_west = l[-1] * o[-1], in_east = l[1] * o[1];
        float in_north = l[-down] * o[-down], in_south = l[down] * o[down];
        float melted = l[0] * silt_minf(silt_maxf(melt[i], 0.0f) * o[0], 1.0f);
        float off = o[0] > 0.0f ? melted : l[0];
        float gain = w * (w > 0.0f ? in_west : mixed) - e * (e > 0.0f ? mixed : in_east) +
                     n * (n > 0.0f ? in_north : mixed) - s * (s > 0.0f ? mixed : in_south);
        next[i] = silt_maxf(l[0] - off + gain, 0.0f);
        drop[i] += off;
    }
}

static void carry_rows(void *context, int begin, int end)
{
    Ice *ice = context;
    for (int j = begin; j < end; j++) {
        size_t k = ice_at(ice, 0, j);
        carry_row(ice->load + k, ice->scratch + k, ice->east + k, ice->south + k, ice->melt + k, ice->pitch,
                  ice->terrain->width, ice->next_load + k, ice->drop + k);
    }
}

// Rock that the ice takes over the edge.
static double over_edge(const Ice *ice)
{
    int width = ice->terrain->width, height = ice->terrain->height;
    double sum = 0.0;
    for (int j = 0; j < height; j++) {
        size_t west = ice_at(ice, 0, j), east = ice_at(ice, width - 1, j);
        sum += (double)through(ice, ice->east[east], east, east + 1) -
               (double)through(ice, ice->east[west - 1], west - 1, west);
    }
    for (int i = 0; i < width; i++) {
        size_t north = ice_at(ice, i, 0), south = ice_at(ice, i, height - 1), below = ice->pitch;
        sum += (double)through(ice, ice->south[south], south, south + below) -
               (double)through(ice, ice->south[north - below], north - below, north);
    }
    return sum;
}

// ---- laying down ----

// Melt water washes a share of what comes down away; the rest lies where it is.
static void lay_rows(void *context, int begin, int end)
{
    Tally *tally = context;
    Ice *ice = tally->ice;
    float share = (float)ice->params->washed;
    double laid = 0.0, washed = 0.0;
    for (int j = begin; j < end; j++) {
        float *debris = silt_field_row(&ice->debris, j), *deposit = silt_field_row(&ice->deposit, j);
        float *deposition = silt_field_row(&ice->deposition, j);
        for (int i = 0; i < ice->terrain->width; i++) {
            size_t k = ice_at(ice, i, j);
            float off = share * ice->drop[k], stays = ice->drop[k] - off;
            debris[i] = ice->load[k];
            deposit[i] += stays;
            deposition[i] += stays;
            ice->bed[(size_t)j * (size_t)ice->terrain->width + (size_t)i] += (double)stays;
            laid += (double)stays;
            washed += (double)off;
        }
    }
    tally->laid[begin / tally->grain] += laid;
    tally->washed[begin / tally->grain] = washed;
}

bool silt_ice_slip(Ice *ice)
{
    int height = ice->terrain->height;
    ice->slip = ice->next_load;
    silt_parallel(height, silt_reduce_span(height), slip_rows, ice);
    if (ice->blur > 0 && !silt_is_stopped())
        silt_ice_blur(ice, ice->slip, ice->slip);
    return !silt_is_stopped();
}

void silt_ice_work(Ice *ice, IceBooks *books)
{
    int height = ice->terrain->height, grain = silt_reduce_span(height);
    double fall = silt_tan(ice->params->wall * 0.0174532925199433) * ice->terrain->cell;
    fall = fall < 1e7 ? fall : 1e7;
    Tally tally = {.ice = ice, .grain = grain, .most_fall = {(float)fall, (float)(1.4142135623731 * fall)}};
    silt_parallel(height, grain, wear_rows, &tally);
    silt_parallel(height, grain, mix_rows, ice);
    for (int hop = 0; hop < HOPS; hop++) {
        books->dropped += over_edge(ice);
        silt_parallel(height, grain, carry_rows, ice);
        float *load = ice->load;
        ice->load = ice->next_load;
        ice->next_load = load;
    }
    silt_parallel(height, grain, lay_rows, &tally);
    for (int k = 0; k * grain < height; k++) {
        books->worn += tally.worn[k];
        books->laid += tally.laid[k];
        books->washed += tally.washed[k];
    }
}
