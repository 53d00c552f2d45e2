// Water made of particles (smoothed particle hydrodynamics). It knows no terrain: what it meets are the six
// faces of a box and, for each particle that a coupling says so of, a plane near by.
//
//     sort (cells, particles that are gone leave) -> forces -> move -> what the coupling does -> sort ...
//
// Everything is gathered, in the order of cells and of ids within a cell, so that results depend on the state
// alone and not on threads. Lengths in metres, z up.
#ifndef SILT_SPH_SPH_H
#define SILT_SPH_SPH_H

#include "silt/base.h"
#include "sph/numbers.h"

typedef struct SiltSphConfig {
    double spacing;    // m between particles at rest
    double support;    // radius of the kernels, m; 0: twice the spacing
    double mass;       // kg; 0: that of a cube of the spacing
    double density;    // kg/m3 at rest
    double viscosity;  // Pa s
    double artificial; // alpha of the artificial viscosity
    double diffusion;  // delta of the diffusion of density
    double sound;      // m/s, for the Tait equation
    double gas;        // k, J/kg, for the soft gas
    double tension;    // N/m
    int surface;       // how it pulls
    double threshold;  // 1/m: shorter surface normals count as inside, for SILT_SPH_COLOUR
    double gravity[3];
    int state, density_from, integrator;
    bool pulls;   // whether pressure may fall below zero
    bool is_bare; // whether walls and planes only stop particles, with no images beyond them
    bool means;   // whether a pair takes the mean of its pressures over both densities (Weiss eq. 3.21)
    double low[3], high[3]; // the box
    int face[3][2];         // low and high face of each axis
    int walls;              // faces that are walls, and planes
    double roughness;       // m, Nikuradse's, for the law of the wall; 0: smooth
    double restitution;     // at walls
    double life;            // s; 0: for ever
    double time_step;       // s; 0: as long as stability allows
    double swiftest;        // m/s that no water reaches but by mistake; 0: any may
    int capacity;           // particles at the most
    bool has_planes;        // whether a coupling gives planes
} SiltSphConfig;

// The arrays of particles; the number in them is sph->count. Rows are padded for reading beyond the end.
typedef struct SiltSphArrays {
    float *x, *y, *z, *u, *v, *w; // m, m/s
    float *ax, *ay, *az;          // m/s2
    float *density, *sediment;    // kg/m3; rock, in what unit the coupling likes
    float *age;                   // s
    int64_t *id;
} SiltSphArrays;

typedef struct SiltSphCells {
    double low[3], inverse[3]; // corner, and 1/m of the cell's sides
    float side[3];             // m
    int size[3];
    int shift;    // columns are 2^shift of the finest there could be
    double crowd; // more particles than this in one cell are too many
    SiltSphRow *row;
    int row_capacity, count, capacity;
    int *start; // first particle of each cell, and the end of the last
} SiltSphCells;

typedef struct SiltSph {
    SiltSphConfig config;
    SiltSphLaw law;
    SiltSphNumbers numbers; // of the present step
    float mass, stiffness;
    float steep, rough; // of the law of the wall at the middle of the first layer
    float skin, depth;  // of the layers at a surface: what their tension is multiplied by, and m from it
    bool weighs;   // whether particles press by their own mass (Weiss eq. 3.11): for density by summation and
                   // `means`
    float by_load; // what a unit of sediment then adds, as a share of a particle's mass
    int count;
    int64_t next_id;
    SiltSphArrays now, other; // `other` takes the sorted copy
    // of the present step
    float *px, *py, *pz;       // velocity that the forces see
    float *pressure, *inverse; // p / density2; 1 / density
    float *rate;               // of density
    SiltSphRecord *record;     // and one more, out of everybody's reach
    SiltSphNormal *normal;     // of the surface, for SILT_SPH_CURVATURE
    uint8_t *fate;
    float *plane_x, *plane_y, *plane_z, *plane_gap; // unit normal out of the ground, and height above it
    int *key, *order, *scratch;
    int *block_count; // buckets of each block, for sorting
    SiltSphCells cells;
    struct SiltSphDevice *device; // where the particles are; NULL: in the arrays above
    uint8_t pick[256][8];         // which bits of a byte are set, for near.c
    double time;
    int64_t step_index;
    union {
        struct {
            double last_step;        // s
            double fastest, hardest; // m/s and m/s2 in the last step
        };
        double rates[3]; // all of them
    };
    int64_t gone[SILT_SPH_FATES];         // particles that went, by fate
    double gone_sediment[SILT_SPH_FATES]; // what they carried
} SiltSph;

// Water at 20 degrees, a stiff equation of state, and an open box of 1 m.
SiltSphConfig silt_sph_defaults(void);
// Fails, in a sentence that begins with `owner`, when a value makes no sense.
SiltStatus silt_sph_create(const char *owner, const SiltSphConfig *config, SiltSph **out);
void silt_sph_destroy(SiltSph *sph);
// Other numbers than those it was made with; the box, its floor and roof, `swiftest` and how many particles
// there may be stay. Fails as silt_sph_create, and all is as before.
SiltStatus silt_sph_set(const char *owner, SiltSph *sph, const SiltSphConfig *config);
// Other walls than those of the config.
void silt_sph_set_walls(SiltSph *sph, int walls, double roughness);
// Bytes a particle takes, cells included.
double silt_sph_bytes(const SiltSphConfig *config);

// One particle at rest density behind the last; false, and nothing done, when there is no room or it is not
// finite. It gets the next id.
bool silt_sph_add(SiltSph *sph, const float position[3], const float velocity[3]);
// The same for water that comes from outside, a drop in the air or a spring under water: its density is what
// it and those around make up for, and theirs grows by its share.
bool silt_sph_add_drop(SiltSph *sph, const float position[3], const float velocity[3]);
// Fills a box with particles on a cubic lattice; returns how many.
int silt_sph_fill(SiltSph *sph, const double low[3], const double high[3], const float velocity[3]);

// Makes sph->numbers anew from what the config says now.
void silt_sph_count_numbers(SiltSph *sph);
// Particles by cell, and by id within a cell; those with a fate leave and are counted.
void silt_sph_sort(SiltSph *sph);
// Densities, pressures and accelerations. Needs the particles sorted.
void silt_sph_forces(SiltSph *sph);
// The longest step that CFL, viscosity and force conditions allow, or the one asked for.
double silt_sph_time_step(const SiltSph *sph);
// What stability allows, whatever time_step says.
double silt_sph_stable_step(const SiltSph *sph);
// Velocities, positions, densities and ages by dt; faces of the box. Those that leave, or are too old, or are
// no numbers any more, get a fate.
void silt_sph_move(SiltSph *sph, double dt);
// sort, forces, move: returns the step's length, at most `limit`.
double silt_sph_step(SiltSph *sph, double limit);

// Calls `visit` for every particle within the support of a place, in order, with its squared distance; those
// added since the last sort come last.
typedef void (*SiltSphVisitFn)(void *context, int j, float r2);
void silt_sph_visit(const SiltSph *sph, const float position[3], SiltSphVisitFn visit, void *context);
// Whether any particle lies nearer than `radius` (at most the support).
bool silt_sph_is_taken(const SiltSph *sph, const float position[3], double radius);

// The rows of cells a place can see.
typedef struct SiltSphRuns {
    int count;
    int begin[10], end[10]; // one more than rows, for loops that look ahead
} SiltSphRuns;
void silt_sph_runs(const SiltSph *sph, float x, float y, float z, SiltSphRuns *runs);

// The particles as others see them, arrays and all: valid until the next step. One unit of sediment is a
// whole particle; places are as in the box.
struct SiltParticles;
void silt_sph_particles(const SiltSph *sph, struct SiltParticles *out);
// 64 bits from the bits of all particles.
uint64_t silt_sph_hash(const SiltSph *sph);

void silt_sph_swap(SiltSph *sph);

// ---- for the sort on a device ----

// Cells over particles from `low` to `high` (low > high: none), with no more rows than there is room for; and
// how wide all of it is. Where particles lie so far apart that there would be more cells than there is room
// for, cells get wider along x until there is (and `shift` counts how often). Then they are measured.
void silt_cells_lay(SiltSph *sph, const double low[3], const double high[3], double extent[3]);
void silt_cells_widen(SiltSphCells *cells, int axis, double extent);
void silt_cells_measure(SiltSphCells *cells);

#endif
