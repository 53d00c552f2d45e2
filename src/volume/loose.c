// Falling rock: pieces that no way through rock joins to the floor are found, and removed or dropped on
// request (the future work of Weiss 2016, chapter 5).
#include "volume/loose.h"

#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "volume/parts.h"

// The layers a piece may go down before it touches rock that is not its own, or the floor. Air below its
// lowest voxels is counted column by column.
static void limit_fall(SiltParts *parts, int i, int j, int k)
{
    const SiltVolume *volume = parts->volume;
    uint32_t leader = silt_parts_leader(parts, silt_parts_at(parts, i, j, k)), gap = 0;
    if (parts->is_held[leader] || k <= 1 || silt_volume_is_rock(volume, i, j, k - 1))
        return;
    while (k - 1 - (int)gap >= 0 && !silt_volume_is_rock(volume, i, j, k - 1 - (int)gap))
        gap++;
    bool is_own = k - 1 - (int)gap >= 0 &&
                  silt_parts_leader(parts, silt_parts_at(parts, i, j, k - 1 - (int)gap)) == leader;
    if (k == (int)gap)
        gap--; // on the floor, not in it
    if (!is_own && gap < parts->fall[leader])
        parts->fall[leader] = gap;
}

// A leader of rock that nothing holds.
static bool is_loose(const SiltParts *parts, int i, int j, int k)
{
    return silt_volume_is_rock(parts->volume, i, j, k) &&
           !parts->is_held[silt_parts_leader(parts, silt_parts_at(parts, i, j, k))];
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

static SiltStatus list_brick(const SiltParts *parts, SiltBrickAt at, Pieces *pieces)
{
    const SiltVolume *volume = parts->volume;
    int side = volume->side;
    SiltStatus status = SILT_OK;
    for (int z = 0; z < side; z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side && status == SILT_OK; x++) {
                int i = at.at[0] * side + x, j = at.at[1] * side + y, k = at.at[2] * side + z;
                if (silt_volume_is_within(volume, i, j, k) && is_loose(parts, i, j, k))
                    status = add_voxel(pieces, i, j, k);
            }
    return status;
}

static bool has_loose(const SiltParts *parts, size_t brick)
{
    size_t end = brick + 1 < silt_brick_total(parts->volume) ? parts->first[brick + 1] : parts->count;
    for (size_t part = parts->first[brick]; part < end; part++)
        if (!parts->is_held[silt_parts_leader(parts, (uint32_t)part)])
            return true;
    return false;
}

enum { LOOK_EVERY = 1 << 14 }; // bricks, whether to go on

static SiltStatus list_loose(const SiltParts *parts, Pieces *pieces)
{
    const SiltVolume *volume = parts->volume;
    SiltStatus status = SILT_OK;
    for (size_t brick = 0; brick < silt_brick_total(volume) && status == SILT_OK; brick++) {
        if (has_loose(parts, brick))
            status = list_brick(parts, silt_brick_at(volume, brick), pieces);
        if (status == SILT_OK && brick % LOOK_EVERY == 0 && silt_is_stopped())
            status = SILT_CANCELLED;
    }
    return status;
}

// The pieces by their leaders, and their voxels.
static void measure(SiltParts *parts, const Pieces *pieces, SiltLoose *out)
{
    double cell = parts->volume->cell;
    for (size_t n = 0; n < pieces->count; n++) {
        const Voxel *at = &pieces->voxels[n];
        uint32_t leader = silt_parts_leader(parts, silt_parts_at(parts, at->i, at->j, at->k));
        out->piece_count += parts->fall[leader] == 0;
        parts->fall[leader] = UINT32_MAX; // counted; limit_fall finds how far it goes
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

static size_t list_moved(SiltParts *parts, const Pieces *pieces, Moved *out, double *fallen)
{
    static const int step[7][3] = {{0, 0, 0},  {1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                                   {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const SiltVolume *volume = parts->volume;
    size_t count = 0;
    for (size_t n = 0; n < pieces->count; n++) {
        const Voxel *at = &pieces->voxels[n];
        uint32_t fall = parts->fall[silt_parts_leader(parts, silt_parts_at(parts, at->i, at->j, at->k))];
        *fallen = fmax(*fallen, fall * volume->cell);
        for (int s = 0; s < 7; s++) {
            int i = at->i + step[s][0], j = at->j + step[s][1], k = at->k + step[s][2];
            if (i < 0 || j < 0 || k < (int)fall || !silt_volume_is_within(volume, i, j, k))
                continue;
            out[count++] =
                (Moved){{(int16_t)i, (int16_t)j, (int16_t)(k - (int)fall)}, silt_volume_at(volume, i, j, k)};
        }
    }
    return count;
}

// Loose voxels become air as deep as they were rock; the air around them stays.
static SiltStatus take_away(SiltParts *parts, const Pieces *pieces, bool is_dropped, SiltLoose *out)
{
    SiltVolume *volume = parts->volume;
    Moved *moved = NULL;
    size_t count = 0;
    SiltStatus status = SILT_OK;
    if (is_dropped)
        status = silt_alloc_for("loose rock", 7 * pieces->count, sizeof *moved, (void **)&moved);
    if (status == SILT_OK && is_dropped)
        count = list_moved(parts, pieces, moved, &out->fallen);
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

static SiltStatus find_pieces(SiltVolume *volume, SiltParts *parts, Pieces *pieces)
{
    SiltStatus status = silt_parts_find(volume, parts);
    return status == SILT_OK ? list_loose(parts, pieces) : status;
}

static void free_pieces(SiltParts *parts, Pieces *pieces)
{
    silt_free(pieces->voxels);
    silt_parts_free(parts);
}

// ---- pieces that hang free from the beginning ----

static uint32_t leader_of(const SiltParts *parts, const Voxel *at)
{
    return silt_parts_leader(parts, silt_parts_at(parts, at->i, at->j, at->k));
}

SiltStatus silt_standing_find(SiltVolume *volume, SiltStanding *out)
{
    *out = (SiltStanding){0};
    SiltParts parts;
    Pieces pieces = {0};
    SiltStatus status = find_pieces(volume, &parts, &pieces);
    if (status == SILT_OK && pieces.count > 0)
        status =
            silt_alloc_for("loose rock", silt_brick_total(volume), sizeof *out->piece, (void **)&out->piece);
    for (size_t n = 0; n < pieces.count && status == SILT_OK; n++) {
        const Voxel *at = &pieces.voxels[n];
        uint32_t *number = &parts.fall[leader_of(&parts, at)];
        if (*number == 0)
            *number = (uint32_t)++out->count;
        uint32_t *piece = &out->piece[silt_volume_brick(volume, at->i, at->j, at->k)];
        *piece = *piece ? *piece : *number;
    }
    out->rock = (double)pieces.count * volume->cell * volume->cell * volume->cell;
    free_pieces(&parts, &pieces);
    return status;
}

void silt_standing_free(SiltStanding *standing)
{
    silt_free(standing->piece);
    *standing = (SiltStanding){0};
}

// Of the loose pieces where each remembered one was, the largest is held; its voxels leave the list.
static SiltStatus hold_standing(SiltParts *parts, const SiltStanding *standing, Pieces *pieces)
{
    uint32_t *largest; // of each remembered piece: the leader of its largest part
    SiltStatus status = silt_alloc_for("loose rock", standing->count + 1, sizeof *largest, (void **)&largest);
    if (status != SILT_OK)
        return status;
    uint32_t *voxels = parts->fall; // of each leader, for now
    for (size_t n = 0; n <= standing->count; n++)
        largest[n] = UINT32_MAX;
    for (size_t n = 0; n < pieces->count; n++)
        voxels[leader_of(parts, &pieces->voxels[n])]++;
    for (size_t n = 0; n < pieces->count; n++) {
        const Voxel *at = &pieces->voxels[n];
        uint32_t leader = leader_of(parts, at);
        uint32_t piece = standing->piece[silt_volume_brick(parts->volume, at->i, at->j, at->k)];
        if (piece > 0 && (largest[piece] == UINT32_MAX || voxels[leader] > voxels[largest[piece]]))
            largest[piece] = leader;
    }
    for (size_t n = 1; n <= standing->count; n++)
        if (largest[n] != UINT32_MAX)
            parts->is_held[largest[n]] = 1;
    size_t kept = 0;
    for (size_t n = 0; n < pieces->count; n++) {
        uint32_t leader = leader_of(parts, &pieces->voxels[n]);
        voxels[leader] = 0;
        if (!parts->is_held[leader])
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
    SiltParts parts;
    Pieces pieces = {0};
    SiltStatus status = find_pieces(volume, &parts, &pieces);
    if (status == SILT_OK && standing && standing->piece)
        status = hold_standing(&parts, standing, &pieces);
    if (status == SILT_OK) {
        measure(&parts, &pieces, out);
        for (size_t n = 0; n < pieces.count && action == SILT_LOOSE_DROP; n++)
            limit_fall(&parts, pieces.voxels[n].i, pieces.voxels[n].j, pieces.voxels[n].k);
        if (action != SILT_LOOSE_REPORT && out->piece_count > 0)
            status = take_away(&parts, &pieces, action == SILT_LOOSE_DROP, out);
    }
    free_pieces(&parts, &pieces);
    return status;
}

SiltStatus silt_volume_loose(SiltVolume *volume, int action, SiltLoose *out)
{
    return silt_volume_loose_from(volume, NULL, action, out);
}
