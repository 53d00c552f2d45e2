#include "files.h"

#include "core/sum.h"
#include "volumes.h"

static void volumes_come_back_whole(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_hills(20, 17, false);
    SiltField *map;
    assert_ok(silt_terrain_require(terrain, "soft", &map));
    silt_field_fill(map, 2.5f);
    SiltVolumeOptions options;
    assert_ok(silt_params_init(&silt_volume_params, &options));
    snprintf(options.erodibility, sizeof options.erodibility, "soft");
    SiltRock rock = {.kind = SILT_ROCK_NOISE, .low = 0.1, .high = 0.9, .size = 200.0, .dip = {0.5, -0.25}};
    SiltVolume *volume, *back;
    assert_ok(silt_volume_from_terrain(terrain, &options, &rock, 0x123456789ABCu, &volume));
    assert_ok(silt_volume_write(volume, test_path("hills.siltvol")));
    assert_ok(silt_volume_read(test_path("hills.siltvol"), &back));
    assert_true(silt_volume_hash(back) == silt_volume_hash(volume));
    assert_int_equal(back->brick_count, volume->brick_count);
    assert_memory_equal(back->origin, volume->origin, sizeof volume->origin);
    assert_true(back->rock.kind == rock.kind && back->rock.low == rock.low && back->rock.high == rock.high);
    assert_true(back->rock.size == rock.size && back->rock.dip[0] == 0.5 && back->rock.dip[1] == -0.25);
    assert_true(back->rock_seed == volume->rock_seed && back->cell == volume->cell);
    // rock that comes to the surface later is the same too
    assert_ok(silt_volume_set(volume, 3, 3, 1, -0.5f));
    assert_ok(silt_volume_set(back, 3, 3, 1, -0.5f));
    assert_ok(silt_volume_redistance(volume, SILT_REDISTANCE_TOUCHED));
    assert_ok(silt_volume_redistance(back, SILT_REDISTANCE_TOUCHED));
    assert_true(silt_volume_hash(back) == silt_volume_hash(volume));
    silt_volume_destroy(volume);
    silt_volume_destroy(back);
    silt_terrain_destroy(terrain);
}

// As somebody who means harm would.
static void mend(char *bytes, size_t length)
{
    uint64_t sum = silt_sum_of(bytes, length - 8);
    memcpy(bytes + length - 8, &sum, 8);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    const char *path = test_path("cut.siltvol");
    SiltVolume *volume = make_sphere(10, 8, 3.0), *back;
    assert_ok(silt_volume_write(volume, path));
    silt_volume_destroy(volume);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    static char bytes[1 << 17];
    size_t length = get_file(path, bytes, sizeof bytes);
    assert_int_equal((off_t)length, info.st_size);
    for (size_t cut = 0; cut < length; cut += cut < 200 ? 1 : 997) {
        put_file(path, bytes, cut);
        assert_fails(silt_volume_read(path, &back), SILT_BAD_FILE, path);
        assert_null(back);
    }
    for (size_t at = 8; at < 24; at++) { // sizes
        char kept = bytes[at];
        bytes[at] = (char)0xFF;
        mend(bytes, length);
        put_file(path, bytes, length);
        assert_fails(silt_volume_read(path, &back), SILT_BAD_FILE, path);
        assert_null(strstr(silt_message(), "damaged"));
        bytes[at] = kept;
    }
    memset(bytes + length - 12, 0xFF, 4);
    mend(bytes, length);
    put_file(path, bytes, length);
    assert_fails(silt_volume_read(path, &back), SILT_BAD_FILE, "not a finite number");
}

// Any bit that is another is told, wherever it lies; files without a sum, of the former version, are read.
static void every_bit_is_looked_at(void **state)
{
    (void)state;
    const char *path = test_path("bit.siltvol");
    SiltVolume *volume = make_sphere(10, 8, 3.0), *back;
    volume->is_placed = true;
    snprintf(volume->crs, sizeof volume->crs, "EPSG:32611");
    assert_ok(silt_volume_write(volume, path));
    static char bytes[1 << 17];
    size_t length = get_file(path, bytes, sizeof bytes);
    assert_memory_equal(bytes, "SILTVOL2", 8);
    for (size_t at = 0; at < length; at += at < 300 || at + 100 > length ? 1 : 37) {
        bytes[at] ^= (char)(1 << at % 8);
        put_file(path, bytes, length);
        assert_fails(silt_volume_read(path, &back), SILT_BAD_FILE,
                     at < 8 ? path : "bit.siltvol: the volume is damaged or cut off");
        assert_null(back);
        bytes[at] ^= (char)(1 << at % 8);
    }
    bytes[7] = '1';
    put_file(path, bytes, length - 8);
    assert_ok(silt_volume_read(path, &back));
    assert_true(silt_volume_hash(back) == silt_volume_hash(volume));
    assert_string_equal(back->crs, "EPSG:32611");
    silt_volume_destroy(back);
    silt_volume_destroy(volume);
}

// Rock from a mesh goes back to where the mesh lay, by way of a file too; and far out on a map it keeps its
// offset beside it.
static void meshes_keep_their_coordinates(void **state)
{
    (void)state;
    const char *path = test_path("frame.siltvol");
    SiltVolume *ball = make_sphere(24, 8, 8.0);
    SiltMesh mesh;
    assert_ok(silt_volume_mesh(ball, false, &mesh));
    for (int case_number = 0; case_number < 2; case_number++) {
        const double origin[3] = {500000.0, 4123456.0, 100.0};
        SiltVolume *volume, *back;
        SiltMesh again;
        for (int axis = 0; axis < 3; axis++)
            mesh.origin[axis] = case_number * origin[axis];
        assert_ok(silt_volume_from_mesh(&mesh, 24, 8, NULL, 0, &volume));
        volume->is_placed = case_number == 1;
        assert_ok(silt_volume_write(volume, path));
        assert_ok(silt_volume_read(path, &back));
        assert_ok(silt_volume_mesh(back, false, &again));
        silt_volume_place_mesh(back, &again);
        for (size_t axis = 0; axis < 3; axis++) {
            float low = 1e30f, high = -1e30f;
            for (size_t v = 0; v < again.vertex_count; v++) {
                low = fminf(low, again.positions[3 * v + axis]);
                high = fmaxf(high, again.positions[3 * v + axis]);
            }
            assert_near(again.origin[axis], mesh.origin[axis], 0.0);
            assert_near((double)low, 11.5 - 8.0, 0.05);
            assert_near((double)high, 11.5 + 8.0, 0.05);
        }
        silt_mesh_destroy(&again);
        silt_volume_destroy(volume);
        silt_volume_destroy(back);
    }
    silt_mesh_destroy(&mesh);
    silt_volume_destroy(ball);
}

// Rock cannot be less than not erodible.
static void negative_erodibility_is_refused(void **state)
{
    (void)state;
    const char *path = test_path("soft.siltvol");
    SiltTerrain *terrain = make_hills(20, 17, false);
    SiltField *map;
    assert_ok(silt_terrain_require(terrain, "soft", &map));
    silt_field_fill(map, 1.0f);
    SiltVolumeOptions options;
    assert_ok(silt_params_init(&silt_volume_params, &options));
    snprintf(options.erodibility, sizeof options.erodibility, "soft");
    SiltVolume *volume, *back;
    assert_ok(silt_volume_from_terrain(terrain, &options, NULL, 0, &volume));
    silt_field_row(&volume->rock_map, 2)[3] = -0.5f;
    assert_ok(silt_volume_write(volume, path));
    assert_fails(silt_volume_read(path, &back), SILT_BAD_FILE, "below zero");
    silt_volume_destroy(volume);
    silt_field_row(map, 2)[3] = -0.5f;
    assert_fails(silt_volume_from_terrain(terrain, &options, NULL, 0, &volume), SILT_BAD_ARGUMENT,
                 "below zero in column 3, row 2");
    silt_terrain_destroy(terrain);
}

static void failed_allocations_are_told(void **state)
{
    (void)state;
    const char *path = test_path("sweep.siltvol");
    SiltVolume *volume = make_sphere(20, 8, 6.0);
    for (int phase = 0; phase < 3; phase++)
        for (long n = 1;; n++) {
            assert_true(n < 1000);
            SiltVolume *back = NULL;
            SiltMesh mesh = {0};
            silt_fail_allocation(n);
            SiltStatus status = phase == 0   ? silt_volume_write(volume, path)
                                : phase == 1 ? silt_volume_read(path, &back)
                                             : silt_volume_mesh(volume, false, &mesh);
            bool is_over = silt_allocation_count() < n;
            silt_fail_allocation(0);
            silt_volume_destroy(back);
            silt_mesh_destroy(&mesh);
            if (is_over) {
                assert_int_equal(status, SILT_OK);
                break;
            }
            assert_int_equal(status, SILT_NO_MEMORY);
        }
    silt_volume_destroy(volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_come_back_whole),         cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(negative_erodibility_is_refused), cmocka_unit_test(meshes_keep_their_coordinates),
        cmocka_unit_test(failed_allocations_are_told),     cmocka_unit_test(every_bit_is_looked_at),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
