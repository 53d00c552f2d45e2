// Falling rock: pieces that no way through rock joins to the floor are found, and removed or dropped on
// request (the future work of Weiss 2016, chapter 5).
//
// A uniform brick of rock is one node, every rock voxel of another brick is one of its own. Nodes that touch
// are joined, the lower number leading, so that the pieces and their order are the same whoever looks.
#include <math.h>

#include "core/memory.h"
#include "core/status.h"
#include "volume/brick.h"
#include "volume/loose.h"

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

typedef void (*VisitFn)(Search *search, int i, int j, int k);

static bool is_in_grid(const SiltVolume *volume, int i, int j, int k)
{
    return i < volume->size[0] && j < volume->size[1] && k < volume->size[2];
}

// One voxel of a uniform brick for each of its faces, or all of a face beyond which voxels differ.
static void visit_uniform(Search *search, SiltBrickAt at, VisitFn visit)
{
    const SiltVolume *volume = search->volume;
    int side = volume->side, first[3] = {at.at[0] * side, at.at[1] * side, at.at[2] * side};
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, beside[3] = {0};
        beside[axis] = face % 2 ? 1 : -1;
        size_t next = silt_brick_beside(volume, at, beside[0], beside[1], beside[2]);
        int wide = silt_volume_is_uniform(volume, next) ? 1 : side;
        for (int b = 0; b < wide; b++)
            for (int a = 0; a < wide; a++) {
                int voxel[3] = {first[0], first[1], first[2]};
                voxel[axis] += face % 2 ? side - 1 : 0;
                voxel[(axis + 1) % 3] += a;
                voxel[(axis + 2) % 3] += b;
                if (is_in_grid(volume, voxel[0], voxel[1], voxel[2]))
                    visit(search, voxel[0], voxel[1], voxel[2]);
            }
    }
}

// Calls `visit` for every rock voxel of the grid in bricks that are not uniform, and for those of the others
// that make a difference.
static void for_each_rock(Search *search, VisitFn visit)
{
    const SiltVolume *volume = search->volume;
    int side = volume->side;
    for (size_t brick = 0; brick < silt_brick_total(volume); brick++) {
        if (volume->table[brick] == volume->empty)
            continue;
        SiltBrickAt at = silt_brick_at(volume, brick);
        if (silt_volume_is_uniform(volume, brick)) {
            visit_uniform(search, at, visit);
            continue;
        }
        for (int z = 0; z < side; z++)
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    int i = at.at[0] * side + x, j = at.at[1] * side + y, k = at.at[2] * side + z;
                    if (is_in_grid(volume, i, j, k) && is_rock(volume, i, j, k))
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

// A voxel above the floor rests on it: the surface of its piece lies between the two.
static void hold_floor(Search *search, int i, int j, int k)
{
    if (k <= 1)
        search->is_held[find_leader(search, node_at(search, i, j, k))] = 1;
}

// The layers a piece may go down before it touches rock that is not its own, or the floor. Air below its
// lowest voxels is counted column by column.
static void limit_fall(Search *search, int i, int j, int k)
{
    const SiltVolume *volume = search->volume;
    uint32_t leader = find_leader(search, node_at(search, i, j, k)), gap = 0;
    if (search->is_held[leader] || k <= 1 || is_rock(volume, i, j, k - 1))
        return;
    while (k - 1 - (int)gap >= 0 && !is_rock(volume, i, j, k - 1 - (int)gap))
        gap++;
    bool is_own =
        k - 1 - (int)gap >= 0 && find_leader(search, node_at(search, i, j, k - 1 - (int)gap)) == leader;
    if (k == (int)gap)
        gap--; // on the floor, not in it
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

// A voxel of a loose piece.
typedef struct Voxel {
    int16_t i, j, k;
} Voxel;

typedef struct Pieces {
    Voxel *voxels;
    size_t count, capacity;
} Pieces;

static SiltStatus add_voxel(Pieces *pieces, int i, int j, int k)
{
    if (pieces->count == pieces->capacity) {
        size_t wanted = pieces->capacity ? 2 * pieces->capacity : 4096;
        void *block = pieces->voxels;
        SiltStatus status = silt_grow("loose rock", &block, pieces->count, wanted, sizeof *pieces->voxels);
        if (status != SILT_OK)
            return status;
        pieces->voxels = block;
        pieces->capacity = wanted;
    }
    pieces->voxels[pieces->count++] = (Voxel){(int16_t)i, (int16_t)j, (int16_t)k};
    return SILT_OK;
}

static SiltStatus list_brick(const Search *search, SiltBrickAt at, Pieces *pieces)
{
    const SiltVolume *volume = search->volume;
    int side = volume->side;
    SiltStatus status = SILT_OK;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side && status == SILT_OK; x++) {
                int i = at.at[0] * side + x, j = at.at[1] * side + y, k = at.at[2] * side + z;
                if (is_in_grid(volume, i, j, k) && is_loose(search, i, j, k))
                    status = add_voxel(pieces, i, j, k);
            }
    return status;
}

static SiltStatus list_loose(const Search *search, Pieces *pieces)
{
    const SiltVolume *volume = search->volume;
    SiltStatus status = SILT_OK;
    for (size_t brick = 0; brick < silt_brick_total(volume) && status == SILT_OK; brick++) {
        bool is_air = volume->table[brick] == volume->empty;
        bool is_held = silt_volume_is_uniform(volume, brick) && !is_air &&
                       search->is_held[find_leader(search, search->first[brick])];
        if (!is_air && !is_held)
            status = list_brick(search, silt_brick_at(volume, brick), pieces);
    }
    return status;
}

// The pieces by their leaders, and their voxels.
static void measure(Search *search, const Pieces *pieces, SiltLoose *out)
{
    double cell = search->volume->cell;
    for (size_t n = 0; n < pieces->count; n++) {
        const Voxel *at = &pieces->voxels[n];
        uint32_t leader = find_leader(search, node_at(search, at->i, at->j, at->k));
        out->piece_count += search->fall[leader] == 0;
        search->fall[leader] = UINT32_MAX; // counted; limit_fall finds how far it goes
    }
    out->rock = (double)pieces->count * cell * cell * cell;
}

// Writes a voxel of the new volume; bricks that change get memory of their own.
static SiltStatus put(SiltVolume *volume, int i, int j, int k, float phi)
{
    return silt_volume_at(volume, i, j, k) == phi ? SILT_OK : silt_volume_set(volume, i, j, k, phi);
}

// A piece's own phi in and around it, to be laid down lower: where two meet the larger counts, as in a union.
typedef struct Moved {
    Voxel to;
    float phi;
} Moved;

static size_t list_moved(Search *search, const Pieces *pieces, Moved *out, double *fallen)
{
    static const int step[7][3] = {{0, 0, 0},  {1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                                   {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const SiltVolume *volume = search->volume;
    size_t count = 0;
    for (size_t n = 0; n < pieces->count; n++) {
        const Voxel *at = &pieces->voxels[n];
        uint32_t fall = search->fall[find_leader(search, node_at(search, at->i, at->j, at->k))];
        *fallen = fmax(*fallen, fall * volume->cell);
        for (int s = 0; s < 7; s++) {
            int i = at->i + step[s][0], j = at->j + step[s][1], k = at->k + step[s][2];
            if (i < 0 || j < 0 || k < (int)fall || !is_in_grid(volume, i, j, k))
                continue;
            out[count++] =
                (Moved){{(int16_t)i, (int16_t)j, (int16_t)(k - (int)fall)}, silt_volume_at(volume, i, j, k)};
        }
    }
    return count;
}

// Loose voxels become air as deep as they were rock; the air around them stays.
static SiltStatus take_away(Search *search, const Pieces *pieces, bool is_dropped, SiltLoose *out)
{
    SiltVolume *volume = search->volume;
    Moved *moved = NULL;
    size_t count = 0;
    SiltStatus status = SILT_OK;
    if (is_dropped)
        status = silt_alloc_for("loose rock", 7 * pieces->count, sizeof *moved, (void **)&moved);
    if (status == SILT_OK && is_dropped)
        count = list_moved(search, pieces, moved, &out->fallen);
    for (size_t n = 0; n < pieces->count && status == SILT_OK; n++) {
        const Voxel *at = &pieces->voxels[n];
        status = put(volume, at->i, at->j, at->k, -silt_volume_at(volume, at->i, at->j, at->k));
    }
    for (size_t n = 0; n < count && status == SILT_OK; n++) {
        const Voxel *to = &moved[n].to;
        if (moved[n].phi > silt_volume_at(volume, to->i, to->j, to->k))
            status = put(volume, to->i, to->j, to->k, moved[n].phi);
    }
    silt_free(moved);
    return status == SILT_OK ? silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED) : status;
}

static SiltStatus find_pieces(Search *search, Pieces *pieces)
{
    SiltStatus status = begin_search(search);
    if (status != SILT_OK)
        return status;
    for_each_rock(search, join_neighbours);
    for_each_rock(search, hold_floor);
    return list_loose(search, pieces);
}

static void end_search(Search *search, Pieces *pieces)
{
    silt_free(pieces->voxels);
    silt_free(search->first);
    silt_free(search->leader);
    silt_free(search->is_held);
    silt_free(search->fall);
}

// ---- pieces that hang free from the beginning ----

static uint32_t leader_of(const Search *search, const Voxel *at)
{
    return find_leader(search, node_at(search, at->i, at->j, at->k));
}

SiltStatus silt_standing_find(SiltVolume *volume, SiltStanding *out)
{
    *out = (SiltStanding){0};
    Search search = {.volume = volume};
    Pieces pieces = {0};
    SiltStatus status = find_pieces(&search, &pieces);
    if (status == SILT_OK && pieces.count > 0)
        status =
            silt_alloc_for("loose rock", silt_brick_total(volume), sizeof *out->piece, (void **)&out->piece);
    for (size_t n = 0; n < pieces.count && status == SILT_OK; n++) {
        const Voxel *at = &pieces.voxels[n];
        uint32_t *number = &search.fall[leader_of(&search, at)];
        if (*number == 0)
            *number = (uint32_t)++out->count;
        uint32_t *piece = &out->piece[silt_volume_brick(volume, at->i, at->j, at->k)];
        *piece = *piece ? *piece : *number;
    }
    out->rock = (double)pieces.count * volume->cell * volume->cell * volume->cell;
    end_search(&search, &pieces);
    return status;
}

void silt_standing_free(SiltStanding *standing)
{
    silt_free(standing->piece);
    *standing = (SiltStanding){0};
}

// Of the loose pieces where each remembered one was, the largest is held; its voxels leave the list.
static SiltStatus hold_standing(Search *search, const SiltStanding *standing, Pieces *pieces)
{
    uint32_t *largest; // of each remembered piece: the leader of its largest part
    SiltStatus status = silt_alloc_for("loose rock", standing->count + 1, sizeof *largest, (void **)&largest);
    if (status != SILT_OK)
        return status;
    uint32_t *voxels = search->fall; // of each leader, for now
    for (size_t n = 0; n <= standing->count; n++)
        largest[n] = UINT32_MAX;
    for (size_t n = 0; n < pieces->count; n++)
        voxels[leader_of(search, &pieces->voxels[n])]++;
    for (size_t n = 0; n < pieces->count; n++) {
        const Voxel *at = &pieces->voxels[n];
        uint32_t leader = leader_of(search, at);
        uint32_t piece = standing->piece[silt_volume_brick(search->volume, at->i, at->j, at->k)];
        if (piece > 0 && (largest[piece] == UINT32_MAX || voxels[leader] > voxels[largest[piece]]))
            largest[piece] = leader;
    }
    for (size_t n = 1; n <= standing->count; n++)
        if (largest[n] != UINT32_MAX)
            search->is_held[largest[n]] = 1;
    size_t kept = 0;
    for (size_t n = 0; n < pieces->count; n++) {
        uint32_t leader = leader_of(search, &pieces->voxels[n]);
        voxels[leader] = 0;
        if (!search->is_held[leader])
            pieces->voxels[kept++] = pieces->voxels[n];
    }
    pieces->count = kept;
    silt_free(largest);
    return SILT_OK;
}

SiltStatus silt_volume_loose_from(SiltVolume *volume, const SiltStanding *standing, int action,
                                  SiltLoose *out)
{
    *out = (SiltLoose){0};
    Search search = {.volume = volume};
    Pieces pieces = {0};
    SiltStatus status = find_pieces(&search, &pieces);
    if (status == SILT_OK && standing && standing->piece)
        status = hold_standing(&search, standing, &pieces);
    if (status == SILT_OK) {
        measure(&search, &pieces, out);
        if (action == SILT_LOOSE_DROP && out->piece_count > 0)
            for_each_rock(&search, limit_fall);
        if (action != SILT_LOOSE_REPORT && out->piece_count > 0)
            status = take_away(&search, &pieces, action == SILT_LOOSE_DROP, out);
    }
    end_search(&search, &pieces);
    return status;
}

SiltStatus silt_volume_loose(SiltVolume *volume, int action, SiltLoose *out)
{
    return silt_volume_loose_from(volume, NULL, action, out);
}
