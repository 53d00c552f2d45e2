// silt/volume.h — rock as a level set on a sparse grid: caves, arches and overhangs (Weiss 2016, 3.1).
//
// A voxel (i, j, k) lies i voxels east, j north and k up of the first one. phi is the distance to the surface
// in voxels: positive within rock, negative in the air, and no further from zero than `band`. The outward
// normal is -grad phi. The grid is cut into bricks; bricks that the band does not reach are uniform and share
// one of two bricks, so that a look-up never asks whether there is one. Places are given in voxels unless
// said otherwise.
#ifndef SILT_VOLUME_H
#define SILT_VOLUME_H

#include "silt/mesh.h"
#include "silt/param.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SILT_MAX_VOXELS = 8192 }; // along a side

// ---- how hard the rock is ----

enum { SILT_ROCK_UNIFORM, SILT_ROCK_NOISE, SILT_ROCK_STRATA };

// Erodibility of every place, known before a brick is made there: high for sand, low for stone
// (Weiss 3.2.2.2).
typedef struct SiltRock {
    int kind;
    double low, high; // erodibility of the hardest and of the softest rock; uniform rock has `high`
    double size;      // metres: of patches of noise, or of one hard and one soft bed
    double dip[2];    // fall of the beds per metre east and north
} SiltRock;
SILT_API extern const SiltParamTable silt_rock_params;

// ---- volumes ----

typedef struct SiltVolume SiltVolume;

// What a volume is like.
typedef struct SiltVolumeInfo {
    int size[3];        // voxels east, north and up
    double cell;        // metres from one voxel to the next
    double origin[3];   // metres of voxel (0, 0, 0)
    int side;           // voxels along a brick
    size_t brick_total; // bricks of the grid
    size_t brick_count; // of them, those that are not uniform
    bool is_placed;     // whether the origin is a place on a map
    const char *crs;    // of that map, as SiltGeoreference has it; the volume's
} SiltVolumeInfo;
SILT_API SiltVolumeInfo silt_volume_info(const SiltVolume *volume);

// All air. `side` is 8 or 16. `rock` NULL: uniform rock of erodibility 1.
SILT_API SiltStatus silt_volume_create(const int size[3], int side, double cell, const SiltRock *rock,
                                       uint64_t seed, SiltVolume **out);
SILT_API void silt_volume_destroy(SiltVolume *volume);
// Bytes a volume takes with so many bricks that are not uniform, known before it is made; what
// re-initialisation keeps to work in is counted.
SILT_API uint64_t silt_volume_bytes(const int size[3], int side, uint64_t brick_count);
// 64 bits from the size and all phi and erodibility.
SILT_API uint64_t silt_volume_hash(const SiltVolume *volume);
// Cubic metres of rock between the voxels: the zero set of the interpolated phi, to second order.
SILT_API double silt_volume_rock(const SiltVolume *volume);

// One phi.
SILT_API float silt_volume_get(const SiltVolume *volume, int i, int j, int k);
// The erodibility of the hardest and of the softest rock near the surface.
SILT_API void silt_volume_erodibility_range(const SiltVolume *volume, float out[2]);

// Remembers where the surface of the volume is now, or with `as` where that of another volume of the same
// size is: a byte a voxel near it. `voxel` does so when it first wears a volume.
SILT_API SiltStatus silt_volume_remember(SiltVolume *volume, const SiltVolume *as);
// How deep a place lay in rock then, in voxels and to a thirtieth of one; below zero in the air. No further
// from zero than the band. Only of a volume that remembers.
SILT_API float silt_volume_former(const SiltVolume *volume, const float place[3]);
// The rock as it was, in a volume of its own.
SILT_API SiltStatus silt_volume_recall(const SiltVolume *volume, SiltVolume **out);

// Gives the bricks there are, and those to come, other rock.
SILT_API SiltStatus silt_volume_lay_rock(SiltVolume *volume, const SiltRock *rock, uint64_t seed);

// Sets one phi, making its brick if need be.
SILT_API SiltStatus silt_volume_set(SiltVolume *volume, int i, int j, int k, float phi);

// Rock within a closed mesh: `voxels` (4 to 8179) along its longest side, and 6 of air beyond each side. A
// mesh with an edge that does not join two triangles, or that passes through itself, is refused.
SILT_API SiltStatus silt_volume_from_mesh(const SiltMesh *mesh, int voxels, int side, const SiltRock *rock,
                                          uint64_t seed, SiltVolume **out);

// ---- between voxels ----

// The interpolated phi at a place (Weiss 3.1.2); `gradient`, if not NULL, takes that of the interpolation.
// Places beyond the grid take the value at its edge.
SILT_API float silt_volume_sample(const SiltVolume *volume, const float place[3], float gradient[3]);
// The same at many places, 3 numbers each; `gradients` may be NULL. On the calling thread.
SILT_API void silt_volume_sample_many(const SiltVolume *volume, size_t count, const float *places, float *phi,
                                      float *gradients);
SILT_API float silt_volume_erodibility(const SiltVolume *volume, const float place[3]);

// The first place along a ray where air becomes rock, no further than `length` (in units of `direction`): its
// distance in *out, and true; false when there is none. A ray that starts in rock hits at once.
SILT_API bool silt_volume_ray(const SiltVolume *volume, const float from[3], const float direction[3],
                              float length, float *out);

// ---- distance ----

// Makes phi a distance again within the band without moving the surface: every voxel takes its distance to
// the nearest facet of the surface, whose place, normal and bend are known to a fraction of a voxel (Weiss
// 3.1.3; no eq. 3.4, so that errors do not grow on the way out). Voxels that are right within a thousandth
// stay as they are, so that doing it again moves nothing, and so do those at sharp edges. Bricks appear where
// the surface came near and go where it has left. `how`: only bricks near those touched since the last call,
// or all of them; and, with HOLD, all corners of cells that the surface passes keep their phi unless its
// slope is off by half: a surface that is re-initialised hundreds of times stays where it is. With SWEEP
// (HOLD has no meaning then) distances are handed on from voxel to voxel as in eq. 3.4 and 3.5: voxels with a
// neighbour of another sign keep what they have, and |grad phi| = 1 holds in differences towards the surface.
enum {
    SILT_REDISTANCE_TOUCHED = 0,
    SILT_REDISTANCE_ALL = 1,
    SILT_REDISTANCE_HOLD = 2,
    SILT_REDISTANCE_SWEEP = 4
};
SILT_API SiltStatus silt_volume_redistance(SiltVolume *volume, unsigned how);

// Moves phi near the surface of touched bricks by `amount` (0 to 0.5) towards the mean of its neighbours and
// away again: what is rough wears off, and the volume of rock stays. `share`, if not NULL, has a factor for
// each brick, and those with one above zero are smoothed, touched or not. Re-initialise afterwards.
SILT_API SiltStatus silt_volume_smooth(SiltVolume *volume, double amount, const float *share);

// ---- heights ----

enum { SILT_DISTANCE_TRUE, SILT_DISTANCE_PAPER };
enum { SILT_PART_WHOLE, SILT_PART_OVERHANGS };

// How a terrain becomes a volume. Fill it with silt_params_init(&silt_volume_params, &options).
typedef struct SiltVolumeOptions {
    int brick;                        // side: 0 for 8, 1 for 16 voxels
    int layers;                       // voxels up; 0: as many as the heights need
    double floor;                     // metres of rock below the lowest height; NaN: 8 voxels
    double headroom;                  // metres of air above the highest; NaN: 8 voxels
    int distance;                     // SILT_DISTANCE_TRUE, or eq. 3.6 of the paper
    bool open;                        // meshes leave out the block's sides and floor
    int part;                         // of the surface in meshes: SILT_PART_...
    double decimate;                  // share of a mesh's triangles that stays
    char erodibility[SILT_NAME_SIZE]; // layer whose values multiply the rock's erodibility; empty: none
} SiltVolumeOptions;
SILT_API extern const SiltParamTable silt_volume_params;

// A voxel for every cell; voxels are as high as cells are wide. NULL options and rock mean the defaults.
SILT_API SiltStatus silt_volume_from_terrain(const SiltTerrain *terrain, const SiltVolumeOptions *options,
                                             const SiltRock *rock, uint64_t seed, SiltVolume **out);
// The highest surface of every column; columns without rock have no data.
SILT_API SiltStatus silt_volume_to_terrain(const SiltVolume *volume, SiltTerrain **out);

// Metres above its first layer of the highest surface of a column; NaN when there is no rock in it.
SILT_API double silt_volume_top(const SiltVolume *volume, int i, int j);

// A terrain may carry the volume whose top its heights are. It takes the volume, and destroys the one it had.
SILT_API void silt_terrain_give_volume(SiltTerrain *terrain, SiltVolume *volume);
// The terrain's volume, or NULL when there is none or the heights have changed since by more than a hundredth
// of a cell.
SILT_API SiltVolume *silt_terrain_volume(const SiltTerrain *terrain);
// silt_volume_to_terrain, with the volume given to the terrain; on failure it is destroyed.
SILT_API SiltStatus silt_terrain_from_volume(SiltVolume *volume, SiltTerrain **out);

// ---- falling rock ----

enum { SILT_LOOSE_REPORT, SILT_LOOSE_REMOVE, SILT_LOOSE_DROP };

// Rock that hangs on nothing: no way through voxels of rock, face to face, leads from it to the floor.
typedef struct SiltLoose {
    size_t piece_count;
    double rock;   // cubic metres of voxels in them
    double fallen; // metres the piece that fell deepest went down; when dropped
} SiltLoose;

// Finds such pieces and leaves, removes or drops them until they rest on what is below.
SILT_API SiltStatus silt_volume_loose(SiltVolume *volume, int action, SiltLoose *out);

// ---- files ----

// A volume in a .siltvol file, whole or not at all, with all that is needed to go on.
SILT_API SiltStatus silt_volume_write(const SiltVolume *volume, const char *path);
SILT_API SiltStatus silt_volume_read(const char *path, SiltVolume **out);
// Whether the ending of `path` is a volume's.
SILT_API bool silt_path_is_volume(const char *path);

// ---- the surface as triangles ----

// Keeps the triangles of every brick, so that only changed ones are made again.
typedef struct SiltRockSurface SiltRockSurface;

// The block's sides and floor are closed unless `is_open`. Of a volume there is one surface at a time, and it
// may be destroyed after it.
SILT_API SiltStatus silt_surface_create(SiltVolume *volume, bool is_open, SiltRockSurface **out);
SILT_API void silt_surface_destroy(SiltRockSurface *surface);
// Marching cubes over the bricks that changed since the last call, and those beside them; *redone, if not
// NULL, takes how many. Vertices are shared, edges match across bricks, and every triangle is
// counter-clockwise seen from the air.
SILT_API SiltStatus silt_surface_update(SiltRockSurface *surface, size_t *redone);
// All triangles, in metres; x and y from the origin, z true heights. An empty mesh when there is no rock.
SILT_API SiltStatus silt_surface_mesh(const SiltRockSurface *surface, SiltMesh *out);

// Whether it is this volume's, so that it can be brought up to date.
SILT_API bool silt_surface_is_of(const SiltRockSurface *surface, const SiltVolume *volume);

// All triangles anew, beside a surface that is kept.
SILT_API SiltStatus silt_volume_mesh(SiltVolume *volume, bool is_open, SiltMesh *out);
// Only what lies under a roof of rock, and the roofs from below: what heights leave out. For programs that
// draw the heights and want the caves besides.
SILT_API SiltStatus silt_volume_overhangs(SiltVolume *volume, SiltMesh *out);

// A mesh of the volume, which counts x and y from its first voxel, in the coordinates of the volume's frame,
// as files have it: rock that came from a mesh goes back to where that lay. On a map the frame is the first
// voxel's place, so that float32 stays fine.
SILT_API void silt_volume_place_mesh(const SiltVolume *volume, SiltMesh *mesh);

// ---- shapes ----

enum { SILT_UNION, SILT_DIFFERENCE, SILT_INTERSECTION };

// Distance to a shape's surface in voxels at a place, positive within it; it may be less than the distance,
// never more.
typedef double (*SiltDistanceFn)(const void *shape, const double place[3]);

// Joins a shape to the rock, cuts it out, or leaves only what lies in both.
SILT_API SiltStatus silt_volume_combine_shape(SiltVolume *volume, int operation, SiltDistanceFn distance,
                                              const void *shape);
// The same with another volume of the same size and bricks.
SILT_API SiltStatus silt_volume_combine(SiltVolume *volume, int operation, const SiltVolume *other);

typedef struct SiltVolumeShape {
    const char *name;    // as in `silt new NAME`
    const char *summary; // one line, no capital, no full stop
    const char *source;  // the paper and section, or ""
    SiltParamTable params;
    SiltStatus (*run)(SiltVolume *volume, const void *params);
} SiltVolumeShape;

SILT_API int silt_volume_shape_count(void);
SILT_API const SiltVolumeShape *silt_volume_shape_at(int index);
// NULL when there is none of that name.
SILT_API const SiltVolumeShape *silt_volume_shape_find(const char *name);
// A new volume. `params` is the shape's struct as its table describes it, or NULL for the defaults.
SILT_API SiltStatus silt_volume_make(const SiltVolumeShape *shape, const int size[3], int side, double cell,
                                     const void *params, const SiltRock *rock, uint64_t seed,
                                     SiltVolume **out);
// The memory that this takes at the most, and with `meshed` a mesh of it too. Of a large one it is judged by
// a small one of the same shape: what lies at the surface grows with the square of its side.
SILT_API SiltStatus silt_volume_make_bytes(const SiltVolumeShape *shape, const int size[3], int side,
                                           double cell, const void *params, const SiltRock *rock,
                                           uint64_t seed, bool meshed, uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
