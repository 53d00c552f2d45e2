// The mechanics, by Chipmunk: one thread, fixed steps, fixed order. Chipmunk computes in double and takes
// sine and cosine from the C library, so worlds are the same on every run of one machine.
#include "generate/plates.h"

#include "core/status.h"

#ifndef SILT_HAS_CHIPMUNK

SiltStatus silt_plate_world_create(const SiltPlateSetup *setup, SiltPlateWorld **out)
{
    (void)setup;
    *out = NULL;
    return silt_fail(
        SILT_MISSING_FEATURE,
        "plates: this build lacks Chipmunk, which moves them (install libchipmunk-dev and build again)");
}

void silt_plate_world_destroy(SiltPlateWorld *world)
{
    (void)world;
}

void silt_plate_world_step(SiltPlateWorld *world)
{
    (void)world;
}

int silt_plate_world_collisions(const SiltPlateWorld *world, const SiltCollision **collisions)
{
    (void)world;
    *collisions = NULL;
    return 0;
}

void silt_plate_world_outline(const SiltPlateWorld *world, int plate, SiltPlate *out)
{
    (void)world;
    (void)plate;
    *out = (SiltPlate){0};
}

void silt_plate_world_momentum(const SiltPlateWorld *world, double momentum[2])
{
    (void)world;
    momentum[0] = momentum[1] = 0.0;
}

void silt_plate_world_impulse(const SiltPlateWorld *world, double impulse[2])
{
    (void)world;
    impulse[0] = impulse[1] = 0.0;
}

void silt_plate_world_box(const SiltPlateWorld *world, double box[4])
{
    (void)world;
    box[0] = box[1] = box[2] = box[3] = 0.0;
}

#else

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/streams.h"
#include "physics/random.h"

enum { WALL = 1, PLATE = 2 }; // Chipmunk's collision types
enum { WALL_DRAW = 0x7FFFFF40, DRIFT_DRAW, ITERATIONS = 20 };

struct SiltPlateWorld {
    SiltPlateSetup setup;
    cpSpace *space;
    cpBody *walls[4]; // west, north, east, south
    cpShape *wall_shapes[4];
    cpBody **bodies;
    cpShape **shapes;
    SiltPlate *outlines; // about the plates' own middles
    uint8_t *raised;     // count x count: whether this contact has been counted
    SiltCollision *collisions;
    int collision_count;
    double impulse[2]; // from the walls
    int step;
    int half_period; // steps a wall moves one way
    int delay[4];
    FILE *quiet; // where Chipmunk's remarks go
};

static const double inward[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};

static int plate_of(const cpShape *shape)
{
    return (int)(intptr_t)cpShapeGetUserData(shape);
}

static uint8_t *raised_at(SiltPlateWorld *world, int a, int b)
{
    return &world->raised[(a < b ? a : b) * world->setup.count + (a < b ? b : a)];
}

static void on_plates(cpArbiter *arbiter, cpSpace *space, cpDataPointer user)
{
    (void)space;
    SiltPlateWorld *world = user;
    CP_ARBITER_GET_SHAPES(arbiter, first, second);
    int a = plate_of(first), b = plate_of(second);
    if (cpArbiterGetCount(arbiter) != 2 || *raised_at(world, a, b))
        return;
    *raised_at(world, a, b) = 1;
    SiltCollision c = {.a = a < b ? a : b, .b = a < b ? b : a};
    cpVect p = cpvlerp(cpArbiterGetPointA(arbiter, 0), cpArbiterGetPointB(arbiter, 0), 0.5);
    cpVect q = cpvlerp(cpArbiterGetPointA(arbiter, 1), cpArbiterGetPointB(arbiter, 1), 0.5);
    cpVect middle = cpBodyGetPosition(world->bodies[c.a]);
    bool a_is_left = cpvcross(cpvsub(q, p), cpvsub(middle, p)) > 0.0;
    c.x0 = a_is_left ? p.x : q.x;
    c.y0 = a_is_left ? p.y : q.y;
    c.x1 = a_is_left ? q.x : p.x;
    c.y1 = a_is_left ? q.y : p.y;
    world->collisions[world->collision_count++] = c;
}

static void on_apart(cpArbiter *arbiter, cpSpace *space, cpDataPointer user)
{
    (void)space;
    SiltPlateWorld *world = user;
    CP_ARBITER_GET_SHAPES(arbiter, first, second);
    *raised_at(world, plate_of(first), plate_of(second)) = 0;
}

static void on_wall(cpArbiter *arbiter, cpSpace *space, cpDataPointer user)
{
    (void)space;
    SiltPlateWorld *world = user;
    cpVect impulse = cpArbiterTotalImpulse(arbiter); // on the wall, which is the first of the two
    world->impulse[0] -= impulse.x;
    world->impulse[1] -= impulse.y;
}

static void add_walls(SiltPlateWorld *world)
{
    double w = world->setup.width, h = world->setup.height, thick = SILT_PLATE_WORLD;
    const cpBB boxes[4] = {{-thick, -thick, 0.0, h + thick},
                           {-thick, -thick, w + thick, 0.0},
                           {w, -thick, w + thick, h + thick},
                           {-thick, h, w + thick, h + thick}};
    for (int k = 0; k < 4; k++) {
        world->walls[k] = cpSpaceAddBody(world->space, cpBodyNewKinematic());
        cpShape *shape = cpSpaceAddShape(world->space, cpBoxShapeNew2(world->walls[k], boxes[k], 0.0));
        world->wall_shapes[k] = shape;
        cpShapeSetElasticity(shape, 1.0); // the product of both counts
        cpShapeSetFriction(shape, 0.5);
        cpShapeSetCollisionType(shape, WALL);
        SiltRandom random = silt_random(world->setup.seed, SILT_STREAM_PLATES, (uint64_t)k, WALL_DRAW);
        world->delay[k] = (int)(silt_uniform(random.word[0]) * (float)world->half_period);
    }
}

static void add_plate(SiltPlateWorld *world, int k, const SiltPlate *piece)
{
    cpVect corners[SILT_PLATE_CORNERS];
    double x, y, scale = 1.0 - world->setup.gap;
    silt_plate_centre(piece, &x, &y);
    SiltPlate *outline = &world->outlines[k];
    outline->count = piece->count;
    for (int c = 0; c < piece->count; c++) {
        outline->x[c] = scale * (piece->x[c] - x);
        outline->y[c] = scale * (piece->y[c] - y);
        corners[c] = cpv(outline->x[c], outline->y[c]);
    }
    double mass = silt_plate_area(outline);
    double moment = cpMomentForPoly(mass, piece->count, corners, cpvzero, 0.0);
    cpBody *body = cpBodyNew(mass, world->setup.turning > 0.0 ? moment / world->setup.turning : INFINITY);
    world->bodies[k] = cpSpaceAddBody(world->space, body);
    cpBodySetPosition(body, cpv(x, y));
    SiltRandom random = silt_random(world->setup.seed, SILT_STREAM_PLATES, (uint64_t)k, DRIFT_DRAW);
    cpBodySetVelocity(
        body, cpvmult(cpv((double)silt_symmetric(random.word[0]), (double)silt_symmetric(random.word[1])),
                      world->setup.drift));
    cpShape *shape = cpPolyShapeNew(body, piece->count, corners, cpTransformIdentity, 0.0);
    world->shapes[k] = cpSpaceAddShape(world->space, shape);
    cpShapeSetElasticity(shape, world->setup.elasticity);
    cpShapeSetFriction(shape, 0.5);
    cpShapeSetCollisionType(shape, PLATE);
    cpShapeSetUserData(shape, (cpDataPointer)(intptr_t)k);
}

static SiltStatus allocate(SiltPlateWorld *world)
{
    size_t n = (size_t)world->setup.count;
    SiltStatus status = silt_alloc_for("plates", n, sizeof *world->bodies, (void **)&world->bodies);
    if (status == SILT_OK)
        status = silt_alloc_for("plates", n, sizeof *world->shapes, (void **)&world->shapes);
    if (status == SILT_OK)
        status = silt_alloc_for("plates", n, sizeof *world->outlines, (void **)&world->outlines);
    if (status == SILT_OK)
        status = silt_alloc_for("plates", n * n, 1, (void **)&world->raised);
    if (status == SILT_OK)
        status = silt_alloc_for("plates", n * n, sizeof *world->collisions, (void **)&world->collisions);
    return status;
}

// Debian's Chipmunk is a debug build: it greets on standard output, and remarks on plates that lie exactly
// edge to edge on standard error. A library must not print, so both are turned away while Chipmunk works.
typedef struct Hush {
    FILE *out, *err;
} Hush;

static Hush hush(FILE *quiet)
{
    Hush before = {stdout, stderr};
#ifdef __GLIBC__
    if (quiet)
        stdout = stderr = quiet;
#else
    (void)quiet;
#endif
    return before;
}

static void unhush(Hush before)
{
#ifdef __GLIBC__
    stdout = before.out;
    stderr = before.err;
#else
    (void)before;
#endif
}

static void open_space(SiltPlateWorld *world)
{
    world->quiet = fopen("/dev/null", "w");
    Hush before = hush(world->quiet);
    world->space = cpSpaceNew();
    unhush(before);
    cpSpaceSetIterations(world->space, ITERATIONS);
    cpSpaceSetCollisionSlop(world->space, 1e-3 * SILT_PLATE_WORLD);
    // a contact that ended is forgotten at once: one remembered would count impulses of its former life
    cpSpaceSetCollisionPersistence(world->space, 1);
    cpCollisionHandler *plates = cpSpaceAddCollisionHandler(world->space, PLATE, PLATE);
    plates->postSolveFunc = on_plates;
    plates->separateFunc = on_apart;
    plates->userData = world;
    cpCollisionHandler *walls = cpSpaceAddCollisionHandler(world->space, WALL, PLATE);
    walls->postSolveFunc = on_wall;
    walls->userData = world;
}

SiltStatus silt_plate_world_create(const SiltPlateSetup *setup, SiltPlateWorld **out)
{
    *out = NULL;
    void *block, *pieces = NULL;
    SiltStatus status = silt_alloc_for("plates", 1, sizeof(SiltPlateWorld), &block);
    if (status != SILT_OK)
        return status;
    SiltPlateWorld *world = block;
    world->setup = *setup;
    status = allocate(world);
    if (status == SILT_OK)
        status = silt_alloc_for("plates", (size_t)setup->count, sizeof(SiltPlate), &pieces);
    if (status != SILT_OK) {
        silt_plate_world_destroy(world);
        return status;
    }
    // a wall goes in by a quarter of the room between plates, so that they are never squeezed flat
    double side = setup->width < setup->height ? setup->width : setup->height;
    double steps = setup->push > 0.0 ? 0.25 * setup->gap * side / (setup->push * SILT_PLATE_STEP) : 0.0;
    world->half_period = steps < 1.0 ? 1 : steps < 1e6 ? (int)steps : 1000000;
    silt_plates_cut(setup->width, setup->height, setup->count, setup->seed, pieces);
    open_space(world);
    add_walls(world);
    for (int k = 0; k < setup->count; k++)
        add_plate(world, k, (const SiltPlate *)pieces + k);
    silt_free(pieces);
    *out = world;
    return SILT_OK;
}

void silt_plate_world_destroy(SiltPlateWorld *world)
{
    if (!world)
        return;
    if (world->space) { // the space first: closing it still looks at bodies
        cpSpaceFree(world->space);
        for (int k = 0; k < 4; k++) {
            cpShapeFree(world->wall_shapes[k]);
            cpBodyFree(world->walls[k]);
        }
        for (int k = 0; k < world->setup.count; k++) {
            cpShapeFree(world->shapes[k]);
            cpBodyFree(world->bodies[k]);
        }
    }
    if (world->quiet)
        fclose(world->quiet);
    silt_free(world->bodies);
    silt_free(world->shapes);
    silt_free(world->outlines);
    silt_free(world->raised);
    silt_free(world->collisions);
    silt_free(world);
}

static int by_plates(const void *left, const void *right)
{
    const SiltCollision *one = left, *two = right;
    return one->a != two->a ? (one->a > two->a) - (one->a < two->a) : (one->b > two->b) - (one->b < two->b);
}

void silt_plate_world_step(SiltPlateWorld *world)
{
    world->collision_count = 0;
    for (int k = 0; k < 4; k++) { // in for half a period, out for the other
        int local = world->step - world->delay[k];
        double way = local < 0 ? 0.0 : (local / world->half_period) % 2 == 0 ? 1.0 : -1.0;
        cpBodySetVelocity(world->walls[k], cpvmult(cpv(inward[k][0], inward[k][1]), way * world->setup.push));
    }
    Hush before = hush(world->quiet);
    cpSpaceStep(world->space, SILT_PLATE_STEP);
    unhush(before);
    world->step++;
    qsort(world->collisions, (size_t)world->collision_count, sizeof *world->collisions, by_plates);
}

int silt_plate_world_collisions(const SiltPlateWorld *world, const SiltCollision **collisions)
{
    *collisions = world->collisions;
    return world->collision_count;
}

void silt_plate_world_outline(const SiltPlateWorld *world, int plate, SiltPlate *out)
{
    const SiltPlate *outline = &world->outlines[plate];
    out->count = outline->count;
    for (int c = 0; c < outline->count; c++) {
        cpVect corner = cpBodyLocalToWorld(world->bodies[plate], cpv(outline->x[c], outline->y[c]));
        out->x[c] = corner.x;
        out->y[c] = corner.y;
    }
}

void silt_plate_world_momentum(const SiltPlateWorld *world, double momentum[2])
{
    momentum[0] = momentum[1] = 0.0;
    for (int k = 0; k < world->setup.count; k++) {
        cpVect velocity = cpBodyGetVelocity(world->bodies[k]);
        momentum[0] += cpBodyGetMass(world->bodies[k]) * velocity.x;
        momentum[1] += cpBodyGetMass(world->bodies[k]) * velocity.y;
    }
}

void silt_plate_world_impulse(const SiltPlateWorld *world, double impulse[2])
{
    impulse[0] = world->impulse[0];
    impulse[1] = world->impulse[1];
}

void silt_plate_world_box(const SiltPlateWorld *world, double box[4])
{
    box[0] = cpBodyGetPosition(world->walls[0]).x;
    box[1] = cpBodyGetPosition(world->walls[1]).y;
    box[2] = world->setup.width + cpBodyGetPosition(world->walls[2]).x;
    box[3] = world->setup.height + cpBodyGetPosition(world->walls[3]).y;
}

#endif
