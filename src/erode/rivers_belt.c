// Valley floors. A river wanders over a belt some widths of its channel wide (width ~ catchment^0.4, whatever
// the cell), now on one side and now on the other, and takes its floor with it:
//  - where it cuts down, the floor that it visits comes down by as much: dh = share (drop of the river).
//  Where
//    it has just left, the floor stays behind as a terrace;
//  - where ground within the belt stands H above the river it is a bank, which moves back by V dt, V =
//  lateral
//    / (1 + H / RIVERS_BANK), and only from the side of the river;
//  - what lies in humps and hollows on the floor is spread: heights of a belt diffuse by lateral times its
//    width (rivers_creep.c).
// H is that before the river cuts in this step, so that a floor stays a floor however long a step is.
//
// Which river a cell belongs to is found by laying a disc on each cell of a river, in bands of rows; the one
// counts that the cell lies deepest in.
#include <math.h>

#include "core/parallel.h"
#include "core/streams.h"
#include "erode/rivers.h"
#include "physics/elementary.h"
#include "physics/noise.h"
#include "physics/power.h"
#include "physics/random.h"
#include "terrain/order.h"

enum { BAND = 64 }; // rows in one go

static const double belt_widths = 8.0;   // of the channel, on either side of it
static const double least_fall = 0x1p-9; // m from cell to cell
static const double bend = 8.0;          // halves of a belt from bend to bend
static const double turns = 600.0;       // m that a river moves while it goes to and fro once

float silt_rivers_belt(const Rivers *rivers, double area)
{
    double width = rivers->params->channel_width;
    return width > 0.0 ? (float)(belt_widths * width * silt_power(area * 1e-6, 0.4)) : 0.0f;
}

// ---- which river a cell belongs to ----

typedef struct Belts {
    Rivers *rivers;
    SiltRandom word[2];
    double widest;      // cells
    float sine, cosine; // of where rivers are on their way to and fro
} Belts;

// The middle of the belt of river cell c, in cells: beside it, by a wave along the river that comes and goes.
static void find_middle(const Belts *belts, int32_t c, double half, double *x, double *y)
{
    const SiltDrainage *d = belts->rivers->drainage;
    int32_t to = c;
    for (int k = 0; k < 4; k++)
        to = d->receiver[to];
    double i = c % d->width, j = c / d->width; // NOLINT: whole cells
    double u = to % d->width - i, v = to / d->width - j, length = sqrt(u * u + v * v);
    *x = i;
    *y = j;
    if (!(length > 0.0))
        return;
    const silt_u32 *a = belts->word[0].word, *b = belts->word[1].word;
    float over = (float)(1.0 / (bend * half)), fx = (float)i * over, fy = (float)j * over;
    float wave = belts->cosine * silt_noise(a[0], a[1], fx, fy, a[2]) +
                 belts->sine * silt_noise(b[0], b[1], fx, fy, b[2]);
    double aside =
        belts->rivers->params->wander * half * (double)silt_clampf(2.0f * wave, -1.0f, 1.0f) / length;
    *x -= v * aside;
    *y += u * aside;
}

// Of two cells of rivers at the same distance: whether the first has more water, or is the lower one.
static bool comes_first(const Rivers *rivers, int32_t a, int32_t b)
{
    int64_t more = (int64_t)rivers->drainage->area[a] - (int64_t)rivers->drainage->area[b];
    return more > 0 || (more == 0 && rivers->height[a] < rivers->height[b]);
}

// A disc on river cell c, in rows from begin to end: how deep each cell lies in it, in cells, and whose it
// is.
static void lay_disc(const Belts *belts, int32_t c, int begin, int end)
{
    Rivers *rivers = belts->rivers;
    const SiltDrainage *d = rivers->drainage;
    double half = (double)rivers->belt[c] / d->cell, x, y;
    half = half < belts->widest ? half : belts->widest;
    find_middle(belts, c, half, &x, &y);
    double reach = half + 0.5;
    int top = (int)ceil(y - reach), bottom = (int)floor(y + reach);
    int left = (int)ceil(x - reach), right = (int)floor(x + reach);
    for (int j = top > begin ? top : begin; j <= bottom && j < end; j++)
        for (int i = left > 0 ? left : 0; i <= right && i < d->width; i++) {
            size_t at = (size_t)j * (size_t)d->width + (size_t)i;
            float within = (float)(reach - sqrt((i - x) * (i - x) + (j - y) * (j - y)));
            bool same = within == rivers->floor[at] && rivers->river[at] >= 0;
            if (within > rivers->floor[at] || (same && comes_first(rivers, c, rivers->river[at]))) {
                rivers->floor[at] = within;
                rivers->river[at] = c;
            }
        }
}

// `floor` becomes the width of the belt times the share of the cell that lies in it.
static void settle_band(Rivers *rivers, int begin, int end)
{
    size_t width = (size_t)rivers->drainage->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        float within = rivers->floor[c], share = within < 1.0f ? within : 1.0f;
        bool wall = rivers->kind[c] == RIVERS_WALL || silt_rivers_protects(rivers, c);
        rivers->floor[c] = rivers->river[c] >= 0 && !wall ? share * rivers->belt[rivers->river[c]] : 0.0f;
    }
}

static void lay_bands(void *context, int first, int last)
{
    const Belts *belts = context;
    Rivers *rivers = belts->rivers;
    const SiltDrainage *d = rivers->drainage;
    int begin = first * BAND, end = last * BAND < d->height ? last * BAND : d->height;
    size_t width = (size_t)d->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++) {
        rivers->floor[c] = 0.0f;
        rivers->river[c] = -1;
    }
    int far = (int)((1.0 + rivers->params->wander) * belts->widest) + 2;
    for (int j = begin > far ? begin - far : 0; j < end + far && j < d->height; j++)
        for (int32_t c = j * d->width; c < (j + 1) * d->width; c++)
            if (rivers->belt[c] > 0.0f && d->receiver[c] >= 0)
                lay_disc(belts, c, begin, end);
    settle_band(rivers, begin, end);
}

void silt_rivers_lay_belts(Rivers *rivers)
{
    const SiltDrainage *d = rivers->drainage;
    Belts belts = {.rivers = rivers};
    double whole = (double)d->width * (double)d->height * d->cell * d->cell;
    double phase = 6.283185307179586 * rivers->params->lateral * (rivers->began + rivers->time) / turns;
    belts.widest = (double)silt_rivers_belt(rivers, whole) / d->cell;
    belts.sine = (float)silt_sin(phase);
    belts.cosine = (float)silt_cos(phase);
    for (int k = 0; k < 2; k++)
        belts.word[k] = silt_random(rivers->seed, SILT_STREAM_SLOPES, 16 + (uint64_t)k, 0);
    silt_parallel((d->height + BAND - 1) / BAND, 1, lay_bands, &belts);
}

// ---- floors come down with their rivers ----

// How far a bank that stands so much above its river moves in this step, in cells, one at the most.
static double moved(const Rivers *rivers, double above)
{
    double speed = rivers->params->lateral / (1.0 + (above > 0.0 ? above : 0.0) / RIVERS_BANK);
    double cells = speed * rivers->dt / rivers->drainage->cell;
    return cells < 1.0 ? cells : 1.0;
}

// The neighbour of c towards its river.
static int32_t towards(const SiltDrainage *d, int32_t c, int32_t river)
{
    int u = river % d->width - c % d->width, v = river / d->width - c / d->width;
    int most = (u < 0 ? -u : u) > (v < 0 ? -v : v) ? (u < 0 ? -u : u) : (v < 0 ? -v : v);
    int i = c % d->width + (2 * u + (u < 0 ? -most : most)) / (2 * most);
    int j = c / d->width + (2 * v + (v < 0 ? -most : most)) / (2 * most);
    return j * d->width + i;
}

static double planed(const Rivers *rivers, int32_t c, int32_t river)
{
    const SiltDrainage *d = rivers->drainage;
    double own = rivers->height[c], bed = rivers->height[river];
    double drop = bed - rivers->lowest[c], above = own - bed;
    double share = (double)(rivers->floor[c] / rivers->belt[river]);
    int32_t beside = towards(d, c, river);
    double goes = moved(rivers, above);
    if (beside != river)
        goes *= moved(rivers, rivers->height[beside] - bed);
    double whole = share > 0.5 ? 2.0 * share - 1.0 : 0.0;
    double lower = share * (drop > 0.0 ? drop : 0.0) + whole * (above > 0.0 ? above : 0.0);
    double to = own - goes * lower;
    return to > rivers->lowest[c] ? to : own < rivers->lowest[c] ? own : rivers->lowest[c];
}

static void plane_up(void *context, int32_t begin, int32_t end)
{
    Rivers *rivers = context;
    const SiltDrainage *d = rivers->drainage;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = d->order[k], river = rivers->river[c], to = d->receiver[c];
        if (!silt_rivers_is_land(rivers->kind[c]) || river < 0 || river == c)
            continue; // a tributary comes down with the floor of its river too
        double least = rivers->next[to] > rivers->level[to] ? rivers->next[to] : rivers->level[to];
        double floor = planed(rivers, c, river);
        floor = floor > least + least_fall ? floor : least + least_fall;
        rivers->next[c] = floor < rivers->next[c] ? floor : rivers->next[c];
    }
}

// What the river of each cell has cut down to, before any floor moves, into `lowest`, which is free here.
static void cut_rows(void *context, int begin, int end)
{
    Rivers *rivers = context;
    size_t width = (size_t)rivers->drainage->width;
    for (size_t c = (size_t)begin * width; c < (size_t)end * width; c++)
        rivers->lowest[c] = rivers->river[c] >= 0 ? rivers->next[rivers->river[c]] : 0.0;
}

bool silt_rivers_plane(Rivers *rivers)
{
    silt_parallel(rivers->drainage->height, 16, cut_rows, rivers);
    return silt_order_up_heard(rivers->drainage, plane_up, rivers);
}
