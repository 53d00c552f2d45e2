// What reports say so that a run can be repeated: hashes, texts, places.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/sha256.h"
#include "io/json.h"
#include "io/written.h"
#include "silt/io.h"
#include "silt/parallel.h"
#include "silt/record.h"
#include "test.h"

static void hashes_are_those_of_the_standard(void **state)
{
    (void)state;
    char text[SILT_SHA256_TEXT];
    SiltSha256 sha;
    silt_sha256_begin(&sha);
    silt_sha256_end(&sha, text);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    silt_sha256_begin(&sha);
    silt_sha256_add(&sha, "abc", 3);
    silt_sha256_end(&sha, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    // two blocks, in pieces of every size
    static const char message[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (size_t piece = 1; piece < sizeof message; piece++) {
        silt_sha256_begin(&sha);
        for (size_t at = 0; at < sizeof message - 1; at += piece)
            silt_sha256_add(&sha, message + at,
                            at + piece < sizeof message - 1 ? piece : sizeof message - 1 - at);
        silt_sha256_end(&sha, text);
        assert_string_equal(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
}

static char *undone(const char *json)
{
    SiltJson document;
    assert_int_equal(silt_json_parse("x", json, strlen(json), &document), SILT_OK);
    char *text = silt_json_string(&document, 0);
    silt_json_free(&document);
    return text;
}

static void escapes_are_undone(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"\"a b\"", "a b"},
                                           {"\"\\n\\t\\\"\\\\\\/\"", "\n\t\"\\/"},
                                           {"\"\\u0041\\u00e4\\u20ac\"", "A\xC3\xA4\xE2\x82\xAC"},
                                           {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
                                           {"\"a\\udcffb\"", "a\xFF"
                                                             "b"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        char *text = undone(pairs[k][0]);
        assert_non_null(text);
        assert_string_equal(text, pairs[k][1]);
        silt_free(text);
    }
    assert_null(undone("\"a\\u0000b\""));
    assert_null(undone("12"));
}

static void no_path_leads_out(void **state)
{
    (void)state;
    char path[SILT_PATH_SIZE];
    static const char *const pairs[][2] = {{"a.tif", "to/a.tif"},
                                           {"out//b/a.tif", "to/out/b/a.tif"},
                                           {"/etc/passwd", "to/etc/passwd"},
                                           {"../../a", "to/__/__/a"},
                                           {"./x/../y", "to/x/__/y"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        assert_int_equal(silt_path_below("to", pairs[k][0], path), SILT_OK);
        assert_string_equal(path, pairs[k][1]);
    }
    char longest[SILT_PATH_SIZE];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(silt_path_below("to", longest, path), SILT_BAD_ARGUMENT);
}

static void what_is_written_is_noted_once(void **state)
{
    (void)state;
    SiltWritten outer, inner;
    silt_written_begin(&outer);
    assert_int_equal(silt_write_file("noted_a.txt", "a", 1), SILT_OK);
    silt_written_begin(&inner);
    assert_int_equal(silt_write_file("noted_b.txt", "b", 1), SILT_OK);
    assert_int_equal(silt_write_file("noted_b.txt", "c", 1), SILT_OK);
    silt_written_end(&inner);
    outer.paused = true;
    assert_int_equal(silt_write_file("noted_c.txt", "b", 1), SILT_OK);
    silt_written_end(&outer);
    assert_int_equal(silt_write_file("noted_a.txt", "a", 1), SILT_OK);
    assert_int_equal(outer.count, 2);
    assert_int_equal(inner.count, 1);
    assert_string_equal(inner.paths[0], "noted_b.txt");
    silt_written_free(&inner);
    silt_written_free(&outer);
}

static void write_numbered(void *context, int begin, int end)
{
    (void)context;
    for (int k = begin; k < end; k++) {
        char path[32];
        snprintf(path, sizeof path, "noted_%02d.txt", (k * 17 + 5) % 40);
        silt_write_file(path, "x", 1);
        struct timespec moment = {.tv_nsec = 1000000}; // so that each thread has its turn
        nanosleep(&moment, NULL);
    }
}

// All threads' files, in an order that no thread decides.
static void loops_are_listened_to(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        SiltWritten list, *hidden;
        silt_set_threads(threads);
        silt_written_begin(&list);
        silt_parallel(40, 1, write_numbered, NULL);
        hidden = silt_written_hide();
        assert_int_equal(silt_write_file("noted_hidden.txt", "a", 1), SILT_OK);
        silt_written_show(hidden);
        silt_written_end(&list);
        silt_parallel(40, 1, write_numbered, NULL); // nobody listens any more
        assert_int_equal(list.count, 40);
        for (int k = 0; k < 40; k++) {
            char path[32];
            snprintf(path, sizeof path, "noted_%02d.txt", k);
            assert_string_equal(list.paths[k], path);
        }
        silt_written_free(&list);
    }
    silt_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_the_standard),
        cmocka_unit_test(escapes_are_undone),
        cmocka_unit_test(no_path_leads_out),
        cmocka_unit_test(what_is_written_is_noted_once),
        cmocka_unit_test(loops_are_listened_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
