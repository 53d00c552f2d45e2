// The entries of a recipe in hand: what they are, and what was written for each key.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "recipe/stack.h"

static const Node *section_of(const Reading *reading, SiltPlace place)
{
    return reading->sections[place == SILT_IN_TERRAIN ? TERRAIN : place == SILT_IN_STAGES ? STAGES : OUTPUTS];
}

int silt_stack_count(const SiltStack *stack, SiltPlace place)
{
    const SiltRecipe *recipe = stack->now.recipe;
    return place == SILT_IN_TERRAIN  ? 1
           : place == SILT_IN_STAGES ? recipe->stage_count
                                     : recipe->output_count;
}

const Step *silt_stack_step(const SiltStack *stack, SiltPlace place, int index)
{
    const SiltRecipe *recipe = stack->now.recipe;
    if (index < 0 || index >= silt_stack_count(stack, place)) {
        silt_fail(SILT_BAD_ARGUMENT, "there is no entry %d: there are %d", index,
                  silt_stack_count(stack, place));
        return NULL;
    }
    return place == SILT_IN_TERRAIN  ? &recipe->terrain
           : place == SILT_IN_STAGES ? &recipe->stages[index]
                                     : &recipe->outputs[index];
}

const Node *silt_reading_node(const Reading *reading, SiltPlace place, int index)
{
    const Node *section = section_of(reading, place);
    if (place == SILT_IN_TERRAIN)
        return section;
    return section && section->kind == NODE_LIST && index < section->count ? section->items[index] : NULL;
}

const Node *silt_reading_value(const Reading *reading, SiltPlace place, int index, SiltKeys keys,
                               const char *key)
{
    const Node *map = silt_reading_node(reading, place, index);
    if (map && keys == SILT_KEYS_SET) {
        int set = silt_node_find(map, "set");
        map = set < 0 ? NULL : node_value(map, set);
    }
    int found = silt_node_find(map, key);
    bool is_subject = found == 0 && keys != SILT_KEYS_SET;
    return found < 0 || is_subject ? NULL : node_value(map, found);
}

const char *silt_step_title(const Step *step, char buffer[64])
{
    bool named = step->model || step->generator || step->shape;
    if (named)
        snprintf(buffer, 64, "%.60s", step->subject);
    else
        snprintf(buffer, 64, "%.20s %.40s", step->kind->info.name, step->subject);
    return buffer;
}

const SiltParamTable *silt_step_keys(const Step *step, SiltKeys keys)
{
    const SiltStage *info = &step->kind->info;
    const SiltParamTable *table = keys == SILT_KEYS_ENTRY     ? &info->params
                                  : keys == SILT_KEYS_OPTIONS ? info->options
                                  : info->takes_set           ? silt_step_table(step)
                                                              : NULL;
    return table && table->count > 0 ? table : NULL;
}

const void *silt_step_values(const Step *step, SiltKeys keys)
{
    return keys == SILT_KEYS_ENTRY ? step->params : keys == SILT_KEYS_OPTIONS ? step->options : step->set;
}

// A text that stays until the stack changes; NULL without memory.
static const char *say(const SiltStack *stack, char *text)
{
    Said *said = text ? silt_alloc(sizeof *said) : NULL;
    if (!said) {
        silt_free(text);
        return NULL;
    }
    *said = (Said){*stack->said, text};
    *stack->said = said;
    return text;
}

SiltStatus silt_stack_entry(const SiltStack *stack, SiltPlace place, int index, SiltEntry *out)
{
    *out = (SiltEntry){0};
    const Step *step = silt_stack_step(stack, place, index);
    if (!step)
        return SILT_BAD_ARGUMENT;
    const Node *node = silt_reading_node(&stack->now, place, index), *subject = node_value(node, 0);
    out->stage = &step->kind->info;
    out->subject = step->subject;
    out->written = subject->kind == NODE_TEXT ? subject->text : say(stack, silt_node_raw(subject));
    out->model = step->model;
    for (int k = 0; k < 3; k++) {
        out->tables[k] = silt_step_keys(step, (SiltKeys)k);
        out->params[k] = out->tables[k] ? silt_step_values(step, (SiltKeys)k) : NULL;
    }
    out->enabled = !step->off;
    out->skipped = step->skipped && !step->off;
    out->fault = step->fault;
    return out->written ? SILT_OK : SILT_NO_MEMORY;
}

const char *silt_stack_written(const SiltStack *stack, SiltPlace place, int index, SiltKeys keys,
                               const char *key)
{
    const Node *value = index < 0 ? NULL : silt_reading_value(&stack->now, place, index, keys, key);
    if (!value)
        return NULL;
    return value->kind == NODE_TEXT ? value->text : say(stack, silt_node_raw(value));
}

int silt_stack_define_count(const SiltStack *stack)
{
    return stack->now.recipe->define_count;
}

SiltDefine silt_stack_define_at(const SiltStack *stack, int index)
{
    return silt_recipe_define_at(stack->now.recipe, index);
}
