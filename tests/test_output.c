#include <sys/wait.h>

#include "files.h"

#include "io/kept.h"
#include "io/output.h"
#include "io/together.h"

static void a_new_file_appears_whole(void **state)
{
    (void)state;
    SiltOutput output;
    const char *path = test_path("new.txt");
    int files = count_files(test_folder);
    assert_ok(silt_output_begin(path, &output));
    fputs("hello", output.file);
    assert_int_equal(access(path, F_OK), -1); // not before the end
    assert_ok(silt_output_commit(&output));
    char text[64];
    get_file(path, text, sizeof text);
    assert_string_equal(text, "hello");
    assert_int_equal(count_files(test_folder), files + 1);
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask);
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    (void)state;
    SiltOutput output;
    const char *path = test_path("old.txt");
    put_text(path, "old");
    int files = count_files(test_folder);
    assert_ok(silt_output_begin(path, &output));
    fputs("new", output.file);
    assert_int_equal(silt_output_end(&output, SILT_CANCELLED), SILT_CANCELLED);
    char text[64];
    get_file(path, text, sizeof text);
    assert_string_equal(text, "old");
    assert_int_equal(count_files(test_folder), files);
}

static void permissions_and_links_are_kept(void **state)
{
    (void)state;
    const char *path = test_path("kept.txt"), *link = test_path("link.txt");
    put_text(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("kept.txt", link), 0);
    assert_ok(silt_write_file(link, "new", 3));
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    char text[64];
    get_file(path, text, sizeof text);
    assert_string_equal(text, "new");
}

enum { MANY = 70 }; // more than are remembered
static SiltOutput outputs[MANY];

// In a process of its own, which dies: what is open goes, what was there stays, and so does what is done.
// Nothing is made any more.
static void begin_and_die(int files)
{
    SiltTogether *together;
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "dying%d.txt", k);
        assert_ok(silt_output_begin(test_path(name), &outputs[k]));
    }
    assert_ok(silt_output_commit(&outputs[1]));
    assert_ok(silt_together_begin(test_path("dying.json"), &together));
    assert_ok(silt_output_commit(&outputs[3])); // it waits
    assert_int_equal(count_files(test_folder), files + 4);
    silt_output_remove_temporaries();
    assert_int_equal(count_files(test_folder), files + 1);
    assert_int_equal(access(test_path("dying1.txt"), F_OK), 0);
    silt_output_abandon(&outputs[0]);
    assert_fails(silt_output_commit(&outputs[2]), SILT_IO_ERROR, "dying2.txt: cannot write");
    assert_fails(silt_together_end(together, SILT_OK), SILT_IO_ERROR, "dying.json: cannot write");
    assert_fails(silt_write_file(test_path("dying4.txt"), "x", 1), SILT_IO_ERROR, "dying4.txt: cannot write");
    assert_fails(silt_make_folders(test_path("dying/")), SILT_IO_ERROR, "cannot make this folder");
    assert_int_equal(count_files(test_folder), files + 1);
}

// What a handler of Ctrl-C calls.
static void a_dying_process_leaves_no_temporaries(void **state)
{
    (void)state;
    int files = count_files(test_folder), ended;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        begin_and_die(files);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 7);
    for (int turn = 0; turn < 2; turn++) { // the places come back
        for (int k = 0; k < MANY; k++)
            assert_ok(silt_output_begin(test_path("many.txt"), &outputs[k]));
        for (int k = 0; k < MANY; k++)
            silt_output_abandon(&outputs[k]);
    }
    assert_int_equal(count_files(test_folder), files + 1);
}

// Files of one work are all there, or none of them: what was there before stays to the end.
static void files_come_together_or_not_at_all(void **state)
{
    (void)state;
    int files = count_files(test_folder);
    for (int commit = 0; commit < 2; commit++) {
        SiltTogether *together;
        SiltWritten written;
        char text[64];
        put_text(test_path("work1.txt"), "old");
        put_text(test_path("work.json"), "old sign");
        silt_written_begin(&written);
        assert_ok(silt_together_begin(test_path("work.json"), &together));
        assert_ok(silt_write_file(test_path("work1.txt"), "new", 3));
        assert_ok(silt_write_file(test_path("work2.txt"), "new", 3));
        assert_ok(silt_write_file(test_path("work.json"), "new sign", 8));
        get_file(test_path("work1.txt"), text, sizeof text);
        assert_string_equal(text, "old");
        assert_int_equal(access(test_path("work2.txt"), F_OK), -1);
        assert_int_equal(written.count, 0);
        assert_int_equal(silt_together_end(together, commit ? SILT_OK : SILT_CANCELLED),
                         commit ? SILT_OK : SILT_CANCELLED);
        silt_written_end(&written);
        assert_int_equal(written.count, commit ? 3 : 0);
        silt_written_free(&written);
        get_file(test_path("work1.txt"), text, sizeof text);
        assert_string_equal(text, commit ? "new" : "old");
        get_file(test_path("work.json"), text, sizeof text);
        assert_string_equal(text, commit ? "new sign" : "old sign");
        assert_int_equal(count_files(test_folder), files + (commit ? 3 : 2));
    }
}

static void messages_name_the_path_as_it_was_given(void **state)
{
    (void)state;
    SiltOutput output;
    put_text(test_path("named.txt"), "old");
    assert_ok(silt_output_begin(test_path("named.txt"), &output));
    assert_string_equal(output.path, test_path("named.txt"));
    assert_null(strchr(output.temporary, ':'));
    assert_int_not_equal(output.temporary[0], '/');
    silt_output_abandon(&output);
}

static void targets_that_cannot_be(void **state)
{
    (void)state;
    char path[512], *long_path = malloc(3000);
    int files = count_files(test_folder);
    assert_fails(silt_write_file("", "x", 1), SILT_BAD_ARGUMENT, "empty");
    assert_fails(silt_write_file(test_folder, "x", 1), SILT_IO_ERROR, "is a directory");
    put_text(test_path("plain"), "x");
    snprintf(path, sizeof path, "%s/plain/below.txt", test_folder);
    assert_fails(silt_write_file(path, "x", 1), SILT_IO_ERROR, "cannot write");
    snprintf(path, sizeof path, "%s/nowhere/below.txt", test_folder);
    assert_fails(silt_write_file(path, "x", 1), SILT_IO_ERROR, "No such file");
    memset(long_path, 'a', 2999);
    long_path[2999] = '\0';
    assert_fails(silt_write_file(long_path, "x", 1), SILT_BAD_ARGUMENT, "longer");
    free(long_path);
    assert_int_equal(count_files(test_folder), files + 1);
}

// Every writer says so when the disk is full, and a device is never replaced.
static void a_full_disk_is_told(void **state)
{
    (void)state;
    static const char *const endings[] = {"raw", "asc", "npy", "pgm", "obj", "ply", "glb"};
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_fails(silt_write_file("/dev/full", "x", 1), SILT_IO_ERROR, "/dev/full: cannot write");
    SiltTerrain *hills = make_hills(40, 40, false);
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        char name[32];
        snprintf(name, sizeof name, "full.%s", endings[k]);
        assert_int_equal(symlink("/dev/full", test_path(name)), 0);
        assert_fails(silt_terrain_write(hills, test_path(name), NULL), SILT_IO_ERROR, "No space left");
    }
    silt_terrain_destroy(hills);
    struct stat info;
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_sidecar_comes_with_its_file(void **state)
{
    (void)state;
    SiltOutput output;
    char text[64];
    put_text(test_path("main.a"), "old main");
    put_text(test_path("main.b"), "old side");
    put_text(test_path("main.b~"), "an editor's"); // nobody's but whose editor kept it
    int files = count_files(test_folder);
    for (int commit = 0; commit < 2; commit++) {
        assert_ok(silt_output_begin(test_path("main.a"), &output));
        assert_ok(silt_output_add_sidecar(&output, test_path("main.b")));
        fputs("new main", output.file);
        fputs("new side", output.sidecar->file);
        assert_int_equal(silt_output_end(&output, commit ? SILT_OK : SILT_CANCELLED),
                         commit ? SILT_OK : SILT_CANCELLED);
        get_file(test_path("main.a"), text, sizeof text);
        assert_string_equal(text, commit ? "new main" : "old main");
        get_file(test_path("main.b"), text, sizeof text);
        assert_string_equal(text, commit ? "new side" : "old side");
        get_file(test_path("main.b~"), text, sizeof text);
        assert_string_equal(text, "an editor's");
        assert_int_equal(count_files(test_folder), files);
    }
}

// When the file cannot take its place, the old one keeps its sidecar.
static void a_broken_pair_stays_the_old_one(void **state)
{
    (void)state;
    SiltOutput output;
    char inner[512];
    put_text(test_path("pair.b"), "old side");
    assert_ok(silt_output_begin(test_path("pair.a"), &output));
    assert_ok(silt_output_add_sidecar(&output, test_path("pair.b")));
    fputs("new side", output.sidecar->file);
    assert_int_equal(mkdir(test_path("pair.a"), 0777), 0); // a folder with something in it cannot be replaced
    snprintf(inner, sizeof inner, "%s/pair.a/inner", test_folder);
    put_text(inner, "x");
    assert_fails(silt_output_commit(&output), SILT_IO_ERROR, "pair.a");
    char kept[16] = "";
    assert_int_equal(get_file(test_path("pair.b"), kept, sizeof kept), 8);
    assert_memory_equal(kept, "old side", 8);
    remove(test_path("pair.b"));
    remove(inner);
    remove(test_path("pair.a"));
}

static size_t pack_numbers(const void *context, size_t begin, size_t end, char *to)
{
    (void)context;
    char *at = to;
    for (size_t k = begin; k < end; k++)
        at += sprintf(at, "%zu\n", k);
    return (size_t)(at - to);
}

static void packed_items_keep_their_order(void **state)
{
    (void)state;
    SiltOutput output;
    assert_ok(silt_output_begin(test_path("numbers"), &output));
    SiltStatus status = silt_output_pack(&output, 700000, 24, pack_numbers, NULL);
    assert_ok(silt_output_end(&output, status));
    FILE *file = fopen(test_path("numbers"), "r");
    assert_non_null(file);
    size_t expected = 0, number;
    while (fscanf(file, "%zu", &number) == 1)
        assert_int_equal(number, expected++);
    assert_int_equal(expected, 700000);
    fclose(file);
}

static void files_are_read_whole(void **state)
{
    (void)state;
    char *data;
    size_t bytes;
    put_file(test_path("in"), "a\0b", 3);
    assert_ok(silt_read_file(test_path("in"), 3, &data, &bytes));
    assert_int_equal(bytes, 3);
    assert_memory_equal(data, "a\0b", 4);
    silt_free(data);
    assert_fails(silt_read_file(test_path("in"), 2, &data, &bytes), SILT_BAD_FILE, "3 bytes");
    assert_fails(silt_read_file(test_path("none"), 9, &data, &bytes), SILT_IO_ERROR, "no such file");
    assert_fails(silt_read_file(test_folder, 9, &data, &bytes), SILT_IO_ERROR, "is a directory");
    put_file(test_path("in"), "", 0);
    assert_fails(silt_read_file(test_path("in"), 9, &data, &bytes), SILT_BAD_FILE, "empty");
    assert_null(data);
}

// Why a folder cannot be made is what making it said, not what looking for it says.
static void a_folder_that_may_not_be_made_says_why(void **state)
{
    (void)state;
    char locked[512], below[600];
    snprintf(locked, sizeof locked, "%s", test_path("locked"));
    snprintf(below, sizeof below, "%s/f/", locked);
    assert_int_equal(mkdir(locked, 0555), 0);
    assert_int_equal(chmod(test_folder, 0711), 0);
    bool is_root = geteuid() == 0; // who may do anything
    assert_true(!is_root || seteuid(65534) == 0);
    SiltStatus status = silt_make_folders(below);
    assert_true(!is_root || seteuid(0) == 0);
    assert_int_equal(status, SILT_IO_ERROR);
    assert_non_null(strstr(silt_message(), "cannot make this folder: Permission denied"));
    assert_int_equal(rmdir(locked), 0);
}

// What is written into a folder goes through links that lie there.
static void a_link_in_a_folder_is_the_file_it_leads_to(void **state)
{
    (void)state;
    char folder[512], name[SILT_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", test_path("linked"));
    assert_int_equal(mkdir(folder, 0777), 0);
    put_text(test_path("read.tif"), "read");
    assert_false(silt_path_lies_in(test_path("read.tif"), folder, name));
    assert_int_equal(symlink("../read.tif", test_path("linked/slope.tif")), 0);
    assert_true(silt_path_lies_in(test_path("read.tif"), folder, name));
    assert_string_equal(name, "slope.tif");
    assert_int_equal(unlink(test_path("linked/slope.tif")), 0);
    assert_int_equal(link(test_path("read.tif"), test_path("linked/wear.tif")), 0);
    assert_true(silt_path_lies_in(test_path("read.tif"), folder, name));
    assert_string_equal(name, "wear.tif");
    assert_int_equal(unlink(test_path("linked/wear.tif")), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void keep_number(const char *path, int number)
{
    SiltKeptWriter writer;
    assert_ok(silt_kept_begin(path, NULL, &writer));
    assert_ok(silt_kept_open_part(&writer, "number"));
    assert_ok(silt_kept_write(&writer, &number, sizeof number));
    assert_ok(silt_kept_close_part(&writer));
    assert_ok(silt_kept_commit(&writer));
}

static int kept_number(const char *path)
{
    SiltKeptReader reader;
    int number = -1;
    assert_ok(silt_kept_read(path, &reader));
    assert_ok(silt_kept_load(&reader, silt_kept_find(&reader, "number"), 0, &number, sizeof number));
    silt_kept_close(&reader);
    return number;
}

// NAME~ is the last whole one: what somebody left damaged does not take its place.
static void a_damaged_file_is_not_kept_as_the_one_before(void **state)
{
    (void)state;
    char path[512], before[520];
    snprintf(path, sizeof path, "%s", test_path("k.silt"));
    snprintf(before, sizeof before, "%s~", path);
    keep_number(path, 1);
    keep_number(path, 2);
    assert_int_equal(kept_number(before), 1);
    assert_int_equal(unlink(path), 0);
    put_text(path, "damaged");
    keep_number(path, 3);
    assert_int_equal(kept_number(path), 3);
    assert_int_equal(kept_number(before), 1);
    keep_number(path, 4);
    assert_int_equal(kept_number(before), 3);
    unlink(before);
}

static void refuse_place_of(const char *path)
{
    SiltOutput output;
    assert_fails(silt_output_begin(path, &output), SILT_BAD_ARGUMENT, "would take the place of what is read");
    assert_fails(silt_file_check(path), SILT_BAD_ARGUMENT, "would take the place of what is read");
}

// What is held is not written over, whatever it is called, nor is the header beside it, until it is let go.
static void what_is_read_is_not_written_over(void **state)
{
    (void)state;
    char path[512], other[520], text[64];
    SiltOutput output;
    snprintf(path, sizeof path, "%s", test_path("held.raw"));
    put_text(path, "read");
    put_text(test_path("held.hdr"), "NCOLS 2");
    assert_int_equal(silt_inputs_hold(test_path("none")), SILT_OK);
    assert_int_equal(silt_write_file(test_path("none"), "x", 1), SILT_OK);
    assert_int_equal(silt_inputs_hold(path), SILT_OK);
    refuse_place_of(path);
    refuse_place_of(test_path("held.hdr"));
    refuse_place_of(test_path(".//held.raw"));
    assert_int_equal(symlink("held.raw", test_path("link")), 0);
    assert_int_equal(link(path, test_path("hard")), 0);
    refuse_place_of(test_path("link"));
    refuse_place_of(test_path("hard"));
    snprintf(other, sizeof other, "%s.new", path);
    put_text(other, "edited"); // whoever edits it puts another in its place
    assert_int_equal(rename(other, path), 0);
    refuse_place_of(path);
    assert_int_equal(silt_output_begin(test_path("free"), &output), SILT_OK);
    silt_output_abandon(&output);
    put_text(test_path("left.tif.silt-a1B2c3"), "of a run that was killed");
    assert_int_equal(silt_inputs_hold(test_path("left.tif.silt-a1B2c3")), SILT_OK);
    assert_int_equal(silt_write_file(test_path("././free"), "x", 1),
                     SILT_OK); // a folder of another name is cleared
    get_file(test_path("left.tif.silt-a1B2c3"), text, sizeof text);
    assert_string_equal(text, "of a run that was killed");
    silt_fail_allocation(1);
    assert_int_equal(silt_inputs_hold(test_path("link")), SILT_NO_MEMORY);
    silt_fail_allocation(0);
    silt_inputs_release();
    assert_int_equal(silt_write_file(path, "new", 3), SILT_OK);
    get_file(path, text, sizeof text);
    assert_string_equal(text, "new");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_file_is_not_kept_as_the_one_before),
        cmocka_unit_test(a_folder_that_may_not_be_made_says_why),
        cmocka_unit_test(a_link_in_a_folder_is_the_file_it_leads_to),
        cmocka_unit_test(a_new_file_appears_whole),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(permissions_and_links_are_kept),
        cmocka_unit_test(a_dying_process_leaves_no_temporaries),
        cmocka_unit_test(files_come_together_or_not_at_all),
        cmocka_unit_test(messages_name_the_path_as_it_was_given),
        cmocka_unit_test(targets_that_cannot_be),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_sidecar_comes_with_its_file),
        cmocka_unit_test(a_broken_pair_stays_the_old_one),
        cmocka_unit_test(packed_items_keep_their_order),
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(what_is_read_is_not_written_over),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
