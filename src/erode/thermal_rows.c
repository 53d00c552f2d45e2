// One row of a tile of `thermal`.
#include "core/simd.h"
#include "erode/thermal_tile.h"
#include "physics/thermal_cell.h"

enum { N = -STRIDE, S = STRIDE, W = -1, E = 1 };

// Weights that make the flow per metre of width nearly the same in all directions. With them and the rates in
// thermal.c all shares of a cell add up to one half: 4 (1 + 0.5) / 12 for eight neighbours, and for round
// heaps 4 (0.5 + 2 * 0.75) / 16, since a corner moves twice its rate between opposite cells.
#define DIAGONAL_OF_EIGHT 0.5f
#define STRAIGHT_OF_ROUND 0.5f
#define CORNER_OF_ROUND   0.75f

SILT_INLINE int32_t gain(const int32_t *ground, const int32_t *open, const float *rate, int i, int to,
                         int32_t talus, float weight, float same, Kind kind)
{
    return thermal_gain(ground[i], ground[i + to], kind.walls ? open[i + to] : -1, talus, weight,
                        kind.mobile ? rate[i] : same, kind.mobile ? rate[i + to] : same);
}

// What cell i gains across the corner at i + to, where it lies north (1) or south (-1), west or east of it.
SILT_INLINE int32_t gain_across(const int32_t *west, const int32_t *north, int i, int to, int is_west,
                                int is_north)
{
    return is_west * west[i + to] + is_north * north[i + to];
}

SILT_INLINE void slide(const int32_t *restrict ground, const int32_t *restrict open,
                       const float *restrict rate, const int32_t *restrict west,
                       const int32_t *restrict north, int32_t *restrict after, int32_t *restrict bed,
                       int32_t *restrict risen, int count, Slope slope, Kind kind)
{
    static const int diagonal[4] = {N + W, N + E, S + W, S + E}, straight[4] = {N, S, W, E};
    bool rotated = kind.neighbours == THERMAL_ROTATED, round = kind.neighbours == THERMAL_ROUND;
    for (int i = 0; i < count; i++) {
        int32_t sum = 0;
        for (int k = 0; !round && k < 4; k++)
            sum += gain(ground, open, rate, i, diagonal[k], slope.diagonal,
                        rotated ? 1.0f : DIAGONAL_OF_EIGHT, slope.rate, kind);
        for (int k = 0; !rotated && k < 4; k++)
            sum += gain(ground, open, rate, i, straight[k], slope.straight, round ? STRAIGHT_OF_ROUND : 1.0f,
                        slope.rate, kind);
        if (round)
            sum += gain_across(west, north, i, 0, 1, 1) + gain_across(west, north, i, W, -1, 1) +
                   gain_across(west, north, i, N, 1, -1) + gain_across(west, north, i, N + W, -1, -1);
        sum &= kind.walls ? open[i] : -1;
        int32_t height = ground[i] + sum, rock = bed[i];
        after[i] = height;
        bed[i] = height < rock ? height : rock;
        risen[i] += sum > 0 ? sum : 0;
    }
}

SILT_INLINE int32_t lost(int32_t gained)
{
    return gained < 0 ? -gained : 0;
}

SILT_INLINE int32_t loss(const int32_t *ground, const int32_t *open, int i, int to, int32_t talus,
                         float weight, float rate, Kind kind)
{
    return lost(
        thermal_gain(ground[i], ground[i + to], kind.walls ? open[i + to] : -1, talus, weight, rate, rate));
}

SILT_INLINE void find_rates(const int32_t *restrict ground, const int32_t *restrict open,
                            const int32_t *restrict west, const int32_t *restrict north,
                            const int32_t *restrict bed, const float *restrict erodibility,
                            float *restrict rate, int count, Slope slope, Kind kind)
{
    static const int diagonal[4] = {N + W, N + E, S + W, S + E}, straight[4] = {N, S, W, E};
    bool rotated = kind.neighbours == THERMAL_ROTATED, round = kind.neighbours == THERMAL_ROUND;
    for (int i = 0; i < count; i++) {
        int32_t wanted = 0;
        for (int k = 0; !round && k < 4; k++)
            wanted += loss(ground, open, i, diagonal[k], slope.diagonal, rotated ? 1.0f : DIAGONAL_OF_EIGHT,
                           slope.rate, kind);
        for (int k = 0; !rotated && k < 4; k++)
            wanted += loss(ground, open, i, straight[k], slope.straight, round ? STRAIGHT_OF_ROUND : 1.0f,
                           slope.rate, kind);
        if (round)
            wanted += lost(gain_across(west, north, i, 0, 1, 1)) +
                      lost(gain_across(west, north, i, W, -1, 1)) +
                      lost(gain_across(west, north, i, N, 1, -1)) +
                      lost(gain_across(west, north, i, N + W, -1, -1));
        float full = slope.rate * thermal_height_factor(ground[i], slope.height_factor);
        rate[i] = thermal_rate(wanted, ground[i] - bed[i], erodibility[i], full);
    }
}

SILT_INLINE void find_corners(const int32_t *restrict ground, const int32_t *restrict open,
                              int32_t *restrict west, int32_t *restrict north, int count, Slope slope,
                              bool walls)
{
    float talus = 2.0f * (float)slope.straight, rate = CORNER_OF_ROUND * slope.rate;
    for (int i = 0; i < count; i++) {
        ThermalCorner corner =
            thermal_corner(ground[i], ground[i + E], ground[i + S], ground[i + S + E], talus, rate);
        int32_t all_open = walls ? open[i] & open[i + E] & open[i + S] & open[i + S + E] : -1;
        west[i] = corner.west & all_open;
        north[i] = corner.north & all_open;
    }
}

SILT_CLONES void thermal_corner_row(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind)
{
    if (kind.walls)
        find_corners(t->ground[now] + at, t->open + at, t->west + at, t->north + at, count, slope, true);
    else
        find_corners(t->ground[now] + at, t->open + at, t->west + at, t->north + at, count, slope, false);
}

SILT_INLINE float least(float so_far, float rate, int32_t gained)
{
    return gained < 0 && rate < so_far ? rate : so_far;
}

SILT_INLINE void hold(const float *restrict rate, int32_t *restrict west, int32_t *restrict north, int count,
                      float full)
{
    float part = 1.0f / full;
    for (int i = 0; i < count; i++) {
        int32_t w = west[i], n = north[i];
        float slowest = least(least(full, rate[i], w + n), rate[i + E], n - w);
        slowest = least(least(slowest, rate[i + S], w - n), rate[i + S + E], -w - n);
        west[i] = (int32_t)((float)w * (slowest * part));
        north[i] = (int32_t)((float)n * (slowest * part));
    }
}

// A corner gives as much as the slowest of the cells that would lose by it.
SILT_CLONES void thermal_hold_row(ThermalTile *t, size_t at, int count, Slope slope)
{
    hold(t->rate + at, t->west + at, t->north + at, count, slope.rate);
}

// Written once, compiled for each kind and each width of the vectors.
SILT_INLINE void slide_kind(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind)
{
    slide(t->ground[now] + at, t->open + at, t->rate + at, t->west + at, t->north + at,
          t->ground[1 - now] + at, t->bed + at, t->risen + at, count, slope, kind);
}

SILT_INLINE void slide_with(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind,
                            int neighbours)
{
    if (kind.walls && kind.mobile)
        slide_kind(t, now, at, count, slope, (Kind){true, true, neighbours});
    else if (kind.walls)
        slide_kind(t, now, at, count, slope, (Kind){true, false, neighbours});
    else if (kind.mobile)
        slide_kind(t, now, at, count, slope, (Kind){false, true, neighbours});
    else
        slide_kind(t, now, at, count, slope, (Kind){false, false, neighbours});
}

SILT_CLONES void thermal_slide_row(ThermalTile *t, int now, size_t at, int count, Slope slope, Kind kind)
{
    if (kind.neighbours == THERMAL_ROUND)
        slide_with(t, now, at, count, slope, kind, THERMAL_ROUND);
    else if (kind.neighbours == THERMAL_EIGHT)
        slide_with(t, now, at, count, slope, kind, THERMAL_EIGHT);
    else
        slide_with(t, now, at, count, slope, kind, THERMAL_ROTATED);
}

SILT_INLINE void rates_with(ThermalTile *t, int now, size_t at, int count, const float *erodibility,
                            Slope slope, bool walls, int neighbours)
{
    if (walls)
        find_rates(t->ground[now] + at, t->open + at, t->west + at, t->north + at, t->bed + at, erodibility,
                   t->rate + at, count, slope, (Kind){true, true, neighbours});
    else
        find_rates(t->ground[now] + at, t->open + at, t->west + at, t->north + at, t->bed + at, erodibility,
                   t->rate + at, count, slope, (Kind){false, true, neighbours});
}

SILT_CLONES void thermal_rate_row(ThermalTile *t, int now, size_t at, int count, const float *erodibility,
                                  Slope slope, Kind kind)
{
    if (kind.neighbours == THERMAL_ROUND)
        rates_with(t, now, at, count, erodibility, slope, kind.walls, THERMAL_ROUND);
    else if (kind.neighbours == THERMAL_EIGHT)
        rates_with(t, now, at, count, erodibility, slope, kind.walls, THERMAL_EIGHT);
    else
        rates_with(t, now, at, count, erodibility, slope, kind.walls, THERMAL_ROTATED);
}
