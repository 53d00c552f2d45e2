// silt help WORD: parameters, layers, symbols of papers, choices, units, and all that speaks of a word.
#include <string.h>
#include <strings.h>

#include "help.h"

// Whether a word stands in a list of them, with spaces between.
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; length && at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

// ---- one parameter ----

typedef struct Owner {
    const char *kind, *name; // "silt erode", "pipes"
    const SiltParamTable *table;
} Owner;

// Everything that has parameters, one after the other; false behind the last.
static bool owner_at(int index, Owner *out)
{
    if (index < silt_generator_count()) {
        const SiltGenerator *g = silt_generator_at(index);
        *out = (Owner){"silt new", g->name, &g->params};
        return true;
    }
    index -= silt_generator_count();
    if (index < silt_volume_shape_count()) {
        const SiltVolumeShape *shape = silt_volume_shape_at(index);
        *out = (Owner){"silt new", shape->name, &shape->params};
        return true;
    }
    index -= silt_volume_shape_count();
    if (index < silt_model_count()) {
        const SiltModel *m = silt_model_at(index);
        *out = (Owner){"silt erode", silt_model_name(m), silt_model_params(m)};
        return true;
    }
    index -= silt_model_count();
    if (index < silt_stage_count()) {
        const SiltStage *s = silt_stage_at(index);
        *out = (Owner){"the stage", s->name, &s->params};
        return true;
    }
    index -= silt_stage_count();
    const Owner options[] = {
        {"reading", "files", &silt_read_params},     {"writing", "files", &silt_write_params},
        {"silt", "render", &silt_render_params},     {"silt", "rivers", &silt_river_params},
        {"volumes of", "rock", &silt_volume_params}, {"the hardness of", "rock", &silt_rock_params},
        {"masks for", "engines", &silt_mask_params}, {"silt", "convert", &silt_tile_params}};
    if (index >= (int)(sizeof options / sizeof options[0]))
        return false;
    *out = options[index];
    return true;
}

static const SiltParam *param_of(const Owner *owner, const char *name)
{
    int index = silt_params_find(owner->table, name);
    return index < 0 ? NULL : &owner->table->items[index];
}

static bool says_the_same(const SiltParam *a, const SiltParam *b)
{
    return strcmp(a->help, b->help) == 0 && strcmp(a->unit, b->unit) == 0 && a->number[0] == b->number[0];
}

// A parameter by its name: its text once, with all that have it so.
bool help_parameter(const char *name)
{
    Owner owner, other;
    bool found = false;
    for (int k = 0; owner_at(k, &owner); k++) {
        const SiltParam *param = param_of(&owner, name);
        bool is_told = !param;
        for (int n = 0; n < k && !is_told; n++)
            is_told =
                owner_at(n, &other) && param_of(&other, name) && says_the_same(param, param_of(&other, name));
        if (is_told)
            continue;
        begin_part("parameter", name);
        say("a parameter of %s %s", owner.kind, owner.name);
        for (int n = k + 1; owner_at(n, &other); n++)
            if (param_of(&other, name) && says_the_same(param, param_of(&other, name)))
                say(", %s %s", other.kind, other.name);
        say("\n");
        tell_params("parameters", &(SiltParamTable){param, 1, owner.table->size});
        found = true;
    }
    return found;
}

// ---- layers, symbols and everything else ----

bool help_layer(const char *name)
{
    const char *about = silt_layer_about(name), *unit = silt_layer_unit(name);
    if (!about[0])
        return false;
    begin_part("layer", name);
    add_fact("unit", unit);
    add_fact("about", about);
    say("a layer: %s: %s%s%s%s\n", name, about, unit[0] && strcmp(unit, "1") ? " [" : "",
        strcmp(unit, "1") ? unit : "", unit[0] && strcmp(unit, "1") ? "]" : "");
    bool first = true;
    for (int k = 0; k < silt_model_count(); k++) {
        if (!has_word(silt_model_makes(silt_model_at(k)), name))
            continue;
        say("%s %s", first ? "models that make it:" : ",", silt_model_name(silt_model_at(k)));
        first = false;
    }
    say("%s", first ? "" : "\n");
    return true;
}

bool help_symbol(const char *symbol)
{
    Owner owner;
    bool found = false;
    size_t length = strlen(symbol);
    for (int k = 0; length <= 8 && owner_at(k, &owner); k++)
        for (int n = 0; n < owner.table->count; n++) {
            const SiltParam *param = &owner.table->items[n];
            bool is_it = strncmp(param->help, symbol, length) == 0 &&
                         (param->help[length] == ':' || strncmp(param->help + length, " =", 2) == 0 ||
                          param->help[length] == ',');
            if (!is_it)
                continue;
            begin_part("symbol", symbol);
            say("%s is the parameter %s of %s %s\n", symbol, param->name, owner.kind, owner.name);
            tell_params("parameters", &(SiltParamTable){param, 1, owner.table->size});
            found = true;
        }
    return found;
}

bool help_choice(const char *choice)
{
    Owner owner;
    bool found = false;
    for (int k = 0; owner_at(k, &owner); k++)
        for (int n = 0; n < owner.table->count; n++) {
            const SiltParam *param = &owner.table->items[n];
            if (!has_word(param->choices, choice))
                continue;
            begin_part("choice", choice);
            say("%s is a choice of the parameter %s of %s %s\n", choice, param->name, owner.kind, owner.name);
            tell_params("parameters", &(SiltParamTable){param, 1, owner.table->size});
            found = true;
        }
    return found;
}

bool help_topic(const char *name)
{
    if (!has_word(SILT_UNITS " units unit", name))
        return false;
    begin_part("topic", "units");
    add_fact("units", SILT_UNITS);
    say("a number may carry a unit: %s; their powers (km2) and ratios (mm/year)\n"
        "without one it is in the unit that 'silt help' and docs/reference.md name\n"
        "  silt erode rivers dem.tif --time 100kyr --set uplift=0.5mm/year -o later.tif\n",
        SILT_UNITS);
    return true;
}

// "resume" of the options of that name, with the commands that take it.
bool help_option(const char *name)
{
    bool found = false;
    for (int k = 0; k < option_count(); k++) {
        const Option *option = option_at(k);
        if (strcmp(option->name + 2, name) != 0)
            continue;
        begin_part("option", option->name);
        add_fact("value", option->value);
        say("an option of %s\n  %s%s%s  %s\n",
            strcmp(option->commands, "*") == 0 ? "every command" : option->commands, option->name,
            option->value[0] ? " " : "", option->value, option_help(option));
        found = true;
    }
    return found;
}

static bool mentions(const char *text, const char *word)
{
    return text && strcasestr(text, word) != NULL;
}

typedef struct Search {
    const char *word;
    int found;
} Search;

static void tell_match(Search *search, const char *call, const char *name, const char *about)
{
    if (!mentions(name, search->word) && !mentions(about, search->word))
        return;
    char left[96];
    snprintf(left, sizeof left, "%s%s", call, name);
    if (answer_is_json()) {
        begin_part("match", left);
        say("%s", about);
    } else {
        if (!search->found)
            say("nothing is called '%s'; these speak of it:\n", search->word);
        say("  %-32s %s\n", left, about);
    }
    search->found++;
}

static void tell_recipe(void *context, const char *name, const char *about)
{
    tell_match(context, "silt run ", name, about);
}

// Everything whose name or summary has the word in it.
bool help_search(const char *word)
{
    Search search = {.word = word};
    Owner owner;
    if (strlen(word) < 3)
        return false;
    for (int k = 0; k < command_count(); k++)
        tell_match(&search, "silt ", command_at(k)->name, command_at(k)->summary);
    for (int k = 0; k < silt_generator_count(); k++)
        tell_match(&search, "silt new ", silt_generator_at(k)->name, silt_generator_at(k)->summary);
    for (int k = 0; k < silt_volume_shape_count(); k++)
        tell_match(&search, "silt new ", silt_volume_shape_at(k)->name, silt_volume_shape_at(k)->summary);
    for (int k = 0; k < silt_model_count(); k++)
        tell_match(&search, "silt erode ", silt_model_name(silt_model_at(k)),
                   silt_model_summary(silt_model_at(k)));
    each_recipe(tell_recipe, &search);
    for (int k = 0; k < silt_stage_count(); k++)
        tell_match(&search, "stage ", silt_stage_at(k)->name, silt_stage_at(k)->summary);
    for (int k = 0; silt_layer_name_at(k); k++)
        tell_match(&search, "layer ", silt_layer_name_at(k), silt_layer_about(silt_layer_name_at(k)));
    for (int k = 0; k < option_count(); k++)
        tell_match(&search, "option ", option_at(k)->name, option_help(option_at(k)));
    for (int k = 0; owner_at(k, &owner); k++)
        for (int n = 0; n < owner.table->count; n++) {
            char call[64];
            snprintf(call, sizeof call, "%s of %s ", "parameter", owner.name);
            tell_match(&search, call, owner.table->items[n].name, owner.table->items[n].help);
        }
    return search.found > 0;
}
