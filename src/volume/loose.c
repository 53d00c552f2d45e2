// Falling rock: pieces that no way through rock joins to the floor are found, and removed or dropped on
// request (the future work of Weiss 2016, chapter 5).
//
// A uniform brick of rock is one node, every rock voxel of another brick is one of its own. Nodes that touch
// are joined, the lower number leading, so that the pieces and their order are the same whoever looks.
#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "volume/brick.h"

typedef struct Search {
    SiltVolume *volume;
    uint32_t *first;  // of each brick: its first node; the node of a uniform one
    uint32_t *leader; // of each node
    size_t node_count;
    uint8_t *is_held; // of leaders: joined to the floor
    uint32_t *fall;   // of leaders: layers it may go down; 0 also for those that are held
} Search;

static uint32_t find_leader(const Search *search, uint32_t node)
{
    uint32_t *leader = search->leader;
    while (leader[node] != node) {
        leader[node] = leader[leader[node]];
        node = leader[node];
    }
    return node;
}

static void join(const Search *search, uint32_t a, uint32_t b)
{
    a = find_leader(search, a);
    b = find_leader(search, b);
    search->leader[a > b ? a : b] = a < b ? a : b;
}

static bool is_rock(const SiltVolume *volume, int i, int j, int k)
{
    return silt_volume_at(volume, i, j, k) > 0.0f;
}

static uint32_t node_at(const Search *search, int i, int j, int k)
{
    const SiltVolume *volume = search->volume;
    size_t brick = silt_volume_brick(volume, i, j, k);
    bool is_uniform = silt_volume_is_uniform(volume, brick);
    return search->first[brick] + (is_uniform ? 0 : (uint32_t)silt_volume_offset(volume, i, j, k));
}

// Calls `visit` for every rock voxel of the grid in bricks that are not uniform, and for one voxel of each
// face of the others where they meet such bricks.
typedef void (*VisitFn)(Search *search, int i, int j, int k);

static void for_each_rock(Search *search, VisitFn visit)
{
    const SiltVolume *volume = search->volume;
    int side = volume->side;
    for (size_t brick = 0; brick < silt_brick_total(volume); brick++) {
        if (volume->table[brick] == volume->empty)
            continue;
        SiltBrickAt at = silt_brick_at(volume, brick);
        bool is_uniform = silt_volume_is_uniform(volume, brick);
        for (int z = 0; z < side; z++)
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    int i = at.at[0] * side + x, j = at.at[1] * side + y, k = at.at[2] * side + z;
                    bool is_inner = x > 0 && y > 0 && z > 0 && x < side - 1 && y < side - 1 && z < side - 1;
                    if ((is_uniform && is_inner) || i >= volume->size[0] || j >= volume->size[1] ||
                        k >= volume->size[2])
                        continue;
                    if (is_uniform || is_rock(volume, i, j, k))
                        visit(search, i, j, k);
                }
    }
}

static void join_neighbours(Search *search, int i, int j, int k)
{
    const SiltVolume *volume = search->volume;
    uint32_t node = node_at(search, i, j, k);
    if (i + 1 < volume->size[0] && is_rock(volume, i + 1, j, k))
        join(search, node, node_at(search, i + 1, j, k));
    if (j + 1 < volume->size[1] && is_rock(volume, i, j + 1, k))
        join(search, node, node_at(search, i, j + 1, k));
    if (k + 1 < volume->size[2] && is_rock(volume, i, j, k + 1))
        join(search, node, node_at(search, i, j, k + 1));
}

static void hold_floor(Search *search, int i, int j, int k)
{
    if (k == 0)
        search->is_held[find_leader(search, node_at(search, i, j, k))] = 1;
}

// The layers a piece may go down before it touches rock that is not its own, or the floor. Air below its
// lowest voxels is counted column by column.
static void limit_fall(Search *search, int i, int j, int k)
{
    const SiltVolume *volume = search->volume;
    uint32_t leader = find_leader(search, node_at(search, i, j, k)), gap = 0;
    if (search->is_held[leader] || k == 0 || is_rock(volume, i, j, k - 1))
        return;
    while (k - 1 - (int)gap >= 0 && !is_rock(volume, i, j, k - 1 - (int)gap))
        gap++;
    bool is_own =
        k - 1 - (int)gap >= 0 && find_leader(search, node_at(search, i, j, k - 1 - (int)gap)) == leader;
    if (!is_own && gap < search->fall[leader])
        search->fall[leader] = gap;
}

static SiltStatus begin_search(Search *search)
{
    const SiltVolume *volume = search->volume;
    size_t total = silt_brick_total(volume), voxels = silt_brick_voxels(volume);
    SiltStatus status = silt_alloc_for("loose rock", total, sizeof *search->first, (void **)&search->first);
    if (status != SILT_OK)
        return status;
    for (size_t brick = 0; brick < total; brick++) {
        search->first[brick] = (uint32_t)search->node_count;
        search->node_count += silt_volume_is_uniform(volume, brick) ? 1 : voxels;
    }
    if (search->node_count > UINT32_MAX / 2)
        return silt_fail(SILT_BAD_ARGUMENT, "loose rock: %zu voxels near the surface are too many to follow",
                         search->node_count);
    status =
        silt_alloc_for("loose rock", search->node_count, sizeof *search->leader, (void **)&search->leader);
    if (status == SILT_OK)
        status = silt_alloc_for("loose rock", search->node_count, 1, (void **)&search->is_held);
    if (status == SILT_OK)
        status =
            silt_alloc_for("loose rock", search->node_count, sizeof *search->fall, (void **)&search->fall);
    for (size_t node = 0; node < search->node_count && status == SILT_OK; node++)
        search->leader[node] = (uint32_t)node;
    return status;
}

// A leader of rock that nothing holds.
static bool is_loose(const Search *search, int i, int j, int k)
{
    return is_rock(search->volume, i, j, k) &&
           !search->is_held[find_leader(search, node_at(search, i, j, k))];
}

// Voxels of loose pieces, and the pieces themselves by their leaders.
static void measure(const Search *search, SiltLoose *out)
{
    const SiltVolume *volume = search->volume;
    double voxels = 0.0;
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0]; i++) {
                size_t brick = silt_volume_brick(volume, i, j, k);
                if (volume->table[brick] == volume->empty) {
                    i |= volume->side - 1; // on to the next brick
                    continue;
                }
                if (!is_loose(search, i, j, k))
                    continue;
                uint32_t node = node_at(search, i, j, k), leader = find_leader(search, node);
                voxels += 1.0;
                out->piece_count += search->is_held[leader] == 0 && search->fall[leader] == 0;
                search->fall[leader] = UINT32_MAX; // counted; limit_fall finds how far it goes
            }
    out->rock = voxels * volume->cell * volume->cell * volume->cell;
}

// Writes a voxel of the new volume; bricks that change get memory of their own.
static SiltStatus put(SiltVolume *volume, int i, int j, int k, float phi)
{
    return silt_volume_at(volume, i, j, k) == phi ? SILT_OK : silt_volume_set(volume, i, j, k, phi);
}

// Loose voxels become air as deep as they were rock; the air around them stays.
static SiltStatus remove_pieces(const Search *search, uint8_t *is_piece)
{
    SiltVolume *volume = search->volume;
    SiltStatus status = SILT_OK;
    size_t n = 0;
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0] && status == SILT_OK; i++, n++)
                if (is_piece[n])
                    status = put(volume, i, j, k, -silt_volume_at(volume, i, j, k));
    return status;
}

// The piece's own phi around it, laid down lower: where two meet the larger counts, as in a union.
typedef struct Moved {
    int i, j, k;
    float phi;
} Moved;

static SiltStatus add_moved(Moved **list, size_t *count, size_t *capacity, Moved item)
{
    if (*count == *capacity) {
        size_t wanted = *capacity ? 2 * *capacity : 4096;
        void *block = *list;
        SiltStatus status = silt_grow("loose rock", &block, *count, wanted, sizeof **list);
        if (status != SILT_OK)
            return status;
        *list = block;
        *capacity = wanted;
    }
    (*list)[(*count)++] = item;
    return SILT_OK;
}

// The layers that the piece a voxel belongs to, or touches, goes down; 0 when there is none.
static uint32_t fall_at(const Search *search, int i, int j, int k)
{
    static const int step[7][3] = {{0, 0, 0},  {1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                                   {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const SiltVolume *volume = search->volume;
    for (int n = 0; n < 7; n++) {
        int at[3] = {i + step[n][0], j + step[n][1], k + step[n][2]};
        bool is_within = true;
        for (int axis = 0; axis < 3; axis++)
            is_within = is_within && at[axis] >= 0 && at[axis] < volume->size[axis];
        if (is_within && is_loose(search, at[0], at[1], at[2]))
            return search->fall[find_leader(search, node_at(search, at[0], at[1], at[2]))];
    }
    return 0;
}

static SiltStatus list_moved(const Search *search, Moved **list, size_t *count)
{
    const SiltVolume *volume = search->volume;
    size_t capacity = 0;
    SiltStatus status = SILT_OK;
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0] && status == SILT_OK; i++) {
                uint32_t fall = fall_at(search, i, j, k);
                if (fall > 0 && fall != UINT32_MAX && (uint32_t)k >= fall)
                    status = add_moved(list, count, &capacity,
                                       (Moved){i, j, k - (int)fall, silt_volume_at(volume, i, j, k)});
            }
    return status;
}

static SiltStatus take_away(Search *search, bool is_dropped, SiltLoose *out)
{
    SiltVolume *volume = search->volume;
    size_t voxels = (size_t)volume->size[0] * (size_t)volume->size[1] * (size_t)volume->size[2], n = 0,
           count = 0;
    uint8_t *is_piece = NULL;
    Moved *moved = NULL;
    SiltStatus status = silt_alloc_for("loose rock", voxels, 1, (void **)&is_piece);
    for (int k = 0; k < volume->size[2] && status == SILT_OK; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0]; i++, n++) {
                is_piece[n] = is_loose(search, i, j, k);
                uint32_t fall = is_dropped && is_piece[n]
                                    ? search->fall[find_leader(search, node_at(search, i, j, k))]
                                    : 0;
                out->fallen = fall != UINT32_MAX ? fmax(out->fallen, fall * volume->cell) : out->fallen;
            }
    if (status == SILT_OK && is_dropped)
        status = list_moved(search, &moved, &count);
    if (status == SILT_OK)
        status = remove_pieces(search, is_piece);
    for (n = 0; n < count && status == SILT_OK; n++) {
        const Moved *m = &moved[n];
        if (m->phi > silt_volume_at(volume, m->i, m->j, m->k))
            status = put(volume, m->i, m->j, m->k, m->phi);
    }
    silt_free(is_piece);
    silt_free(moved);
    return status == SILT_OK ? silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED) : status;
}

SiltStatus silt_volume_loose(SiltVolume *volume, int action, SiltLoose *out)
{
    *out = (SiltLoose){0};
    Search search = {.volume = volume};
    SiltStatus status = begin_search(&search);
    if (status == SILT_OK) {
        for_each_rock(&search, join_neighbours);
        for_each_rock(&search, hold_floor);
        measure(&search, out);
        if (action == SILT_LOOSE_DROP && out->piece_count > 0)
            for_each_rock(&search, limit_fall);
        if (action != SILT_LOOSE_REPORT && out->piece_count > 0)
            status = take_away(&search, action == SILT_LOOSE_DROP, out);
    }
    silt_free(search.first);
    silt_free(search.leader);
    silt_free(search.is_held);
    silt_free(search.fall);
    return status;
}
