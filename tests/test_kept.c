// A file of named parts: what was written is read back, and nothing else is: not with a byte changed, not cut
// off, and not with parts of another such file, however whole each of them is.
#include "files.h"

#include "io/kept.h"

enum { PARTS = 3, MOST = 4096 };
static const char *const names[PARTS] = {"about", "stage", "run"};

typedef struct Bytes {
    unsigned char data[MOST];
    size_t count;
} Bytes;

// Files of one layout that differ in every part.
static void keep(const char *path, unsigned char mark)
{
    SiltKeptWriter writer;
    unsigned char content[64];
    assert_ok(silt_kept_begin(path, NULL, &writer));
    for (int k = 0; k < PARTS; k++) {
        memset(content, mark + k, sizeof content);
        assert_ok(silt_kept_open_part(&writer, names[k]));
        assert_ok(silt_kept_write(&writer, content, (size_t)(20 + 7 * k)));
        assert_ok(silt_kept_close_part(&writer));
    }
    assert_ok(silt_kept_commit(&writer));
}

static Bytes get(const char *path)
{
    Bytes bytes;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes.count = fread(bytes.data, 1, sizeof bytes.data, file);
    fclose(file);
    assert_true(bytes.count > 0 && bytes.count < sizeof bytes.data);
    return bytes;
}

static SiltStatus look(const char *path)
{
    SiltKeptReader reader;
    SiltStatus status = silt_kept_read(path, &reader);
    silt_kept_close(&reader);
    return status;
}

static void comes_back(void **state)
{
    (void)state;
    const char *path = test_path("back.silt");
    SiltKeptReader reader;
    keep(path, 'a');
    assert_ok(silt_kept_read(path, &reader));
    assert_int_equal(reader.count, PARTS);
    for (int k = 0; k < PARTS; k++) {
        const SiltKeptPart *part = silt_kept_find(&reader, names[k]);
        unsigned char content[64];
        assert_ptr_equal(part, &reader.parts[k]);
        assert_int_equal(part->bytes, 20 + 7 * k);
        assert_ok(silt_kept_load(&reader, part, 0, content, (size_t)part->bytes));
        for (uint64_t n = 0; n < part->bytes; n++)
            assert_int_equal(content[n], 'a' + k);
        assert_int_not_equal(silt_kept_load(&reader, part, 1, content, (size_t)part->bytes), SILT_OK);
    }
    assert_null(silt_kept_find(&reader, "other"));
    silt_kept_close(&reader);
}

// Two runs on one land leave parts of the same length at the same places.
static void parts_of_two_files_are_no_file(void **state)
{
    (void)state;
    const char *path = test_path("mixed.silt"), *other_path = test_path("other.silt");
    SiltKeptReader reader;
    keep(path, 'a');
    assert_ok(silt_kept_read(path, &reader));
    silt_kept_close(&reader);
    keep(other_path, 'p');
    Bytes one = get(path), other = get(other_path);
    assert_int_equal(one.count, other.count);
    enum { HEAD = 48, ALL = (1 << PARTS) - 1 };
    for (int from_other = 1; from_other < ALL; from_other++) {
        Bytes mixed = one;
        for (int k = 0; k < PARTS; k++)
            if (from_other >> k & 1)
                memcpy(mixed.data + reader.parts[k].at - HEAD, other.data + reader.parts[k].at - HEAD,
                       HEAD + (size_t)reader.parts[k].bytes);
        put_file(test_path("made.silt"), mixed.data, mixed.count);
        assert_fails(look(test_path("made.silt")), SILT_BAD_FILE, "the checkpoint is damaged in the list");
    }
    put_file(test_path("made.silt"), one.data, one.count);
    assert_ok(look(test_path("made.silt")));
}

static void nor_is_one_that_is_damaged(void **state)
{
    (void)state;
    const char *path = test_path("damaged.silt");
    keep(path, 'a');
    Bytes whole = get(path);
    for (size_t length = 0; length < whole.count; length++) {
        put_file(path, whole.data, length);
        assert_int_equal(look(path), SILT_BAD_FILE);
    }
    SiltKeptReader reader;
    put_file(path, whole.data, whole.count);
    assert_ok(silt_kept_read(path, &reader));
    silt_kept_close(&reader);
    size_t gaps = 0;
    for (size_t at = 0; at < whole.count; at++) {
        bool is_gap = false; // zeros up to a multiple of 8
        for (int k = 0; k < PARTS; k++) {
            uint64_t end = reader.parts[k].at + reader.parts[k].bytes;
            is_gap = is_gap || (at >= end && at < (end + 7) / 8 * 8);
        }
        gaps += is_gap;
        Bytes changed = whole;
        changed.data[at] ^= 0x10;
        put_file(path, changed.data, changed.count);
        assert_int_equal(look(path), is_gap ? SILT_OK : SILT_BAD_FILE);
    }
    assert_true(gaps < 8 * PARTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(parts_of_two_files_are_no_file),
        cmocka_unit_test(nor_is_one_that_is_damaged),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
