// Soil creeps down hillslopes: dh/dt = D (h_xx + h_yy), along rows and then along columns, each with the
// slopes at the end of the step: any step is stable, and what leaves one cell arrives in the next. The mean
// of that and of columns first knows no difference between the two, so that a turned map stays the same map.
// Outlets that keep their height swallow what comes to them; cells without data and the sides pass nothing.
// What a stream gains in all goes with its water: it would dam streams the more, the narrower a cell is.
//
// Along a line (1 + r (west + east)) h_i - r west h_{i-1} - r east h_{i+1} = the old h_i, where west and east
// are 1, or 0 at a wall. The elimination keeps its factors in `lowest`, which is free by then. Lines without
// walls and outlets, and most are, all have the same factors: they are found once.
#include "core/parallel.h"
#include "core/simd.h"
#include "erode/rivers.h"

// D dt / d^2 at the most: a thousand cells are level after one step of it, and rounding stays small.
static const double furthest = 1e6;

enum { LINES = 8 }; // side by side in one go

typedef struct Creep {
    const Rivers *rivers;
    const double *from;   // heights
    double *h, *factor;   // what becomes of them, and scratch
    size_t along, across; // cells from one to the next of a line, and from line to line
    int length, count;
    double r; // D dt / d^2
    double *left;
    double *open_factor, *open_over; // of a line without walls and outlets
} Creep;

static double eliminate(double west, double east, double factor_before)
{
    return 1.0 / (1.0 + west + east - west * factor_before);
}

static void find_open_factors(const Creep *creep)
{
    for (int k = 0; k < creep->length; k++) {
        double west = k > 0 ? creep->r : 0.0, east = k + 1 < creep->length ? creep->r : 0.0;
        creep->open_over[k] = eliminate(west, east, k > 0 ? creep->open_factor[k - 1] : 0.0);
        creep->open_factor[k] = east * creep->open_over[k];
    }
}

// Whether no cell of the lines is a wall or an outlet.
static bool is_open(const Creep *creep, size_t line, int lines)
{
    bool rows = creep->along == 1;
    int count = rows ? lines : creep->length, length = rows ? creep->length : lines;
    size_t apart = rows ? creep->across : creep->along;
    for (int j = 0; j < count; j++) {
        const uint8_t *kind = creep->rivers->kind + line + (size_t)j * apart;
        uint8_t closed = 0;
        for (int i = 0; i < length; i++)
            closed |=
                (uint8_t)((kind[i] == RIVERS_WALL) | (kind[i] == RIVERS_KEPT) | (kind[i] == RIVERS_SEA));
        if (closed)
            return false;
    }
    return true;
}

SILT_CLONES static void creep_open(const Creep *creep, size_t line, int lines)
{
    size_t along = creep->along, across = creep->across, last = (size_t)creep->length - 1;
    const double *from = creep->from + line;
    double *h = creep->h + line, r = creep->r;
    for (size_t n = 0; n < (size_t)lines; n++)
        h[n * across] = from[n * across] * creep->open_over[0];
    for (size_t k = 1; k <= last; k++) {
        const double *own = from + k * along;
        double *here = h + k * along, *before = here - along, over = creep->open_over[k];
        SILT_INDEPENDENT
        for (size_t n = 0; n < (size_t)lines; n++)
            here[n * across] = (own[n * across] + r * before[n * across]) * over;
    }
    for (size_t k = last; k-- > 0;) {
        double *here = h + k * along, *next = here + along, factor = creep->open_factor[k];
        SILT_INDEPENDENT
        for (size_t n = 0; n < (size_t)lines; n++)
            here[n * across] += factor * next[n * across];
    }
}

static void creep_forward(const Creep *creep, size_t line, int lines)
{
    const uint8_t *kind = creep->rivers->kind;
    double *h = creep->h, *factor = creep->factor;
    for (int k = 0; k < creep->length; k++) {
        for (int n = 0; n < lines; n++) {
            size_t c = line + (size_t)k * creep->along + (size_t)n * creep->across;
            bool free = kind[c] != RIVERS_WALL && !rivers_holds(kind[c]);
            double west = free && k > 0 && kind[c - creep->along] != RIVERS_WALL ? creep->r : 0.0;
            double east =
                free && k + 1 < creep->length && kind[c + creep->along] != RIVERS_WALL ? creep->r : 0.0;
            double f = k > 0 ? factor[c - creep->along] : 0.0, before = k > 0 ? h[c - creep->along] : 0.0;
            double over = eliminate(west, east, f);
            factor[c] = east * over;
            h[c] = west > 0.0 ? (creep->from[c] + west * before) * over : creep->from[c] * over;
        }
    }
}

static double creep_back(const Creep *creep, size_t line, int lines)
{
    const uint8_t *kind = creep->rivers->kind;
    double *h = creep->h, *factor = creep->factor, left = 0.0;
    for (int k = creep->length - 2; k >= 0; k--) {
        for (int n = 0; n < lines; n++) {
            size_t c = line + (size_t)k * creep->along + (size_t)n * creep->across, next = c + creep->along;
            h[c] = factor[c] != 0.0 ? h[c] + factor[c] * h[next] : h[c];
            bool wall = kind[c] == RIVERS_WALL || kind[next] == RIVERS_WALL;
            int holds = rivers_holds(kind[next]) - rivers_holds(kind[c]);
            left += wall ? 0.0 : creep->r * holds * (h[c] - h[next]);
        }
    }
    return left;
}

static void creep_lines(void *context, int begin, int end)
{
    const Creep *creep = context;
    size_t line = (size_t)begin * creep->across;
    if (creep->r > 0.0 && is_open(creep, line, end - begin)) {
        creep_open(creep, line, end - begin);
        creep->left[begin / LINES] = 0.0;
        return;
    }
    creep_forward(creep, line, end - begin);
    creep->left[begin / LINES] = creep_back(creep, line, end - begin);
}

static double creep_one_way(Creep *creep, const double *from, double *to)
{
    double left = 0.0;
    creep->from = from;
    creep->h = to;
    find_open_factors(creep);
    silt_parallel(creep->count, LINES, creep_lines, creep);
    for (int k = 0; k * LINES < creep->count; k++)
        left += creep->left[k];
    return left;
}

static void mean_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        rivers->height[c] = 0.5 * (rivers->height[c] + rivers->crept[c]);
        double gain = rivers->height[c] - rivers->next[c];
        bool carried = rivers->kind[c] == RIVERS_VALLEY && gain > 0.0;
        rivers->height[c] = carried ? rivers->next[c] : rivers->height[c];
        rivers->crept[c] = carried ? gain : 0.0;
    }
}

double silt_rivers_creep(Rivers *rivers)
{
    const SiltDrainage *d = rivers->drainage;
    double r = rivers->params->diffusion * rivers->dt / (d->cell * d->cell), left = 0.0;
    r = r < furthest ? r : furthest;
    Creep rows = {.rivers = rivers,
                  .factor = rivers->lowest,
                  .along = 1,
                  .across = (size_t)d->width,
                  .length = d->width,
                  .count = d->height,
                  .r = r,
                  .left = rivers->line_left,
                  .open_factor = rivers->line_factor,
                  .open_over = rivers->line_over};
    Creep columns = rows;
    columns.along = (size_t)d->width;
    columns.across = 1;
    columns.length = d->height;
    columns.count = d->width;
    // the other order begins with the same heights, and its own lie in `crept`, free until what streams gain
    // is known
    double *height = rivers->height, *crept = rivers->crept;
    double columns_first = creep_one_way(&columns, height, crept);
    left += 0.5 * creep_one_way(&rows, height, height);
    left += 0.5 * creep_one_way(&columns, height, height);
    left += 0.5 * columns_first;
    left += 0.5 * creep_one_way(&rows, crept, crept);
    silt_parallel(d->height, 16, mean_rows, rivers);
    return left;
}
