// What is done only where rock has changed comes to the same as doing it everywhere.
#include "core/memory.h"
#include "erode_help.h"
#include "volume/brick.h"
#include "volumes.h"

static uint32_t random_word(uint64_t n, int word)
{
    return silt_random(17, SILT_STREAM_TEST, n, 0).word[word];
}

// Shallow dents and bumps in a few places of the surface.
static void dent(SiltVolume *volume, uint64_t round)
{
    for (uint64_t n = 0; n < 6; n++) {
        int centre[3];
        for (int axis = 0; axis < 3; axis++)
            centre[axis] =
                6 + (int)(random_word(100 * round + n, axis) % (uint32_t)(volume->size[axis] - 12));
        for (int k = -6; k <= 6; k++)
            for (int j = -6; j <= 6; j++)
                for (int i = -6; i <= 6; i++) {
                    int at[3] = {centre[0] + i, centre[1] + j, centre[2] + k};
                    float phi = silt_volume_at(volume, at[0], at[1], at[2]);
                    float hat = 1.0f - (float)(i * i + j * j + k * k) / 36.0f;
                    if (fabsf(phi) < 3.0f && hat > 0.0f)
                        assert_ok(silt_volume_set(volume, at[0], at[1], at[2],
                                                  phi + (n % 2 ? 0.3f : -0.3f) * hat * hat));
                }
    }
}

static SiltVolume *make_ring(int side)
{
    SiltVolume *volume = make_shape("torus", 93, 81, 74, side);
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL | SILT_REDISTANCE_HOLD));
    return volume;
}

static SiltVolume *copy_of(const SiltVolume *from)
{
    SiltVolume *to;
    size_t total = silt_brick_total(from);
    assert_ok(silt_volume_create(from->size, from->side, from->cell, NULL, 0, &to));
    for (size_t brick = 0; brick < total; brick++) {
        if (silt_volume_is_uniform(from, brick)) {
            silt_volume_release(to, brick, from->table[brick] == from->solid);
            continue;
        }
        assert_ok(silt_volume_require(to, brick));
        memcpy(to->table[brick], from->table[brick], silt_brick_voxels(from) * sizeof(float));
    }
    memcpy(to->flags, from->flags, total);
    return to;
}

static bool is_same(const SiltVolume *a, const SiltVolume *b, size_t brick)
{
    return memcmp(a->table[brick], b->table[brick], silt_brick_voxels(a) * sizeof(float)) == 0;
}

// Bricks asked for become what they become when all are done, to the last bit; the others keep every byte.
static void check_asked(SiltVolume *volume, const uint8_t *is_asked)
{
    SiltVolume *all = copy_of(volume), *before = copy_of(volume);
    size_t done = 0, moved = 0;
    assert_ok(silt_volume_redistance_of(volume, is_asked, SILT_REDISTANCE_HOLD));
    assert_ok(silt_volume_redistance(all, SILT_REDISTANCE_ALL | SILT_REDISTANCE_HOLD));
    for (size_t brick = 0; brick < silt_brick_total(volume); brick++) {
        bool was_uniform = silt_volume_is_uniform(before, brick);
        if (is_asked[brick] && !was_uniform)
            assert_true(is_same(volume, all, brick));
        else if (!was_uniform)
            assert_true(is_same(volume, before, brick));
        done += is_asked[brick] && !was_uniform;
        moved += !is_same(volume, before, brick);
    }
    assert_true(done > 10 && done < volume->brick_count && moved > 0);
    silt_volume_destroy(all);
    silt_volume_destroy(before);
}

static void bricks_asked_for_are_done_as_all(void **state)
{
    (void)state;
    for (int side = 8; side <= 16; side += 8) {
        SiltVolume *volume = make_ring(side);
        size_t total = silt_brick_total(volume);
        uint8_t *is_asked = silt_alloc(total);
        assert_non_null(is_asked);
        for (uint64_t round = 0; round < 6; round++) {
            dent(volume, round);
            for (size_t brick = 0; brick < total; brick++)
                is_asked[brick] = random_word(1000 * round + brick, 3) % 3 == 0;
            check_asked(volume, is_asked);
        }
        silt_free(is_asked);
        silt_volume_destroy(volume);
    }
}

// Hundreds of times a part of the bricks, the surface stays where it is.
static void parts_move_nothing(void **state)
{
    (void)state;
    SiltVolume *volume = make_ring(8);
    size_t total = silt_brick_total(volume);
    uint8_t *is_asked = silt_alloc(total);
    assert_non_null(is_asked);
    dent(volume, 7);
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED | SILT_REDISTANCE_HOLD));
    double rock = silt_volume_rock(volume);
    for (uint64_t round = 0; round < 60; round++) {
        for (size_t brick = 0; brick < total; brick++)
            is_asked[brick] = random_word(1000 * round + brick, 3) % 3 == 0;
        assert_ok(silt_volume_redistance_of(volume, is_asked, SILT_REDISTANCE_HOLD));
    }
    assert_near(silt_volume_rock(volume), rock, 1e-7 * rock);
    silt_free(is_asked);
    silt_volume_destroy(volume);
}

// Rock measured again where it has changed is, to the last bit, that of all; and only that is measured.
static void rock_is_measured_where_it_changed(void **state)
{
    (void)state;
    for (int side = 8; side <= 16; side += 8) {
        SiltVolume *volume = make_ring(side);
        size_t total = silt_brick_total(volume);
        double *of_brick = silt_alloc_array(total, sizeof *of_brick);
        assert_non_null(of_brick);
        assert_true(silt_volume_rock_again(volume, of_brick) == silt_volume_rock(volume));
        for (uint64_t round = 0; round < 8; round++) {
            dent(volume, round);
            if (round % 2)
                assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED));
            assert_true(silt_volume_rock_again(volume, of_brick) == silt_volume_rock(volume));
        }
        of_brick[0] += 5.0; // nobody looks there again
        assert_ok(silt_volume_set(volume, 60, 60, 37, 0.5f));
        assert_near(silt_volume_rock_again(volume, of_brick), silt_volume_rock(volume) + 5.0, 1e-9);
        silt_free(of_brick);
        silt_volume_destroy(volume);
    }
}

// ---- falling rock ----

// Pieces that a plain search from voxel to voxel finds.
static size_t flood(const SiltVolume *volume, size_t *loose_voxels)
{
    const int *size = volume->size;
    size_t total = (size_t)size[0] * (size_t)size[1] * (size_t)size[2], pieces = 0;
    uint8_t *seen = silt_alloc(total);
    size_t *stack = silt_alloc_array(6 * total, sizeof *stack);
    assert_true(seen && stack);
    *loose_voxels = 0;
    for (size_t from = 0; from < total; from++) {
        size_t depth = 0, found = 0;
        bool is_held = false;
        for (stack[depth++] = from; depth > 0;) {
            size_t at = stack[--depth];
            int place[3] = {(int)(at % (size_t)size[0]), (int)(at / (size_t)size[0] % (size_t)size[1]),
                            (int)(at / (size_t)size[0] / (size_t)size[1])};
            if (seen[at] || !(silt_volume_at(volume, place[0], place[1], place[2]) > 0.0f))
                continue;
            seen[at] = 1;
            found++;
            is_held = is_held || place[2] <= 1;
            size_t step = 1;
            for (int axis = 0; axis < 3; step *= (size_t)size[axis++]) {
                if (place[axis] > 0 && !seen[at - step])
                    stack[depth++] = at - step;
                if (place[axis] + 1 < size[axis] && !seen[at + step])
                    stack[depth++] = at + step;
            }
        }
        pieces += found > 0 && !is_held;
        *loose_voxels += is_held ? 0 : found;
    }
    silt_free(seen);
    silt_free(stack);
    return pieces;
}

// Random rock of every density, up to one solid piece: the pieces are those of the plain search.
static void pieces_are_those_of_a_flood(void **state)
{
    (void)state;
    for (int round = 0; round < 10; round++) {
        const int size[3] = {21, 26, 18};
        SiltVolume *volume;
        SiltLoose loose;
        assert_ok(silt_volume_create(size, round % 2 ? 16 : 8, 1.0, NULL, 0, &volume));
        for (int k = 0; k < size[2]; k++)
            for (int j = 0; j < size[1]; j++)
                for (int i = 0; i < size[0]; i++) {
                    uint64_t n = (uint64_t)(((round * 64 + k) * 64 + j) * 64 + i);
                    bool is_rock = silt_uniform(random_word(n, 0)) < 0.11f * (float)(round + 1);
                    assert_ok(silt_volume_set(volume, i, j, k, is_rock ? 1.0f : -1.0f));
                }
        size_t voxels, pieces = flood(volume, &voxels);
        assert_ok(silt_volume_loose(volume, SILT_LOOSE_REPORT, &loose));
        assert_int_equal(loose.piece_count, pieces);
        assert_near(loose.rock, (double)voxels, 1e-9);
        if (round < 3)
            assert_true(pieces > 100);
        silt_volume_destroy(volume);
    }
}

// ---- between two re-initialisations ----

// Steps at which nothing was re-initialised for a while. Where phi is made a distance everywhere then, it
// changes by no more than voxel's rule allows, a fiftieth of a voxel; at edges, where two patches are equally
// near, by a little more. (Stronger wear has sharper edges, and doing all of it twice flips more there.)
static void phi_is_never_far_from_a_distance(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_terrain(64, 64, 1.0);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            silt_field_row(silt_terrain_layer(terrain, "height"), j)[i] =
                0.25f * (float)j + 3.0f * sinf(0.15f * (float)i) * cosf(0.12f * (float)j);
    SiltReport report = erode_steps(terrain, "voxel",
                                    "rain=100000 particles=20000 fall=1 capacity=0.4 sinking=5 most=4 "
                                    "dissolve_normal=0.1 dissolve_tangent=0.15 deposit=2",
                                    411);
    assert_true(report.ledger.rock.moved > 30.0);
    assert_true(silt_account_imbalance_fraction(&report.ledger.rock) < 0.005);
    SiltVolume *volume = terrain->volume, *before = copy_of(volume);
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_ALL | SILT_REDISTANCE_HOLD));
    size_t count = 0, off = 0;
    double worst = 0.0, sum = 0.0;
    for (int k = 0; k < volume->size[2]; k++)
        for (int j = 0; j < volume->size[1]; j++)
            for (int i = 0; i < volume->size[0]; i++) {
                float was = silt_volume_at(before, i, j, k), is = silt_volume_at(volume, i, j, k);
                double by = fabs((double)(is - was));
                if (!(fabsf(was) < volume->band) && !(fabsf(is) < volume->band))
                    continue;
                worst = fmax(worst, by);
                sum += by;
                off += by > 0.02;
                count++;
            }
    assert_true(worst < 0.06);
    assert_true(sum < 1e-3 * (double)count);
    assert_true(off < count / 1000);
    silt_volume_destroy(before);
    silt_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bricks_asked_for_are_done_as_all),  cmocka_unit_test(parts_move_nothing),
        cmocka_unit_test(rock_is_measured_where_it_changed), cmocka_unit_test(pieces_are_those_of_a_flood),
        cmocka_unit_test(phi_is_never_far_from_a_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
