#include <math.h>

#include "core/streams.h"
#include "generate/plates.h"
#include "physics/random.h"

enum { TRIES = 8 };

double silt_plate_area(const SiltPlate *plate)
{
    double area = 0.0;
    for (int k = 0; k < plate->count; k++) {
        int next = k + 1 < plate->count ? k + 1 : 0;
        area += 0.5 * (plate->x[k] * plate->y[next] - plate->y[k] * plate->x[next]);
    }
    return area < 0.0 ? -area : area;
}

void silt_plate_centre(const SiltPlate *plate, double *x, double *y)
{
    double area = 0.0, sx = 0.0, sy = 0.0;
    for (int k = 0; k < plate->count; k++) {
        int next = k + 1 < plate->count ? k + 1 : 0;
        double twice = plate->x[k] * plate->y[next] - plate->y[k] * plate->x[next];
        area += 3.0 * twice;
        sx += twice * (plate->x[k] + plate->x[next]);
        sy += twice * (plate->y[k] + plate->y[next]);
    }
    *x = sx / area;
    *y = sy / area;
}

// Area over squared outline: larger for rounder plates.
static double roundness(const SiltPlate *plate)
{
    double around = 0.0;
    for (int k = 0; k < plate->count; k++) {
        int next = k + 1 < plate->count ? k + 1 : 0;
        double dx = plate->x[next] - plate->x[k], dy = plate->y[next] - plate->y[k];
        around += sqrt(dx * dx + dy * dy);
    }
    return silt_plate_area(plate) / (around * around);
}

typedef struct Cut {
    double x, y, dx, dy; // through a point, along a direction
} Cut;

static bool add_corner(SiltPlate *plate, double x, double y)
{
    if (plate->count == SILT_PLATE_CORNERS)
        return false;
    plate->x[plate->count] = x;
    plate->y[plate->count++] = y;
    return true;
}

// False when the line misses the plate, passes through a corner, or leaves pieces with too many corners.
static bool split(const SiltPlate *plate, Cut cut, SiltPlate pieces[2])
{
    pieces[0].count = pieces[1].count = 0;
    bool fits = true;
    int crossings = 0;
    for (int k = 0; k < plate->count && fits; k++) {
        int next = k + 1 < plate->count ? k + 1 : 0;
        double here = cut.dx * (plate->y[k] - cut.y) - cut.dy * (plate->x[k] - cut.x);
        double there = cut.dx * (plate->y[next] - cut.y) - cut.dy * (plate->x[next] - cut.x);
        fits = here != 0.0 && add_corner(&pieces[here > 0.0], plate->x[k], plate->y[k]);
        if (fits && (here > 0.0) != (there > 0.0)) {
            double t = here / (here - there);
            double x = plate->x[k] + t * (plate->x[next] - plate->x[k]);
            double y = plate->y[k] + t * (plate->y[next] - plate->y[k]);
            fits = add_corner(&pieces[0], x, y) && add_corner(&pieces[1], x, y);
            crossings++;
        }
    }
    return fits && crossings == 2;
}

static Cut draw_cut(const SiltPlate *plate, uint64_t seed, uint64_t index, uint32_t attempt)
{
    Cut cut = {0};
    silt_plate_centre(plate, &cut.x, &cut.y);
    SiltRandom random = silt_random(seed, SILT_STREAM_PLATES, index, 0x7FFFFF20u + attempt);
    double size = 0.15 * sqrt(silt_plate_area(plate));
    cut.x += size * (double)silt_symmetric(random.word[0]);
    cut.y += size * (double)silt_symmetric(random.word[1]);
    cut.dx = (double)silt_symmetric(random.word[2]);
    cut.dy = (double)silt_symmetric(random.word[3]);
    return cut;
}

void silt_plates_cut(double width, double height, int count, uint64_t seed, SiltPlate *plates)
{
    plates[0] = (SiltPlate){.count = 4, .x = {0.0, width, width, 0.0}, .y = {0.0, 0.0, height, height}};
    for (int made = 1; made < count;) {
        int largest = 0;
        for (int k = 1; k < made; k++)
            if (silt_plate_area(&plates[k]) > silt_plate_area(&plates[largest]))
                largest = k;
        SiltPlate best[2] = {{0}, {0}};
        double best_roundness = -1.0;
        for (uint32_t attempt = 0; best_roundness < 0.0 || attempt < TRIES; attempt++) {
            SiltPlate pieces[2];
            if (!split(&plates[largest], draw_cut(&plates[largest], seed, (uint64_t)made, attempt), pieces))
                continue;
            double one = roundness(&pieces[0]), two = roundness(&pieces[1]), worse = one < two ? one : two;
            if (worse > best_roundness) {
                best_roundness = worse;
                best[0] = pieces[0];
                best[1] = pieces[1];
            }
        }
        plates[largest] = best[0];
        plates[made++] = best[1];
    }
}
