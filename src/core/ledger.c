#include <math.h>

#include "silt/base.h"

double silt_account_imbalance(const SiltAccount *account)
{
    return account->initial + account->added - account->removed + account->by_hand - account->stored;
}

double silt_account_imbalance_fraction(const SiltAccount *account)
{
    double imbalance = fabs(silt_account_imbalance(account));
    double turnover = fmax(fmax(account->added, account->removed), account->moved);
    turnover = fmax(turnover, fabs(account->by_hand));
    if (turnover > 0.0)
        return imbalance / turnover;
    double held = fabs(account->initial);
    return held > 0.0 ? imbalance / held : imbalance;
}

static void append(SiltAccount *account, const SiltAccount *later)
{
    account->added += later->added;
    account->removed += later->removed;
    account->by_hand += later->by_hand;
    account->moved += later->moved;
    account->stored = later->stored;
    account->carried = later->carried;
    account->corrected += later->corrected;
}

void silt_ledger_append(SiltLedger *ledger, const SiltLedger *later)
{
    append(&ledger->water, &later->water);
    append(&ledger->rock, &later->rock);
}
