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
// Whether two names are one where a dash and an underscore are.
bool silt_param_same_name(const char *a, const char *b);
// A number may be left unset where its default is, or the paper's.
bool silt_param_may_be_unset(const SiltParam *param);
// The parameter's place in `params` takes what the text says, or is as it was.
SiltStatus silt_param_read(const SiltParam *param, void *params, const char *owner, const char *value);
// Fails for row `row` of a list, from 0, saying what a row is.
SiltStatus silt_param_bad_row(const SiltParam *param, const char *owner, int row);
// All values into a block of memory, or from it.
void silt_params_pack(const SiltParamTable *table, void *params, SiltPack *pack);

#endif
