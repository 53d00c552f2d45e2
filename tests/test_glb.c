#include "files.h"

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
    assert_int_equal(binary, 9 * (24 + 8) + 8 * 12);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_come_back),         cmocka_unit_test(normals_may_be_missing),
        cmocka_unit_test(nodes_move_their_meshes),  cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(what_is_written_is_gltf),  cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(maps_lie_on_their_meshes),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
