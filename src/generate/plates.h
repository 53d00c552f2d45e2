// Plates that float in a box whose walls push (Fritz 2016, 3.6): the sheet they are cut from, and their
// mechanics, apart from the terrain they raise.
//
// The world has units of its own: the longer side of the map is SILT_PLATE_WORLD long, a step takes
// SILT_PLATE_STEP, and a plate's mass is its area. y runs south, as rows do.
#ifndef SILT_GENERATE_PLATES_H
#define SILT_GENERATE_PLATES_H

#include "silt/base.h"

#define SILT_PLATE_WORLD 100.0
#define SILT_PLATE_STEP  (1.0 / 60.0)

enum { SILT_PLATE_CORNERS = 32, SILT_MAX_PLATES = 500 };

typedef struct SiltPlate {
    int count;
    double x[SILT_PLATE_CORNERS], y[SILT_PLATE_CORNERS]; // corners, in turn
} SiltPlate;

double silt_plate_area(const SiltPlate *plate);
void silt_plate_centre(const SiltPlate *plate, double *x, double *y);

// Cuts a sheet of width x height into `count` convex plates: the largest is cut again and again, by the best
// of a few random lines through its middle.
void silt_plates_cut(double width, double height, int count, uint64_t seed, SiltPlate *plates);

typedef struct SiltPlateSetup {
    int count;
    double width, height; // of the box
    double gap;           // plates are this fraction smaller than the pieces of the sheet
    double drift;         // speed of plates at the start
    double push;          // speed of the walls
    double elasticity;    // of collisions, 0 to 1
    double turning;       // how freely plates turn: 1 as rigid bodies do, 0 not at all
    uint64_t seed;
} SiltPlateSetup;

typedef struct SiltCollision {
    int a, b;              // plates, a < b
    double x0, y0, x1, y1; // the two contact points; plate a lies to the left of the way between them
} SiltCollision;

typedef struct SiltPlateWorld SiltPlateWorld;

SiltStatus silt_plate_world_create(const SiltPlateSetup *setup, SiltPlateWorld **out);
void silt_plate_world_destroy(SiltPlateWorld *world);

// One fixed step. `collisions` then holds what collided in it, in the order of the plates: each pair whose
// contact has exactly two points for the first time since the two last came apart.
void silt_plate_world_step(SiltPlateWorld *world);
int silt_plate_world_collisions(const SiltPlateWorld *world, const SiltCollision **collisions);

// A plate where it is now.
void silt_plate_world_outline(const SiltPlateWorld *world, int plate, SiltPlate *out);
// The sum over plates of mass times velocity, and what the walls have given them since the start.
void silt_plate_world_momentum(const SiltPlateWorld *world, double momentum[2]);
void silt_plate_world_impulse(const SiltPlateWorld *world, double impulse[2]);
// The inner faces of the walls: west, north, east, south.
void silt_plate_world_box(const SiltPlateWorld *world, double box[4]);

#endif
