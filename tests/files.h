// What tests of file formats share: a folder of their own, a small terrain, and the sweep that fails every
// allocation in turn.
#ifndef SILT_TEST_FILES_H
#define SILT_TEST_FILES_H

#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "silt/io.h"

static char test_folder[] = "silt-files-XXXXXX";

static inline int make_test_folder(void **state)
{
    (void)state;
    return mkdtemp(test_folder) ? 0 : -1;
}

static inline int count_files(const char *folder)
{
    int count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        count += entry->d_name[0] != '.';
    if (listing)
        closedir(listing);
    return count;
}

static inline int remove_test_folder(void **state)
{
    (void)state;
    DIR *listing = opendir(test_folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", test_folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(path);
    }
    if (listing)
        closedir(listing);
    return rmdir(test_folder);
}

// "silt-files-abc/name", good until four calls later
static inline const char *test_path(const char *name)
{
    static char paths[4][256];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
    return path;
}

static inline void put_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *path, const char *text)
{
    put_file(path, text, strlen(text));
}

static inline size_t get_file(const char *path, char *data, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(data, 1, size - 1, file);
    data[bytes] = '\0';
    fclose(file);
    return bytes;
}

static inline SiltReadOptions read_options(void)
{
    SiltReadOptions options;
    assert_ok(silt_params_init(&silt_read_params, &options));
    return options;
}

static inline SiltWriteOptions write_options(void)
{
    SiltWriteOptions options;
    assert_ok(silt_params_init(&silt_write_params, &options));
    return options;
}

// Hills with all digits of a float, on the map; some cells without data when `has_holes`.
static inline SiltTerrain *make_hills(int width, int height, bool has_holes)
{
    SiltTerrain *terrain;
    assert_ok(silt_terrain_create(width, height, 30.0, &terrain));
    if (has_holes)
        assert_ok(silt_terrain_require_nodata(terrain));
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            silt_field_row(&terrain->layers[0]->field, j)[i] =
                (float)(1234.5 + 200.0 * sin(0.3 * i) * cos(0.4 * j) + 7.0 * sin(2.1 * i + 1.7 * j));
            if (has_holes && (3 * i + 5 * j + i * j) % 11 == 4) {
                terrain->nodata[j * width + i] = 1;
                silt_field_row(&terrain->layers[0]->field, j)[i] = 0.0f;
            }
        }
    }
    terrain->geo.placed = true;
    terrain->geo.x = 355000.0;
    terrain->geo.y = 3800000.25;
    terrain->geo.step_x = 30.0;
    terrain->geo.step_y = -30.0;
    return terrain;
}

static inline void assert_same_heights(const SiltTerrain *got, const SiltTerrain *wanted, double tolerance)
{
    assert_int_equal(got->width, wanted->width);
    assert_int_equal(got->height, wanted->height);
    for (int j = 0; j < wanted->height; j++)
        for (int i = 0; i < wanted->width; i++) {
            assert_int_equal(silt_terrain_is_nodata(got, i, j), silt_terrain_is_nodata(wanted, i, j));
            assert_near((double)silt_field_at(&got->layers[0]->field, i, j),
                        (double)silt_field_at(&wanted->layers[0]->field, i, j), tolerance);
        }
}

static inline void assert_same_place(const SiltTerrain *got, const SiltTerrain *wanted)
{
    assert_int_equal(got->geo.placed, wanted->geo.placed);
    assert_near(got->geo.x, wanted->geo.x, 1e-6);
    assert_near(got->geo.y, wanted->geo.y, 1e-6);
    assert_near(got->geo.step_x, wanted->geo.step_x, 1e-9);
    assert_near(got->geo.step_y, wanted->geo.step_y, 1e-9);
}

// Writes and reads with the N-th allocation failing, for every N: each time it says so, leaves nothing
// behind, and in the end works.
static inline void sweep_terrain(const SiltTerrain *terrain, const char *path,
                                 const SiltWriteOptions *options)
{
    for (int phase = 0; phase < 2; phase++) {
        int files = count_files(test_folder);
        for (long n = 1;; n++) {
            assert_true(n < 1000);
            SiltTerrain *back = NULL;
            silt_fail_allocation(n);
            SiltStatus status =
                phase ? silt_terrain_read(path, NULL, &back) : silt_terrain_write(terrain, path, options);
            bool is_over = silt_allocation_count() < n;
            silt_fail_allocation(0);
            silt_terrain_destroy(back);
            if (is_over) {
                assert_int_equal(status, SILT_OK);
                break;
            }
            assert_int_equal(status, SILT_NO_MEMORY);
            assert_int_equal(count_files(test_folder), files);
        }
    }
}

static inline void sweep_mesh(const SiltMesh *mesh, const char *path)
{
    for (int phase = 0; phase < 2; phase++) {
        int files = count_files(test_folder);
        for (long n = 1;; n++) {
            assert_true(n < 1000);
            SiltMesh back = {0};
            silt_fail_allocation(n);
            SiltStatus status = phase ? silt_mesh_read(path, &back) : silt_mesh_write(mesh, path);
            bool is_over = silt_allocation_count() < n;
            silt_fail_allocation(0);
            silt_mesh_destroy(&back);
            if (is_over) {
                assert_int_equal(status, SILT_OK);
                break;
            }
            assert_int_equal(status, SILT_NO_MEMORY);
            assert_int_equal(count_files(test_folder), files);
        }
    }
}

// The file cut short at every length is refused with a sentence that names it, never read as something.
static inline void refuse_every_cut(const char *path, bool is_mesh)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    for (off_t cut = info.st_size - 1; cut > 0; cut--) {
        assert_int_equal(truncate(path, cut), 0);
        SiltTerrain *terrain = NULL;
        SiltMesh mesh = {0};
        SiltStatus status = is_mesh ? silt_mesh_read(path, &mesh) : silt_terrain_read(path, NULL, &terrain);
        if (status != SILT_BAD_FILE && status != SILT_BAD_ARGUMENT)
            fail_msg("%s cut to %ld of %ld bytes: status '%s'", path, (long)cut, (long)info.st_size,
                     silt_status_name(status));
        assert_null(terrain);
        assert_null(mesh.positions);
        assert_non_null(strstr(silt_message(), path));
    }
}

static inline void assert_same_mesh(const SiltMesh *got, const SiltMesh *wanted, float normal_tolerance)
{
    assert_int_equal(got->vertex_count, wanted->vertex_count);
    assert_int_equal(got->triangle_count, wanted->triangle_count);
    assert_memory_equal(got->indices, wanted->indices, 12 * wanted->triangle_count);
    for (size_t k = 0; k < 3 * wanted->vertex_count; k++) {
        assert_true(got->positions[k] == wanted->positions[k]);
        assert_near((double)got->normals[k], (double)wanted->normals[k], (double)normal_tolerance);
    }
    for (int axis = 0; axis < 3; axis++)
        assert_near(got->origin[axis], wanted->origin[axis], 1e-9);
}

// A mesh format gives back what it was given: plain, with holes, closed.
static inline void check_meshes_come_back(const char *name, float tolerance)
{
    for (int kind = 0; kind < 4; kind++) {
        SiltTerrain *hills = make_hills(9, 7, kind & 1);
        SiltMesh mesh, back;
        assert_ok(silt_mesh_from_terrain(hills, kind & 2 ? 10.0 : 0.0, &mesh));
        assert_ok(silt_mesh_write(&mesh, test_path(name)));
        assert_ok(silt_mesh_read(test_path(name), &back));
        assert_same_mesh(&back, &mesh, tolerance);
        silt_mesh_destroy(&back);
        silt_mesh_destroy(&mesh);
        silt_terrain_destroy(hills);
    }
}

// ... and does without normals.
static inline void check_normals_may_be_missing(const char *name)
{
    float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t indices[] = {0, 1, 2};
    SiltMesh mesh = {.vertex_count = 3, .triangle_count = 1, .positions = positions, .indices = indices},
             back;
    assert_ok(silt_mesh_write(&mesh, test_path(name)));
    assert_ok(silt_mesh_read(test_path(name), &back));
    assert_null(back.normals);
    assert_memory_equal(back.positions, positions, sizeof positions);
    assert_memory_equal(back.indices, indices, sizeof indices);
    silt_mesh_destroy(&back);
}

#endif
