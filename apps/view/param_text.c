// What a parameter is called, and what its tip says.
#include <string.h>

#include "numbers.h"
#include "param_row.h"
#include "silt/text.h"

char *param_title(const char *name)
{
    char *title = g_strdup(name);
    for (char *at = title; *at; at++)
        if (*at == '_')
            *at = ' ';
    return title;
}

static void add_range(GString *tip, const char *low, const char *high, const char *unit)
{
    char *from = plain_text(low), *to = plain_text(high);
    g_string_append_printf(tip, "\n%s to %s%s%s", from, to, unit[0] ? " " : "", unit);
    g_free(from);
    g_free(to);
}

char *param_tip(const SiltParamTable *table, int index)
{
    const SiltParam *param = &table->items[index];
    char *unit = unit_text(silt_param_unit(param));
    char low[SILT_NUMBER_SIZE], high[SILT_NUMBER_SIZE];
    char *usual = silt_params_default(table, index);
    GString *tip = g_string_new(param->help);
    tip->str[0] = g_ascii_toupper(tip->str[0]);
    g_string_append_c(tip, '.');
    bool ranged = param->type == SILT_TYPE_REAL || param->type == SILT_TYPE_INT;
    if (ranged)
        add_range(tip, silt_format_number(param->minimum, low), silt_format_number(param->maximum, high),
                  unit);
    if (usual && usual[0] && strcmp(usual, "nan") != 0 && param->type != SILT_TYPE_LIST)
        g_string_append_printf(tip, "%sdefault %s%s%s", ranged ? "; " : "\n", usual, unit[0] ? " " : "",
                               unit);
    if (param->paper)
        g_string_append_printf(tip, "%spaper %s", ranged || usual ? "; " : "\n", param->paper);
    if (param->flags & SILT_LIVE)
        g_string_append(tip, "\nCan change while it plays.");
    silt_free(usual);
    g_free(unit);
    return g_string_free(tip, FALSE);
}

char *param_usual(const SiltParamTable *table, const void *params, int index)
{
    int paper = silt_params_paper(table);
    bool has_own = params && paper >= 0 && paper != index && table->items[index].paper;
    char *is_on = has_own ? silt_params_value(table, params, paper) : NULL;
    void *as_paper = is_on && strcmp(is_on, "yes") == 0 ? silt_params_new(table) : NULL;
    silt_free(is_on);
    if (!as_paper)
        return silt_params_default(table, index);
    char *usual = silt_params_set(table, as_paper, "", table->items[paper].name, "yes") == SILT_OK
                      ? silt_params_value(table, as_paper, index)
                      : silt_params_default(table, index);
    silt_params_delete(table, as_paper);
    return usual;
}
