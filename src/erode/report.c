// The report of a run: JSON for programs, a table for people.
#include <math.h>

#include "core/memory.h"
#include "core/text.h"
#include "erode/model.h"
#include "erode/run.h"

static void add_account(SiltText *text, const char *name, const SiltAccount *account, bool is_carried)
{
    const struct {
        const char *key;
        double value;
    } entries[] = {
        {"initial", account->initial},
        {"added", account->added},
        {"removed", account->removed},
        {account->by_hand != 0.0 ? "by_hand" : NULL, account->by_hand},
        {"moved", account->moved},
        {"stored", account->stored},
        {is_carried ? "carried" : NULL, account->carried},
        {account->corrected != 0.0 ? "corrected" : NULL, account->corrected},
        {"imbalance", silt_account_imbalance(account)},
        {"imbalance_fraction", silt_account_imbalance_fraction(account)},
    };
    silt_text_addf(text, "\"%s\": {", name);
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        if (!entries[k].key)
            continue;
        silt_text_addf(text, "%s\"%s\": ", k ? ", " : "", entries[k].key);
        silt_text_add_json_number(text, entries[k].value);
    }
    silt_text_add(text, "}");
}

static void add_ledger(SiltText *text, const SiltLedger *ledger)
{
    silt_text_add(text, "{");
    add_account(text, "water", &ledger->water, false);
    silt_text_add(text, ",\n            ");
    add_account(text, "rock", &ledger->rock, true);
    silt_text_add(text, "}");
}

char *silt_report_json(const SiltReport *report, const void *params)
{
    const SiltModel *model = report->model;
    SiltText text = {0};
    silt_text_add(&text, "{\"model\": ");
    silt_text_add_json(&text, model->name);
    if (params) {
        char *json = silt_params_json(&model->params, params);
        silt_text_addf(&text, ",\n \"parameters\": %s", json ? json : "{}");
        text.failed = text.failed || !json;
        silt_free(json);
    }
    silt_text_addf(&text, ",\n \"steps\": %lld, \"substeps\": %lld", (long long)report->steps,
                   (long long)report->counters.substeps);
    silt_text_add(&text, ", \"model_time\": ");
    silt_text_add_json_number(&text, report->model_time);
    silt_text_add(&text, ", \"clock\": ");
    silt_text_add_json(&text, model->clock[0] ? model->clock : "steps");
    silt_text_add(&text, ", \"seconds\": ");
    silt_text_add_json_number(&text, report->seconds);
    silt_text_addf(&text, ", \"cancelled\": %s, \"at_rest\": %s", report->cancelled ? "true" : "false",
                   report->counters.at_rest ? "true" : "false");
    silt_text_add(&text, ",\n \"limiters\": {");
    for (int k = 0; model->limiters && model->limiters[k]; k++)
        silt_text_addf(&text, "%s\"%s\": %lld", k ? ", " : "", model->limiters[k],
                       (long long)report->counters.limited[k]);
    silt_text_add(&text, "},\n \"ledger\": ");
    add_ledger(&text, &report->ledger);
    silt_text_add(&text, "}");
    return silt_text_take(&text);
}

char *silt_ledger_json(const SiltLedger *ledger)
{
    SiltText text = {0};
    add_ledger(&text, ledger);
    return silt_text_take(&text);
}

char *silt_ledger_table(const SiltLedger *ledger)
{
    const SiltAccount *accounts[] = {&ledger->water, &ledger->rock};
    static const char *const names[] = {"water", "rock"};
    SiltText text = {0};
    silt_text_addf(&text, "%-8s%14s%14s%14s%14s%14s%14s\n", "m3", "initial", "added", "removed", "moved",
                   "stored", "imbalance");
    for (int k = 0; k < 2; k++) {
        const SiltAccount *a = accounts[k];
        silt_text_addf(&text, "%-8s%14.6g%14.6g%14.6g%14.6g%14.6g%14.3g\n", names[k], a->initial, a->added,
                       a->removed, a->moved, a->stored, silt_account_imbalance(a));
    }
    for (int k = 0; k < 2; k++)
        if (accounts[k]->by_hand != 0.0)
            silt_text_addf(&text, "%-8s%14.6g by hand\n", names[k], accounts[k]->by_hand);
    const SiltAccount *rock = &ledger->rock;
    if (rock->carried > 0.0) // below what is stored, which it is a part of
        silt_text_addf(&text, "%-64s%14.6g\n%-64s%14.6g\n", "  of it in the water", rock->carried,
                       "  of it on the ground", rock->stored - rock->carried);
    if (rock->corrected > 0.0)
        silt_text_addf(&text, "%-50s%14.3g\n", "  corrected, so that what is stored is what moved",
                       rock->corrected);
    return silt_text_take(&text);
}

// ---- in words ----

// Rounding alone takes less than a millionth of what there is.
static bool is_off(const SiltAccount *account)
{
    return silt_account_imbalance_fraction(account) > 0.01 &&
           fabs(silt_account_imbalance(account)) > 1e-6 * fabs(account->initial);
}

void silt_warn_of_books(const SiltReport *report, const void *params)
{
    const SiltModel *model = report->model;
    const SiltAccount *accounts[] = {&report->ledger.water, &report->ledger.rock};
    const char *leak = model->leak && params ? model->leak(params) : NULL;
    for (int k = 0; k < 2; k++) {
        double imbalance = silt_account_imbalance(accounts[k]);
        if (is_off(accounts[k]))
            silt_warn("erode %s: %.3g m3 of %s %s, %.3g %% of what moved: %s", model->name, fabs(imbalance),
                      k == 0 ? "water" : "rock", imbalance > 0.0 ? "were lost" : "came from nowhere",
                      100.0 * silt_account_imbalance_fraction(accounts[k]),
                      leak ? leak : "the books of this run do not balance");
    }
}
