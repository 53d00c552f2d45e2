#include <math.h>

#include "files.h"

#include "io/picture.h"
#include "mesh/mesh.h"
#include "silt/masks.h"

static void meshes_come_back(void **state)
{
    (void)state;
    check_meshes_come_back("a.glb", 1e-6f);
}

static void normals_may_be_missing(void **state)
{
    (void)state;
    check_normals_may_be_missing("plain.glb");
}

// A triangle (0 0 0) (1 0 0) (0 1 0), then indices 0 1 2 as bytes.
static SiltStatus read_json(const char *json, SiltMesh *out)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    char file[4096] = "glTF\2\0\0\0";
    uint32_t length = (uint32_t)((strlen(json) + 3) / 4 * 4), binary = 40, whole = 28 + length + binary;
    memcpy(file + 8, &whole, 4);
    memcpy(file + 12, &length, 4);
    memcpy(file + 16, "JSON", 4);
    memset(file + 20, ' ', length);
    memcpy(file + 20, json, strlen(json));
    memcpy(file + 20 + length, &binary, 4);
    memcpy(file + 24 + length, "BIN", 4);
    memcpy(file + 28 + length, positions, sizeof positions);
    memcpy(file + 28 + length + 36, "\0\1\2", 3);
    put_file(test_path("json.glb"), file, whole);
    return silt_mesh_read(test_path("json.glb"), out);
}

#define HEAD "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":39}],"
#define VIEWS                                                                                                \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":3}],"
#define ACCESSORS                                                                                            \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                \
    "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}],"
#define MESH  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
#define SCENE "\"scenes\":[{\"nodes\":[0]}],"

// Moved by the parent, scaled by the child, mirrored: y up becomes z up, and the triangle still faces the
// same way.
static void nodes_move_their_meshes(void **state)
{
    (void)state;
    SiltMesh mesh;
    assert_ok(read_json(HEAD VIEWS ACCESSORS MESH SCENE
                        "\"nodes\":[{\"children\":[1],\"translation\":[10,20,30]},"
                        "{\"mesh\":0,\"scale\":[2,3,-1]}]}",
                        &mesh));
    static const float wanted[] = {10, -30, 20, 12, -30, 20, 10, -30, 23};
    assert_memory_equal(mesh.positions, wanted, sizeof wanted);
    static const uint32_t turned[] = {0, 2, 1};
    assert_memory_equal(mesh.indices, turned, sizeof turned);
    silt_mesh_destroy(&mesh);
    // a quarter turn about y takes x to -z, which is north
    assert_ok(read_json(HEAD VIEWS ACCESSORS MESH SCENE
                        "\"nodes\":[{\"mesh\":0,\"rotation\":[0,0.7071067811865476,0,0.7071067811865476]}]}",
                        &mesh));
    assert_near((double)mesh.positions[3], 0.0, 1e-6);
    assert_near((double)mesh.positions[4], 1.0, 1e-6);
    silt_mesh_destroy(&mesh);
    assert_ok(read_json(HEAD VIEWS ACCESSORS MESH SCENE
                        "\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}]}",
                        &mesh));
    assert_near((double)mesh.positions[2], 6.0, 0.0);
    silt_mesh_destroy(&mesh);
    assert_ok(read_json(
        HEAD VIEWS ACCESSORS
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},"
        "{\"attributes\":{\"POSITION\":0},\"indices\":1},{\"attributes\":{\"POSITION\":0},\"mode\":1}]}]}",
        &mesh));
    assert_int_equal(mesh.triangle_count, 2);
    assert_int_equal(mesh.vertex_count, 6);
    silt_mesh_destroy(&mesh);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *words;
    } cases[] = {
        {HEAD VIEWS ACCESSORS MESH SCENE "\"nodes\":[{\"children\":[0]}]}", "do not form a tree"},
        {HEAD VIEWS ACCESSORS MESH SCENE "\"nodes\":[{\"mesh\":4}]}", "a mesh that is not there"},
        {HEAD VIEWS ACCESSORS MESH SCENE "\"nodes\":[]}", "a node that is not there"},
        {HEAD VIEWS ACCESSORS MESH SCENE "\"nodes\":[{}]}", "no triangles"},
        {HEAD VIEWS ACCESSORS MESH "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", "KHR_draco"},
        {HEAD VIEWS "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"
                    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
         "beyond"},
        {HEAD VIEWS
         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4000000000,\"type\":\"VEC3\"}],"
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
         "beyond"},
        {HEAD "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
              "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
         "no buffer"},
        {HEAD VIEWS ACCESSORS "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}]}",
         "float vectors"},
        {"{\"asset\":", "JSON"},
        {"[1,2,]", "JSON"},
        {"{}", "no triangles"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        SiltMesh mesh;
        SiltStatus status = read_json(cases[k].json, &mesh);
        assert_int_equal(status, SILT_BAD_FILE);
        if (!strstr(silt_message(), cases[k].words))
            fail_msg("case %zu: '%s' does not say '%s'", k, silt_message(), cases[k].words);
        assert_null(mesh.positions);
    }
}

static void what_is_written_is_gltf(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(3, 3, false);
    char data[4096];
    assert_ok(silt_terrain_write(hills, test_path("head.glb"), NULL));
    size_t bytes = get_file(test_path("head.glb"), data, sizeof data);
    uint32_t words[5];
    memcpy(words, data, sizeof words);
    assert_memory_equal(data, "glTF", 4);
    assert_int_equal(words[1], 2);
    assert_int_equal(words[2], bytes);
    assert_int_equal(words[3] % 4, 0);
    assert_memory_equal(data + 16, "JSON", 4);
    assert_memory_equal(data + 20 + words[3] + 4, "BIN", 4);
    uint32_t binary;
    memcpy(&binary, data + 20 + words[3], 4);
    assert_int_equal(binary, 9 * (24 + 8 + 8) + 8 * 12); // place, normal, on the map, colour; corners
    assert_int_equal(bytes, 20 + words[3] + 8 + binary);
    silt_terrain_destroy(hills);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 3, false);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 1.0, &mesh));
    sweep_mesh(&mesh, test_path("sweep.glb"));
    refuse_every_cut(test_path("sweep.glb"), true);
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

// A vertex at the centre of a cell lies at the centre of its pixel, rows from the north; a mesh of no map has
// no such places.
static void maps_lie_on_their_meshes(void **state)
{
    (void)state;
    SiltTerrain *hills = make_hills(4, 3, false);
    SiltMesh mesh;
    assert_ok(silt_mesh_from_terrain(hills, 0.0, &mesh));
    assert_ok(silt_mesh_write(&mesh, test_path("map.glb")));
    char file[4096] = "";
    get_file(test_path("map.glb"), file, sizeof file);
    uint32_t json;
    memcpy(&json, file + 12, 4);
    assert_non_null(strstr(file + 20, "\"TEXCOORD_0\":2"));
    const char *places = file + 20 + json + 8 + 24 * mesh.vertex_count;
    for (size_t k = 0; k < mesh.vertex_count; k++) {
        float uv[2];
        memcpy(uv, places + 8 * k, sizeof uv);
        double column = (double)mesh.positions[3 * k] / hills->cell,
               row = 2.0 - (double)mesh.positions[3 * k + 1] / hills->cell;
        assert_near((double)uv[0], (column + 0.5) / 4.0, 1e-6);
        assert_near((double)uv[1], (row + 0.5) / 3.0, 1e-6);
    }
    memset(mesh.frame, 0, sizeof mesh.frame);
    assert_ok(silt_mesh_write(&mesh, test_path("map.glb")));
    get_file(test_path("map.glb"), file, sizeof file);
    assert_null(strstr(file + 20, "TEXCOORD"));
    silt_mesh_destroy(&mesh);
    silt_terrain_destroy(hills);
}

// ---- colours ----

// Where the numbers of an attribute begin, and what is said of them.
static const unsigned char *find_colours(const char *file, size_t vertices, bool has_places)
{
    uint32_t json;
    memcpy(&json, file + 12, 4);
    assert_non_null(strstr(file + 20, has_places ? "\"COLOR_0\":3" : "\"COLOR_0\":2"));
    char wanted[160];
    snprintf(wanted, sizeof wanted,
             "{\"bufferView\":%d,\"componentType\":5123,\"count\":%zu,\"type\":\"VEC4\",\"normalized\":true}",
             has_places ? 3 : 2, vertices);
    assert_non_null(strstr(file + 20, wanted));
    assert_non_null(strstr(file + 20, "\"baseColorFactor\":[1,1,1,1]")); // it is multiplied by the colours
    size_t before = (24 + (has_places ? 8u : 0u)) * vertices;
    assert_int_equal(before % 4, 0);
    return (const unsigned char *)file + 20 + json + 8 + before;
}

// IEC 61966-2-1, the other way than silt_masks_write goes.
static double linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static SiltTerrain *make_mountains(int width, int height)
{
    SiltTerrain *terrain = make_hills(width, height, false);
    SiltField *heights = silt_terrain_layer(terrain, "height");
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) // meadows, cliffs and snow
            silt_field_row(heights, j)[i] = (float)(fabs(sin(0.3 * i) * cos(0.23 * j)) * 1900.0 + 3.0 * i);
    terrain->cell = 60.0;
    return terrain;
}

// Every vertex has the colour that the colour map has at its cell, in linear light; both meshes of a map, and
// in a desert too.
static void colours_are_those_of_the_map(void **state)
{
    (void)state;
    SiltTerrain *terrain = make_mountains(40, 33);
    for (int kind = 0; kind < 3; kind++) {
        SiltMaskOptions masks;
        SiltWriteOptions options;
        assert_ok(silt_params_init(&silt_mask_params, &masks));
        assert_ok(silt_params_init(&silt_write_params, &options));
        options.error = kind == 1 ? 40.0 : 0.0;
        options.skirt = kind == 1 ? 100.0 : 0.0;
        options.arid = masks.arid = kind == 2 ? 0.8 : 0.0;
        options.snow = masks.snow = kind == 2 ? 1500.0 : NAN;
        masks.bands = 0;
        masks.splat = false;
        assert_ok(silt_masks_write(terrain, test_path("colours"), &masks, NULL));
        assert_ok(silt_terrain_write(terrain, test_path("colours.glb"), &options));
        SiltMesh mesh;
        assert_ok(silt_mesh_read(test_path("colours.glb"), &mesh));
        assert_non_null(mesh.colours);
        uint8_t *picture;
        int wide, high;
        assert_ok(silt_png_read_rgba(test_path("colours/colour.png"), &wide, &high, &picture));
        assert_int_equal(wide * high, 40 * 33);
        unsigned least = 65535, most = 0;
        size_t on_top = 0;
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            int i = (int)floor((double)mesh.positions[3 * v] / 60.0 + 0.5),
                j = 32 - (int)floor((double)mesh.positions[3 * v + 1] / 60.0 + 0.5);
            assert_int_equal(mesh.colours[4 * v + 3], 65535);
            if (mesh.normals[3 * v + 2] < 0.0f)
                continue; // the floor
            on_top++;
            for (int k = 0; k < 3; k++) {
                unsigned colour = mesh.colours[4 * v + (size_t)k];
                double shown = picture[4 * (j * 40 + i) + k]; // rounded, and by square roots: 2 levels
                assert_true(colour / 65535.0 <= linear((shown + 2.0) / 255.0) &&
                            colour / 65535.0 >= linear((shown - 2.0) / 255.0));
                least = colour < least ? colour : least;
                most = colour > most ? colour : most;
            }
        }
        assert_true(on_top > 100);
        assert_true(least < 6000 && most > 45000); // woods and snow: no one colour for all
        silt_free(picture);
        silt_mesh_destroy(&mesh);
    }
    silt_terrain_destroy(terrain);
}

// A plate over a meadow: below it nothing grows. Files have what is said of the numbers, and reading gives
// the same.
static void roofs_keep_the_grass_off(void **state)
{
    (void)state;
    SiltTerrain *meadow = make_hills(41, 41, false), *plate = make_hills(17, 17, false);
    meadow->cell = plate->cell = 10.0;
    silt_field_fill(silt_terrain_layer(meadow, "height"), 50.0f);
    silt_field_row(silt_terrain_layer(meadow, "height"), 0)[0] = 0.0f; // the lowest place is a beach
    silt_field_fill(silt_terrain_layer(plate, "height"), 300.0f);
    SiltMesh floor, roof, both, again;
    assert_ok(silt_mesh_from_terrain(meadow, 0.0, &floor));
    assert_ok(silt_mesh_from_terrain(plate, 0.0, &roof));
    assert_ok(silt_mesh_allocate("both", floor.vertex_count + roof.vertex_count,
                                 floor.triangle_count + roof.triangle_count, true, &both));
    memcpy(both.positions, floor.positions, 12 * floor.vertex_count);
    memcpy(both.normals, floor.normals, 12 * floor.vertex_count);
    memcpy(both.indices, floor.indices, 12 * floor.triangle_count);
    for (size_t v = 0; v < roof.vertex_count; v++)
        for (size_t k = 0; k < 3; k++) {
            size_t at = 3 * (floor.vertex_count + v) + k;
            both.positions[at] = roof.positions[3 * v + k] + (k < 2 ? 120.0f : 0.0f);
            both.normals[at] = roof.normals[3 * v + k];
        }
    for (size_t k = 0; k < 3 * roof.triangle_count; k++)
        both.indices[3 * floor.triangle_count + k] = roof.indices[k] + (uint32_t)floor.vertex_count;
    assert_ok(silt_mesh_colour_rock(&both, NAN, 0.0));
    int green = 0, bare = 0;
    for (size_t v = 0; v < floor.vertex_count; v++) {
        const float *p = both.positions + 3 * v;
        bool under = p[0] > 141.0f && p[0] < 259.0f && p[1] > 141.0f && p[1] < 259.0f;
        bool outside = p[0] < 99.0f || p[1] < 99.0f || p[0] > 301.0f || p[1] > 301.0f;
        const uint16_t *colour = both.colours + 4 * v;
        if (under)
            assert_true(colour[0] > colour[1] && ++bare);
        else if (outside && p[2] > 40.0f && p[0] > 30.0f)
            assert_true(colour[1] > colour[0] && ++green);
    }
    assert_true(green > 200 && bare > 100);
    assert_ok(silt_mesh_write(&both, test_path("roof.glb")));
    char *file = calloc(1, 1 << 20);
    assert_non_null(file);
    get_file(test_path("roof.glb"), file, 1 << 20);
    const unsigned char *colours = find_colours(file, both.vertex_count, false);
    assert_memory_equal(colours, both.colours, 8 * both.vertex_count);
    assert_ok(silt_mesh_read(test_path("roof.glb"), &again));
    assert_memory_equal(again.colours, both.colours, 8 * both.vertex_count);
    assert_ok(silt_mesh_decimate(&again, 0.5));
    for (size_t v = 0; v < again.vertex_count; v++)
        assert_int_equal(again.colours[4 * v + 3], 65535);
    assert_ok(silt_mesh_write(&again, test_path("roof.ply"))); // which has none
    free(file);
    silt_mesh_destroy(&again);
    silt_mesh_destroy(&both);
    silt_mesh_destroy(&roof);
    silt_mesh_destroy(&floor);
    silt_terrain_destroy(plate);
    silt_terrain_destroy(meadow);
}

// Bytes and floats as colours, three or four; those that reach beyond the file are passed over, and the shape
// is read.
static void colours_of_others_are_read(void **state)
{
    (void)state;
    SiltMesh mesh;
#define COLOURED(colours)                                                                                    \
    HEAD VIEWS                                                                                               \
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}," colours    \
        "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1}}]}]}"
    assert_ok(read_json(COLOURED("{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"),
                        &mesh));
    static const uint16_t floats[12] = {0, 0, 0, 65535, 65535, 0, 0, 65535, 0, 65535, 0, 65535};
    assert_memory_equal(mesh.colours, floats, sizeof floats);
    silt_mesh_destroy(&mesh);
    assert_ok(read_json(COLOURED("{\"bufferView\":0,\"componentType\":5121,\"normalized\":true,\"count\":3,"
                                 "\"byteOffset\":12,\"type\":\"VEC4\"}"),
                        &mesh));
    assert_int_equal(mesh.colours[2], 0x8080); // 1.0f is 00 00 80 3f
    assert_int_equal(mesh.colours[3], 0x3f3f);
    silt_mesh_destroy(&mesh);
    static const char *const bad[] = {
        COLOURED("{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}"),
        COLOURED("{\"bufferView\":9,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"),
        COLOURED("{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}"),
        COLOURED("{\"bufferView\":0,\"componentType\":5122,\"count\":3,\"type\":\"VEC3\"}"),
        COLOURED("{\"bufferView\":0,\"count\":4e9,\"type\":3}"),
        COLOURED("7"),
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_ok(read_json(bad[k], &mesh));
        assert_null(mesh.colours);
        assert_int_equal(mesh.triangle_count, 1);
        silt_mesh_destroy(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_come_back),         cmocka_unit_test(normals_may_be_missing),
        cmocka_unit_test(nodes_move_their_meshes),  cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(what_is_written_is_gltf),  cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(maps_lie_on_their_meshes), cmocka_unit_test(colours_are_those_of_the_map),
        cmocka_unit_test(roofs_keep_the_grass_off), cmocka_unit_test(colours_of_others_are_read),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
