#include "test.h"

#include <pthread.h>

#include "core/status.h"

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = SILT_OK; a <= SILT_CANCELLED; a++) {
        assert_true(strlen(silt_status_name((SiltStatus)a)) > 0);
        assert_string_not_equal(silt_status_name((SiltStatus)a), "unknown status");
        for (int b = SILT_OK; b < a; b++)
            assert_string_not_equal(silt_status_name((SiltStatus)a), silt_status_name((SiltStatus)b));
    }
    assert_string_equal(silt_status_name(SILT_OK), "ok");
    assert_string_equal(silt_status_name((SiltStatus)99), "unknown status");
}

static void a_failure_keeps_its_sentence(void **state)
{
    (void)state;
    assert_int_equal(silt_fail(SILT_BAD_FILE, "%s: row %d", "a.png", 7), SILT_BAD_FILE);
    assert_string_equal(silt_message(), "a.png: row 7");
    // the old message may be part of the new one
    silt_fail(SILT_BAD_FILE, "recipe: %s", silt_message());
    assert_string_equal(silt_message(), "recipe: a.png: row 7");
}

static void long_sentences_are_cut_not_spilled(void **state)
{
    (void)state;
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    silt_fail(SILT_BAD_FILE, "%s", long_text);
    assert_true(strlen(silt_message()) > 1000 && strlen(silt_message()) < sizeof long_text - 1);
}

static void memory_is_told_in_fitting_units(void **state)
{
    (void)state;
    assert_fails(silt_fail_memory("a list", 12.0), SILT_NO_MEMORY, "a list: 12 bytes");
    assert_fails(silt_fail_memory("a field", 3.0 * 1048576.0), SILT_NO_MEMORY, "a field: 3.0 MiB");
}

static void *fail_elsewhere(void *unused)
{
    (void)unused;
    bool empty = silt_message()[0] == '\0';
    silt_fail(SILT_BAD_FILE, "elsewhere");
    return empty ? (void *)1 : NULL;
}

static void each_thread_has_its_own_sentence(void **state)
{
    (void)state;
    silt_fail(SILT_BAD_FILE, "here");
    pthread_t thread;
    void *was_empty;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, &was_empty);
    assert_non_null(was_empty);
    assert_string_equal(silt_message(), "here");
}

static void keep_warning(void *user, const char *text)
{
    snprintf(user, 64, "%s", text);
}

static void warnings_reach_their_handler(void **state)
{
    (void)state;
    char kept[64] = "";
    silt_warn("nobody listens");
    silt_set_warning_handler(keep_warning, kept);
    silt_warn("%s has %d levels", "a.png", 256);
    assert_string_equal(kept, "a.png has 256 levels");
    silt_set_warning_handler(NULL, NULL);
    silt_warn("nobody listens");
    assert_string_equal(kept, "a.png has 256 levels");
    assert_true(strlen(silt_version()) >= 5);
}

static void names_cannot_steer_the_terminal(void **state)
{
    (void)state;
    silt_fail(SILT_BAD_FILE, "%s: no such file", "a\033[2Jb\r\n\x7f\xc3\xa9.tif");
    assert_string_equal(silt_message(), "a?[2Jb???\xc3\xa9.tif: no such file");
    char kept[64] = "";
    silt_set_warning_handler(keep_warning, kept);
    silt_warn("a\tb");
    silt_set_warning_handler(NULL, NULL);
    assert_string_equal(kept, "a?b");
}

static void count_warning(void *user, const char *text)
{
    (void)text;
    ++*(int *)user;
}

static void what_fails_does_not_warn(void **state)
{
    (void)state;
    int count = 0;
    silt_set_warning_handler(count_warning, &count);
    silt_hold_warnings();
    silt_warn("one");
    assert_int_equal(silt_release_warnings(SILT_BAD_FILE), SILT_BAD_FILE);
    assert_int_equal(count, 0);
    silt_hold_warnings();
    silt_warn("one");
    silt_hold_warnings();
    silt_warn("two");
    silt_release_warnings(SILT_OK);
    assert_int_equal(count, 0);
    silt_release_warnings(SILT_OK);
    assert_int_equal(count, 2);
    silt_warn("three");
    assert_int_equal(count, 3);
    silt_hold_warnings();
    for (int k = 0; k < 5000; k++)
        silt_warn("warning %d", k); // more than are kept
    silt_release_warnings(SILT_OK);
    assert_true(count > 100 && count < 5000);
    silt_set_warning_handler(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(a_failure_keeps_its_sentence),
        cmocka_unit_test(long_sentences_are_cut_not_spilled),
        cmocka_unit_test(memory_is_told_in_fitting_units),
        cmocka_unit_test(each_thread_has_its_own_sentence),
        cmocka_unit_test(warnings_reach_their_handler),
        cmocka_unit_test(names_cannot_steer_the_terminal),
        cmocka_unit_test(what_fails_does_not_warn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
