// What the files about parameter tables share.
#ifndef SILT_CORE_PARAM_H
#define SILT_CORE_PARAM_H

#include "core/pack.h"
#include "silt/param.h"

int silt_param_choice_count(const SiltParam *param);
// The word of a list's first column that a number stands for, into `buffer` (may be NULL); false: none.
bool silt_param_word(const SiltParam *param, double number, char buffer[SILT_NAME_SIZE]);
// The parameters that have a value of the paper take it, or give it back, when the switch `paper` has
// changed.
SiltStatus silt_params_take_paper(const SiltParamTable *table, void *params, bool before, bool now);
// Whether a number lies in the parameter's range; the sentence begins with `owner`.
SiltStatus silt_param_check_number(const SiltParam *param, const char *owner, double value);
// All values into a block of memory, or from it.
void silt_params_pack(const SiltParamTable *table, void *params, SiltPack *pack);

#endif
