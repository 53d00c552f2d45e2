// Particles in files.
#include "test.h"

#include <unistd.h>

#include "io/bytes.h"
#include "io/output.h"
#include "silt/erode.h"
#include "silt/io.h"

static const float numbers[] = {1.0f, 2.0f, 3.0f};
static const int64_t ids[] = {7, 8, 9};
static const SiltParticles three = {.count = 3,
                                    .x = numbers,
                                    .y = numbers,
                                    .z = numbers,
                                    .u = numbers,
                                    .v = numbers,
                                    .w = numbers,
                                    .density = numbers,
                                    .sediment = numbers,
                                    .id = ids,
                                    .low = 100.0,
                                    .load = 0.5,
                                    .west = 0.5,
                                    .south = 9.5};

static void read_back(const char *path, char **data, size_t *bytes)
{
    assert_ok(silt_read_file(path, 1 << 20, data, bytes));
    unlink(path);
}

static void ply_holds_what_was_given(void **state)
{
    (void)state;
    char *data = NULL;
    size_t bytes;
    assert_ok(silt_particles_write(&three, "three.ply"));
    read_back("three.ply", &data, &bytes);
    assert_non_null(strstr(data, "element vertex 3\n"));
    const char *body = strstr(data, "end_header\n") + strlen("end_header\n");
    assert_int_equal(bytes - (size_t)(body - data), 3 * 36);
    const float wanted[] = {0.5f, 8.5f, 101.0f, 1.0f, -1.0f, 1.0f, 1.0f, 0.5f}; // east, north, up
    for (int k = 0; k < 8; k++)
        assert_true(silt_load_f32(body + 4 * k, false) == wanted[k]);
    assert_int_equal(silt_load_u32(body + 32, false), 7);
    silt_free(data);
}

static void vtp_arrays_lie_where_it_says(void **state)
{
    (void)state;
    char *data = NULL;
    size_t bytes;
    assert_ok(silt_particles_write(&three, "three.vtp"));
    read_back("three.vtp", &data, &bytes);
    const char *raw = strstr(data, "encoding=\"raw\">\n_") + strlen("encoding=\"raw\">\n_");
    static const struct {
        const char *name;
        int components;
    } arrays[] = {{"velocity", 3}, {"density", 1},  {"sediment", 1},
                  {"id", 1},       {"position", 3}, {"offsets", 1}};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        char name[64];
        snprintf(name, sizeof name, "Name=\"%s\"", arrays[k].name);
        const char *at = strstr(data, name);
        assert_non_null(at);
        long offset = strtol(strstr(at, "offset=\"") + 8, NULL, 10);
        assert_int_equal(silt_load_u32(raw + offset, false), 3 * 4 * arrays[k].components);
        if (strcmp(arrays[k].name, "position") == 0)
            assert_true(silt_load_f32(raw + offset + 4 + 12, false) == 1.5f);
    }
    silt_free(data);
}

static void other_endings_are_refused(void **state)
{
    (void)state;
    assert_fails(silt_particles_write(&three, "three.xyz"), SILT_BAD_ARGUMENT, ".ply or .vtp");
    assert_fails(silt_particles_write(&three, "three"), SILT_BAD_ARGUMENT, ".ply or .vtp");
    assert_int_equal(silt_particles_write(&three, "no/such/folder/three.ply"), SILT_IO_ERROR);
}

// What is written is read back, in either format, and written again the same.
static void particles_come_back(void **state)
{
    (void)state;
    SiltParticles spaced = three;
    spaced.spacing = 0.25;
    const char *const endings[] = {"ply", "vtp"};
    for (int k = 0; k < 2; k++) {
        char path[32], again[32];
        snprintf(path, sizeof path, "back.%s", endings[k]);
        snprintf(again, sizeof again, "again.%s", endings[k]);
        assert_ok(silt_particles_write(&spaced, path));
        assert_true(silt_path_is_particles(path));
        SiltParticles *read, *copy;
        assert_ok(silt_particles_read(path, &read));
        assert_int_equal(read->count, 3);
        assert_true(read->spacing == 0.25);
        for (int i = 0; i < 3; i++) {
            assert_true(read->x[i] == numbers[i] - 0.5f);
            assert_true(read->south - (double)read->y[i] == 9.5 - (double)numbers[i]);
            assert_true((double)read->z[i] + read->low == 100.0 + (double)numbers[i]);
            assert_true(read->v[i] == numbers[i]);
            assert_true((double)read->sediment[i] * read->load == 0.5 * (double)numbers[i]);
        }
        assert_ok(silt_particles_clone(read, &copy));
        silt_particles_destroy(read);
        assert_ok(silt_particles_write(copy, again));
        silt_particles_destroy(copy);
        char *one, *two;
        size_t bytes[2];
        read_back(path, &one, &bytes[0]);
        read_back(again, &two, &bytes[1]);
        assert_int_equal(bytes[0], bytes[1]);
        assert_memory_equal(one, two, bytes[0]);
        silt_free(one);
        silt_free(two);
    }
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    char *data;
    size_t bytes;
    SiltParticles *read;
    const char *const endings[] = {"ply", "vtp"};
    for (int k = 0; k < 2; k++) {
        char path[32];
        snprintf(path, sizeof path, "cut.%s", endings[k]);
        assert_ok(silt_particles_write(&three, path));
        read_back(path, &data, &bytes);
        for (size_t cut = 0; cut + 60 < bytes; cut += 7) { // 60: the closing tags of VTK
            assert_ok(silt_write_file(path, data, cut));
            SiltStatus status = silt_particles_read(path, &read);
            if (status == SILT_OK)
                silt_particles_destroy(read);
            assert_true(k == 1 || status == SILT_BAD_FILE);
        }
        silt_free(data);
        unlink(path);
    }
    assert_fails(silt_particles_read("three.xyz", &read), SILT_BAD_ARGUMENT, ".ply or .vtp");
    assert_int_equal(silt_particles_read("nothing.ply", &read), SILT_IO_ERROR);
}

// Those that are no numbers go, and are counted.
static void particles_that_are_no_numbers_are_left_out(void **state)
{
    (void)state;
    float bad[3] = {numbers[0], NAN, numbers[2]}, worse[3] = {NAN, INFINITY, NAN};
    SiltParticles two = three, none = three, *read;
    two.u = bad;
    none.w = worse;
    const char *const paths[] = {"bad.ply", "bad.vtp"};
    for (int k = 0; k < 2; k++) {
        assert_ok(silt_particles_write(&two, paths[k]));
        assert_ok(silt_particles_read(paths[k], &read));
        assert_true(read->count == 2 && read->left_out == 1);
        assert_true(read->u[1] == numbers[2] && read->x[1] == numbers[2] - 0.5f);
        silt_particles_destroy(read);
        assert_ok(silt_particles_write(&none, paths[k]));
        assert_fails(silt_particles_read(paths[k], &read), SILT_BAD_FILE, "not one of its 3 particles");
        unlink(paths[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ply_holds_what_was_given),
        cmocka_unit_test(vtp_arrays_lie_where_it_says),
        cmocka_unit_test(other_endings_are_refused),
        cmocka_unit_test(particles_come_back),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(particles_that_are_no_numbers_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
