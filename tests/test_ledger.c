#include "test.h"

static void balanced_books_have_no_imbalance(void **state)
{
    (void)state;
    SiltAccount account = {.initial = 10.0, .added = 5.0, .removed = 3.0, .moved = 100.0, .stored = 12.0};
    assert_true(silt_account_imbalance(&account) == 0.0);
    assert_true(silt_account_imbalance_fraction(&account) == 0.0);
}

static void what_is_missing_is_measured_by_what_moved(void **state)
{
    (void)state;
    SiltAccount account = {.initial = 10.0, .added = 5.0, .removed = 3.0, .stored = 11.0};
    assert_true(silt_account_imbalance(&account) == 1.0); // a cubic metre vanished
    assert_near(silt_account_imbalance_fraction(&account), 1.0 / 5.0, 1e-15);
    account.moved = 20.0;
    assert_near(silt_account_imbalance_fraction(&account), 1.0 / 20.0, 1e-15);
    account.stored = 13.0; // appeared
    assert_true(silt_account_imbalance(&account) == -1.0);
    assert_near(silt_account_imbalance_fraction(&account), 1.0 / 20.0, 1e-15);
}

static void books_in_which_nothing_moved(void **state)
{
    (void)state;
    SiltAccount empty = {0}, still = {.initial = 8.0, .stored = 8.0}, leak = {.initial = 8.0, .stored = 6.0};
    SiltAccount from_nothing = {.stored = 3.0};
    assert_true(silt_account_imbalance_fraction(&empty) == 0.0);
    assert_true(silt_account_imbalance_fraction(&still) == 0.0);
    assert_near(silt_account_imbalance_fraction(&leak), 0.25, 1e-15);
    assert_true(silt_account_imbalance_fraction(&from_nothing) > 0.0);
}

static void chained_runs_balance_as_one(void **state)
{
    (void)state;
    SiltLedger first = {.water = {.initial = 1.0, .added = 4.0, .removed = 2.0, .moved = 1.0, .stored = 3.0},
                        .rock = {.initial = 100.0, .moved = 5.0, .stored = 100.0, .corrected = 1.0}};
    SiltLedger second = {
        .water = {.initial = 3.0, .added = 1.0, .removed = 4.0, .moved = 2.0, .stored = 0.0},
        .rock = {.initial = 100.0, .removed = 1.0, .moved = 7.0, .stored = 99.0, .corrected = 2.0}};
    silt_ledger_append(&first, &second);
    assert_true(first.water.initial == 1.0 && first.water.added == 5.0 && first.water.removed == 6.0);
    assert_true(first.water.moved == 3.0 && first.water.stored == 0.0);
    assert_true(silt_account_imbalance(&first.water) == 0.0);
    assert_true(first.rock.moved == 12.0 && silt_account_imbalance(&first.rock) == 0.0);
    assert_true(first.rock.corrected == 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced_books_have_no_imbalance),
        cmocka_unit_test(what_is_missing_is_measured_by_what_moved),
        cmocka_unit_test(books_in_which_nothing_moved),
        cmocka_unit_test(chained_runs_balance_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
