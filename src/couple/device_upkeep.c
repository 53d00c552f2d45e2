#include "couple/device_upkeep.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "couple/voxel_upkeep_at.h"
#include "sph/device_water.h"
#include "volume/brick.h"
#include "volume/facet.h"

enum {
    AGE,
    CHOOSE,
    SMOOTH,
    KEEP_SMOOTH,
    CHOOSE_DONE,
    CHOOSE_SOURCES,
    FIND_FACETS,
    SET_DISTANCES,
    RELEASE,
    ADMIT,
    FORGET_TOUCHED,
    CHOOSE_MEASURED,
    MEASURE,
    ADD_UP,
    FIND_SLOTS,
    LIST_SLOTS,
    FIND_AREA,
    SHIFT,
    GIVE_BACK,
    READ_TOPS,
    HOLD_COLUMNS,
    HOLD_UNIFORM,
    HOLD_BRICKS
};
static const char *const kernel_names[SILT_UPKEEP_KERNELS] = {
    "age",         "choose",        "smooth",       "keep_smooth",  "choose_done",    "choose_sources",
    "find_facets", "set_distances", "release",      "admit",        "forget_touched", "choose_measured",
    "measure",     "add_up",        "find_slots",   "list_slots",   "find_area",      "shift",
    "give_back",   "read_tops",     "hold_columns", "hold_uniform", "hold_bricks"};

enum { GROUP = 128, FEW_FACETS = 64 }; // facets for a brick that there is room for

#define LAUNCH(u, which, items, ...)                                                                         \
    silt_sph_launch((u)->kernels[which], (size_t)(items), (const SiltKernelArg[]){__VA_ARGS__},              \
                    (int)(sizeof((const SiltKernelArg[]){__VA_ARGS__}) / sizeof(SiltKernelArg)))
#define BUFFER          SILT_ARG_BUFFER
#define VALUE           SILT_ARG_VALUE
#define BRICK(u, which) BUFFER((u)->rock->of_brick[SILT_BRICK_##which])
#define PLACE(u, which) BUFFER((u)->rock->of_place[SILT_PLACE_##which])
#define SIZE(u)         BUFFER((u)->rock->size)
#define ROCK(u)         SIZE(u), BRICK(u, TABLE), PLACE(u, PHI), PLACE(u, SOFT)

// ---- making ----

static SiltStatus make_facets(SiltDeviceUpkeep *u, int count)
{
    const SiltDeviceRock *rock = u->rock;
    silt_buffer_destroy(u->facets);
    silt_buffer_destroy(u->reach);
    u->facets = u->reach = NULL;
    u->facet_capacity = 0;
    SiltStatus status =
        silt_buffer_create(rock->device, rock->owner, (size_t)count * sizeof(SiltFacet), &u->facets);
    if (status == SILT_OK)
        status = silt_buffer_create(rock->device, rock->owner, (size_t)count * sizeof(uint32_t), &u->reach);
    if (status == SILT_OK)
        u->facet_capacity = count;
    return status;
}

SiltStatus silt_device_upkeep_create(SiltDeviceRock *rock, SiltDeviceUpkeep *out)
{
    const SiltVolume *volume = rock->ground->volume;
    char defines[32];
    *out = (SiltDeviceUpkeep){.rock = rock};
    snprintf(defines, sizeof defines, "-D SIDE=%d", volume->side);
    SiltStatus status = silt_program_create(rock->device, rock->owner,
                                            "#include \"couple/upkeep.cl\"\n#include \"couple/reinit.cl\"\n",
                                            defines, &out->program);
    for (int k = 0; k < SILT_UPKEEP_KERNELS && status == SILT_OK; k++)
        status = silt_kernel_create(out->program, kernel_names[k], &out->kernels[k]);
    if (status == SILT_OK)
        status =
            silt_sorter_create(rock->device, rock->owner, (int)silt_brick_total(volume) + 1, 1, &out->sorter);
    if (status == SILT_OK)
        status = silt_buffer_create(rock->device, rock->owner, sizeof out->found, &out->counters);
    if (status == SILT_OK)
        status = silt_buffer_create(rock->device, rock->owner, sizeof out->sums, &out->partials);
    return status == SILT_OK ? make_facets(out, FEW_FACETS * ((int)volume->brick_count + 1)) : status;
}

void silt_device_upkeep_destroy(SiltDeviceUpkeep *u)
{
    SiltBuffer *all[] = {u->counters, u->partials, u->facets, u->reach, u->pairs, u->soft};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        silt_buffer_destroy(all[k]);
    silt_sorter_destroy(u->sorter);
    silt_program_destroy(u->program);
    silt_free(u->list);
}

void silt_device_upkeep_renew(SiltDeviceUpkeep *u)
{
    u->is_listed = false;
}

static int total_of(const SiltDeviceUpkeep *u)
{
    return (int)silt_brick_total(u->rock->ground->volume);
}

// Items of a launch of a group for each place of the pool.
static size_t by_places(const SiltDeviceUpkeep *u)
{
    return (size_t)GROUP * (size_t)(u->rock->places - SILT_DEVICE_SHARED);
}

// Items of a launch of a group for each of a list.
static size_t by_list(int count)
{
    return (size_t)GROUP * (size_t)count;
}

static SiltStatus read_counters(SiltDeviceUpkeep *u)
{
    return silt_buffer_read(u->counters, 0, u->found, sizeof u->found);
}

// ---- where, and smoothing ----

void silt_device_upkeep_look(SiltDeviceUpkeep *u)
{
    const SiltVolume *volume = u->rock->ground->volume;
    int across = (volume->bricks[0] + SILT_UPKEEP_GROUP - 1) / SILT_UPKEEP_GROUP,
        along = (volume->bricks[1] + SILT_UPKEEP_GROUP - 1) / SILT_UPKEEP_GROUP;
    LAUNCH(u, AGE, total_of(u), SIZE(u), BRICK(u, ACTIVITY), BRICK(u, FLAGS), BRICK(u, STALE));
    LAUNCH(u, CHOOSE, GROUP * across * along, SIZE(u), BRICK(u, ACTIVITY), BRICK(u, WORN), BRICK(u, MOVED),
           BRICK(u, STALE), BRICK(u, DUE));
    u->rock->is_known = false;
}

void silt_device_upkeep_smooth(SiltDeviceUpkeep *u, double amount)
{
    for (int pass = 0; pass < 2 && amount > 0.0; pass++) {
        float by = pass == 0 ? (float)amount : -(float)amount;
        LAUNCH(u, SMOOTH, by_places(u), ROCK(u), PLACE(u, BRICK), BRICK(u, ACTIVITY), VALUE(by),
               PLACE(u, SCRATCH));
        LAUNCH(u, KEEP_SMOOTH, by_places(u), PLACE(u, BRICK), BRICK(u, ACTIVITY), PLACE(u, SCRATCH),
               PLACE(u, PHI), BRICK(u, FLAGS));
    }
}

// ---- bricks that come and go ----

static SiltStatus require_list(SiltDeviceUpkeep *u, int count)
{
    if (count <= u->list_capacity)
        return SILT_OK;
    silt_free(u->list);
    u->list = NULL;
    u->list_capacity = 0;
    SiltStatus status = silt_alloc_for(u->rock->owner, (size_t)count * 2 + 64, 2 * sizeof(int32_t), &u->list);
    if (status == SILT_OK)
        u->list_capacity = count * 2 + 64;
    return status;
}

static SiltStatus require_pairs(SiltDeviceUpkeep *u, int count)
{
    const SiltDeviceRock *rock = u->rock;
    if (count <= u->pair_capacity)
        return SILT_OK;
    silt_buffer_destroy(u->pairs);
    silt_buffer_destroy(u->soft);
    u->pairs = u->soft = NULL;
    u->pair_capacity = 0;
    size_t wanted = (size_t)count * 2 + 64, voxels = silt_brick_voxels(rock->ground->volume);
    SiltStatus status =
        silt_buffer_create(rock->device, rock->owner, wanted * 2 * sizeof(int32_t), &u->pairs);
    if (status == SILT_OK)
        status = silt_buffer_create(rock->device, rock->owner, wanted * voxels * sizeof(float), &u->soft);
    if (status == SILT_OK)
        u->pair_capacity = (int)wanted;
    return status;
}

// Gives the first `count` bricks of the list of those to come voxels, here and there.
static SiltStatus admit(SiltDeviceUpkeep *u, int count, int reached)
{
    SiltDeviceRock *rock = u->rock;
    SiltVolume *volume = rock->ground->volume;
    size_t voxels = silt_brick_voxels(volume), bytes = voxels * sizeof(float);
    SiltStatus status = require_list(u, count);
    if (status == SILT_OK)
        status = require_pairs(u, count);
    if (status == SILT_OK)
        status = silt_device_rock_reserve(rock, count);
    int32_t *pairs = u->list;
    uint32_t *fresh = status == SILT_OK ? (uint32_t *)pairs + count : NULL;
    if (status == SILT_OK)
        status = silt_buffer_read(rock->of_brick[SILT_BRICK_FRESH], 0, fresh, (size_t)count * sizeof *fresh);
    if (status == SILT_OK)
        status = silt_volume_require_all(volume, fresh, (size_t)count);
    for (int n = 0; n < count && status == SILT_OK; n++) {
        int32_t brick = (int32_t)fresh[n]; // before its pair is laid over it
        pairs[2 * n] = brick;
        pairs[2 * n + 1] = silt_device_rock_take(rock, brick);
        status = silt_buffer_write(u->soft, (size_t)n * bytes, volume->table[brick] + voxels, bytes);
    }
    if (status != SILT_OK)
        return status;
    silt_buffer_write(u->pairs, 0, pairs, (size_t)count * 2 * sizeof *pairs);
    LAUNCH(u, ADMIT, GROUP * count, BUFFER(u->pairs), VALUE(reached), BUFFER(u->soft), BRICK(u, TABLE),
           PLACE(u, BRICK), PLACE(u, PHI), PLACE(u, SOFT), BRICK(u, ROLE), PLACE(u, SOURCE),
           BUFFER(u->counters), PLACE(u, DONE));
    u->is_listed = false;
    return silt_device_status(rock->device);
}

static SiltStatus release(SiltDeviceUpkeep *u, int count)
{
    SiltDeviceRock *rock = u->rock;
    SiltVolume *volume = rock->ground->volume;
    SiltStatus status = require_list(u, count);
    if (status != SILT_OK || count == 0)
        return status;
    LAUNCH(u, RELEASE, count, BUFFER(u->counters), PLACE(u, RELEASED), BRICK(u, TABLE), PLACE(u, BRICK),
           PLACE(u, PHI), PLACE(u, GONE));
    status =
        silt_buffer_read(rock->of_place[SILT_PLACE_GONE], 0, u->list, (size_t)count * 2 * sizeof(int32_t));
    const int32_t *gone = u->list;
    for (int n = 0; n < count && status == SILT_OK; n++) {
        bool is_solid = gone[2 * n] < 0; // a brick's number, or -1 less it where it is rock
        int32_t brick = is_solid ? -1 - gone[2 * n] : gone[2 * n];
        silt_volume_release(volume, (size_t)brick, is_solid);
        silt_device_rock_give(rock, gone[2 * n + 1]);
    }
    u->is_listed = false;
    return status;
}

// ---- re-initialisation ----

static void find_facets(SiltDeviceUpkeep *u)
{
    LAUNCH(u, FIND_FACETS, by_list(u->found[SILT_REINIT_SOURCES]), ROCK(u), PLACE(u, BRICK), BRICK(u, ROLE),
           PLACE(u, SOURCES), BUFFER(u->counters), PLACE(u, SCRATCH), BUFFER(u->facets), BUFFER(u->reach),
           VALUE(u->facet_capacity), PLACE(u, SOURCE), BRICK(u, MARK), BRICK(u, FRESH));
}

// Bricks to do and their facets; leaves in u->found how many there are.
static SiltStatus begin(SiltDeviceUpkeep *u)
{
    SiltDeviceRock *rock = u->rock;
    int places = rock->places;
    silt_buffer_fill(u->counters, 0, 0, sizeof u->found);
    silt_buffer_fill(rock->of_brick[SILT_BRICK_MARK], 0, 0, (size_t)total_of(u) * sizeof(int32_t));
    LAUNCH(u, CHOOSE_DONE, total_of(u), ROCK(u), BRICK(u, DUE), BRICK(u, ROLE), BUFFER(u->counters),
           BRICK(u, FRESH));
    LAUNCH(u, CHOOSE_SOURCES, places - SILT_DEVICE_SHARED, SIZE(u), PLACE(u, BRICK), VALUE(places),
           BRICK(u, ROLE), BUFFER(u->counters), PLACE(u, SOURCES), PLACE(u, DONE));
    return read_counters(u);
}

// Once more where there is no room for all facets, or the surface passes at a uniform brick.
static SiltStatus make_all_facets(SiltDeviceUpkeep *u)
{
    SiltStatus status = begin(u);
    const int32_t *found = u->found;
    for (bool is_done = false; status == SILT_OK && !is_done;) {
        find_facets(u);
        status = read_counters(u);
        is_done = found[SILT_REINIT_TORN] == 0 && found[SILT_REINIT_FACETS] <= u->facet_capacity;
        if (status != SILT_OK || is_done)
            continue;
        if (found[SILT_REINIT_TORN] > 0) {
            // what facets reach has been laid over the list: it is made anew
            status = begin(u);
            if (status == SILT_OK)
                status = admit(u, found[SILT_REINIT_TORN], 0);
        } else {
            status = make_facets(u, found[SILT_REINIT_FACETS] + found[SILT_REINIT_FACETS] / 4);
        }
        if (status == SILT_OK)
            status = begin(u);
    }
    return status;
}

SiltStatus silt_device_upkeep_redistance(SiltDeviceUpkeep *u)
{
    SiltDeviceRock *rock = u->rock;
    silt_buffer_fill(rock->of_brick[SILT_BRICK_ACTIVITY], 0, 0, (size_t)total_of(u) * sizeof(float));
    SiltStatus status = make_all_facets(u);
    if (status == SILT_OK && u->found[SILT_REINIT_REACHED] > 0)
        status = admit(u, u->found[SILT_REINIT_REACHED], 1);
    if (status != SILT_OK)
        return status;
    int count = u->found[SILT_REINIT_DONE] + u->found[SILT_REINIT_REACHED];
    LAUNCH(u, SET_DISTANCES, by_list(count), SIZE(u), BRICK(u, TABLE), PLACE(u, PHI), PLACE(u, BRICK),
           BRICK(u, ROLE), PLACE(u, DONE), BUFFER(u->counters), PLACE(u, SCRATCH), BUFFER(u->facets),
           BUFFER(u->reach), PLACE(u, SOURCE), BRICK(u, FLAGS), PLACE(u, RELEASED));
    const int kept = ~SILT_BRICK_TOUCHED;
    LAUNCH(u, FORGET_TOUCHED, total_of(u), SIZE(u), BRICK(u, FLAGS), VALUE(kept));
    status = read_counters(u);
    return status == SILT_OK ? release(u, u->found[SILT_REINIT_RELEASED]) : status;
}

// ---- the books ----

// silt_parallel_sum over doubles there.
static double add_up(SiltDeviceUpkeep *u, SiltBuffer *values, int count)
{
    int span = silt_reduce_span(count), blocks = count > 0 ? (count - 1) / span + 1 : 0;
    double sum = 0.0;
    LAUNCH(u, ADD_UP, GROUP * blocks, BUFFER(values), VALUE(count), VALUE(span), BUFFER(u->partials));
    if (silt_buffer_read(u->partials, 0, u->sums, (size_t)blocks * sizeof *u->sums) != SILT_OK)
        return 0.0;
    for (int k = 0; k < blocks; k++)
        sum += u->sums[k];
    return sum;
}

// Of each brick that has changed; returns whether that could be done.
static bool measure(SiltDeviceUpkeep *u)
{
    const int kept = ~SILT_BRICK_MEASURE;
    silt_buffer_fill(u->counters, SILT_REINIT_MEASURED * sizeof(int32_t), 0, sizeof(int32_t));
    LAUNCH(u, CHOOSE_MEASURED, total_of(u), SIZE(u), BRICK(u, TABLE), BRICK(u, FLAGS), BRICK(u, ROCK),
           BUFFER(u->counters), BRICK(u, LIST));
    if (read_counters(u) != SILT_OK)
        return false;
    LAUNCH(u, MEASURE, by_list(u->found[SILT_REINIT_MEASURED]), ROCK(u), BRICK(u, ROCK), BRICK(u, LIST));
    LAUNCH(u, FORGET_TOUCHED, total_of(u), SIZE(u), BRICK(u, FLAGS), VALUE(kept));
    return true;
}

double silt_device_upkeep_rock(SiltDeviceUpkeep *u)
{
    double cell = u->rock->ground->volume->cell;
    return measure(u) ? add_up(u, u->rock->of_brick[SILT_BRICK_ROCK], total_of(u)) * cell * cell * cell : 0.0;
}

void silt_device_upkeep_note(SiltDeviceUpkeep *u)
{
    SiltDeviceRock *rock = u->rock;
    if (measure(u))
        silt_buffer_copy(rock->of_brick[SILT_BRICK_ROCK], 0, rock->of_brick[SILT_BRICK_KEPT], 0,
                         (size_t)total_of(u) * sizeof(double));
}

static void list_slots(SiltDeviceUpkeep *u)
{
    if (u->is_listed)
        return;
    LAUNCH(u, FIND_SLOTS, total_of(u), SIZE(u), BRICK(u, TABLE), BRICK(u, SLOT));
    silt_sorter_scan(u->sorter, u->rock->of_brick[SILT_BRICK_SLOT], total_of(u));
    LAUNCH(u, LIST_SLOTS, total_of(u), SIZE(u), BRICK(u, TABLE), BRICK(u, SLOT), PLACE(u, SLOTS));
    u->is_listed = true;
}

void silt_device_upkeep_give_back(SiltDeviceUpkeep *u)
{
    int count = (int)u->rock->ground->volume->brick_count;
    if (!measure(u))
        return;
    list_slots(u);
    LAUNCH(u, GIVE_BACK, (size_t)GROUP * (size_t)count, BRICK(u, TABLE), PLACE(u, PHI), PLACE(u, SLOTS),
           BRICK(u, KEPT), BRICK(u, ROCK), BRICK(u, FLAGS), BRICK(u, STALE));
}

void silt_device_upkeep_level(SiltDeviceUpkeep *u, double rock)
{
    double cell = u->rock->ground->volume->cell;
    int count = (int)u->rock->ground->volume->brick_count;
    list_slots(u);
    LAUNCH(u, FIND_AREA, (size_t)GROUP * (size_t)count, BRICK(u, TABLE), PLACE(u, PHI), PLACE(u, SLOTS),
           VALUE(count), BRICK(u, MOVED), PLACE(u, AREA));
    double area = add_up(u, u->rock->of_place[SILT_PLACE_AREA], count);
    float shift = (float)(area > 0.0 ? rock / (cell * cell * cell) / area : 0.0);
    LAUNCH(u, SHIFT, (size_t)GROUP * (size_t)count, BRICK(u, TABLE), PLACE(u, PHI), PLACE(u, SLOTS),
           BRICK(u, MOVED), VALUE(shift), BRICK(u, FLAGS), BRICK(u, STALE));
}

void silt_device_upkeep_tops(SiltDeviceUpkeep *u, double low, SiltBuffer *ground)
{
    const SiltVolume *volume = u->rock->ground->volume;
    int height = volume->size[1];
    LAUNCH(u, READ_TOPS, (size_t)volume->size[0] * (size_t)height, ROCK(u), VALUE(height),
           VALUE(volume->cell), VALUE(volume->origin[2]), VALUE(low), BUFFER(ground));
}

// ---- what hangs on nothing ----

bool silt_device_upkeep_has_loose(SiltDeviceUpkeep *u)
{
    SiltDeviceRock *rock = u->rock;
    const SiltVolume *volume = rock->ground->volume;
    SiltBuffer *held = rock->of_place[SILT_PLACE_SCRATCH], *holds = rock->of_brick[SILT_BRICK_ROLE];
    size_t words = (size_t)rock->places * silt_brick_voxels(volume) / 32;
    silt_buffer_fill(held, 0, 0, words * sizeof(uint32_t));
    silt_buffer_fill(holds, 0, 0, ((size_t)total_of(u) + 3) / 4 * 4);
    LAUNCH(u, HOLD_COLUMNS, (size_t)volume->size[0] * (size_t)volume->size[1], ROCK(u), BUFFER(held),
           BUFFER(holds));
    do {
        silt_buffer_fill(u->counters, SILT_REINIT_SPREAD * sizeof(int32_t), 0, 2 * sizeof(int32_t));
        LAUNCH(u, HOLD_UNIFORM, total_of(u), ROCK(u), BUFFER(held), BUFFER(holds), BUFFER(u->counters));
        LAUNCH(u, HOLD_BRICKS, by_places(u), ROCK(u), PLACE(u, BRICK), BUFFER(held), BUFFER(holds),
               BUFFER(u->counters));
        if (read_counters(u) != SILT_OK)
            return true;
    } while (u->found[SILT_REINIT_LOOSE] > 0 && u->found[SILT_REINIT_SPREAD] > 0);
    return u->found[SILT_REINIT_LOOSE] > 0;
}
