// $names: what `define` says, what the caller says instead, and putting it into text.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "recipe/recipe.h"

// The names that were read, a bit each, since somebody began to note them: a recipe is read by one thread.
static _Thread_local uint64_t noted;
_Static_assert(MOST_DEFINES <= 64, "a name has a bit");

uint64_t silt_defines_note(uint64_t from)
{
    uint64_t before = noted;
    noted = from;
    return before;
}

static size_t name_length(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return 0;
    size_t length = 1;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static const char *name_at(const void *context, int index)
{
    return ((const SiltRecipe *)context)->defines[index].name;
}

static const Define *find(const SiltRecipe *recipe, const char *name, size_t length)
{
    for (int k = 0; k < recipe->define_count; k++) {
        const Define *define = &recipe->defines[k];
        if (strlen(define->name) == length && strncmp(define->name, name, length) == 0)
            return define;
    }
    return NULL;
}

static const char *hint_for(const SiltRecipe *recipe, const char *name, char *buffer, size_t size)
{
    return silt_suggestion(silt_nearest_name(name, name_at, recipe, recipe->define_count), buffer, size);
}

// The name after a '$', and how many bytes it took with its braces; false when there is none.
static bool read_name(const char *text, const char **name, size_t *length, size_t *taken)
{
    bool braced = text[0] == '{';
    *name = text + braced;
    *length = name_length(*name);
    *taken = *length + 2 * (size_t)braced;
    return *length > 0 && *length < SILT_NAME_SIZE && (!braced || (*name)[*length] == '}');
}

static SiltStatus add_define(const SiltRecipe *recipe, const Node *node, size_t offset, const char *name,
                             size_t length, SiltText *text)
{
    char owner[OWNER_SIZE], word[SILT_NAME_SIZE], hint[80];
    int column = node->column + (int)offset + !node->plain;
    silt_step_owner(recipe, node->line, column, owner);
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const Define *define = find(recipe, name, length);
    if (!define)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: nothing defines $%s%s", owner, word,
                         hint_for(recipe, word, hint, sizeof hint));
    if (define->value[0] == '\0')
        return silt_fail(SILT_BAD_ARGUMENT, "%s: $%s has no value: give it with -D %s=...", owner, word,
                         word);
    silt_text_add(text, define->value);
    noted |= define->reads | (uint64_t)1 << (define - recipe->defines);
    // names made of names could grow without end
    if (text->length >= SILT_PATH_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "%s: with $%s in its place the text is longer than %d bytes",
                         owner, word, SILT_PATH_SIZE - 1);
    return SILT_OK;
}

SiltStatus silt_defines_expand(const SiltRecipe *recipe, const Node *node, char **out)
{
    *out = NULL;
    SiltText text = {0};
    SiltStatus status = SILT_OK;
    const char *cursor = node->text;
    while (status == SILT_OK && *cursor) { // after a name without its brace there may be nothing
        size_t plain = strcspn(cursor, "$"), length, taken = 1;
        silt_text_addf(&text, "%.*s", (int)plain, cursor);
        cursor += plain;
        if (!*cursor)
            break;
        size_t offset = (size_t)(cursor++ - node->text);
        const char *name;
        char owner[OWNER_SIZE];
        if (*cursor == '$')
            silt_text_add(&text, "$");
        else if (read_name(cursor, &name, &length, &taken))
            status = add_define(recipe, node, offset, name, length, &text);
        else
            status = silt_fail(
                SILT_BAD_ARGUMENT, "%s: a '$' must be followed by a name; write $$ for a dollar",
                silt_step_owner(recipe, node->line, node->column + (int)offset + !node->plain, owner));
        cursor += taken;
    }
    if (status != SILT_OK) {
        silt_text_free(&text);
        return status;
    }
    *out = silt_text_take(&text);
    return *out ? SILT_OK : SILT_NO_MEMORY;
}

static SiltStatus read_define(SiltRecipe *recipe, const Node *key, const Node *value)
{
    char owner[OWNER_SIZE];
    silt_step_owner(recipe, key->line, key->column, owner);
    if (name_length(key->text) != strlen(key->text) || strlen(key->text) >= SILT_NAME_SIZE ||
        key->text[0] == '\0')
        return silt_fail(SILT_BAD_FILE, "%s: '%.60s' is no name: letters, digits and _, %d at the most",
                         owner, key->text, SILT_NAME_SIZE - 1);
    if (recipe->define_count == MOST_DEFINES)
        return silt_fail(SILT_BAD_FILE, "%s: a recipe defines at most %d names", owner, MOST_DEFINES);
    if (value->kind != NODE_TEXT)
        return silt_fail(SILT_BAD_FILE, "%s: '%s' takes a number or a text, not a list or map", owner,
                         key->text);
    Define define = {.line = key->line, .column = key->column};
    strcpy(define.name, key->text);
    uint64_t before = silt_defines_note(0);
    SiltStatus status = silt_defines_expand(recipe, value, &define.preset); // names above may be used
    define.reads = silt_defines_note(before);
    if (status != SILT_OK)
        return status;
    define.value = silt_strdup(define.preset);
    recipe->defines[recipe->define_count++] = define;
    return define.value ? SILT_OK : silt_fail_memory("a recipe", (double)strlen(define.preset));
}

// "name=value" before the section is read: kept aside until the name turns up.
static const char *given_value(const char *const *given, int count, const char *name)
{
    size_t length = strlen(name);
    for (int k = count; k-- > 0;)
        if (strncmp(given[k], name, length) == 0 && given[k][length] == '=')
            return given[k] + length + 1;
    return NULL;
}

static SiltStatus check_given(const SiltRecipe *recipe, const char *given)
{
    const char *equals = strchr(given, '=');
    size_t length = equals ? (size_t)(equals - given) : 0;
    if (length == 0 || length >= SILT_NAME_SIZE)
        return silt_fail(SILT_BAD_ARGUMENT, "-D '%.60s' is not of the form name=value", given);
    if (find(recipe, given, length))
        return SILT_OK;
    char name[SILT_NAME_SIZE], hint[80];
    snprintf(name, sizeof name, "%.*s", (int)length, given);
    return silt_fail(SILT_BAD_ARGUMENT, "%s: -D %s: the recipe defines no such name%s", recipe->path, name,
                     hint_for(recipe, name, hint, sizeof hint));
}

SiltStatus silt_defines_read(SiltRecipe *recipe, const Node *section, const char *const *given, int count)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; section && k < section->count && status == SILT_OK; k++) {
        status = read_define(recipe, node_key(section, k), node_value(section, k));
        if (status != SILT_OK)
            break;
        Define *define = &recipe->defines[recipe->define_count - 1];
        const char *value = given_value(given, count, define->name);
        if (!value)
            continue;
        silt_free(define->value);
        define->given = true;
        define->reads = 0;
        define->value = silt_strdup(value);
        if (!define->value)
            status = silt_fail_memory("a recipe", (double)strlen(value));
    }
    for (int k = 0; k < count && status == SILT_OK; k++)
        status = check_given(recipe, given[k]);
    return status;
}

void silt_defines_warn_of_idle(const SiltRecipe *recipe, uint64_t used)
{
    const char *file = silt_step_instead(&recipe->terrain);
    for (int k = 0; k < recipe->define_count; k++) {
        const Define *define = &recipe->defines[k];
        if (define->given && !(used >> k & 1))
            silt_warn("%s: %s=%.60s changes nothing: %s%s%s", recipe->path, define->name, define->value,
                      file ? "the land is that of " : "", file ? file : "",
                      file ? ", and nothing else that is done reads it" : "nothing that is done reads it");
    }
}

SiltStatus silt_small_read(SiltRecipe *recipe, const Node *section)
{
    for (int k = 0; k < section->count; k++) {
        const Node *key = node_key(section, k), *value = node_value(section, k);
        char owner[OWNER_SIZE], hint[80];
        silt_step_owner(recipe, key->line, key->column, owner);
        if (!find(recipe, key->text, strlen(key->text)))
            return silt_fail(SILT_BAD_FILE, "%s: 'small' names '%.60s', and nothing defines it%s", owner,
                             key->text, hint_for(recipe, key->text, hint, sizeof hint));
        if (value->kind != NODE_TEXT || recipe->small_count == MOST_DEFINES)
            return silt_fail(SILT_BAD_FILE, "%s: '%s' takes one number or text, not a list or map", owner,
                             key->text);
        SiltText text = {0};
        silt_text_addf(&text, "%s=%s", key->text, value->text);
        recipe->small[recipe->small_count] = silt_text_take(&text);
        if (!recipe->small[recipe->small_count])
            return SILT_NO_MEMORY;
        recipe->small_count++;
    }
    return SILT_OK;
}
