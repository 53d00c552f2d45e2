// The text of a recipe changed where its nodes stand: what is not touched stays as it was written, with its
// comments.
#ifndef SILT_RECIPE_EDIT_H
#define SILT_RECIPE_EDIT_H

#include "core/text.h"
#include "recipe/document.h"

// A text and the tree it was read into.
typedef struct Source {
    const char *text;
    const Node *root;
} Source;

// Each makes a new text, which the caller frees; NULL (with a message) when there is no memory.

// bytes[start .. end) replaced.
char *silt_edit_splice(const char *text, size_t start, size_t end, const char *put);
// A key of a map (of the document's root, an entry, a `set`) given `value`, which is YAML; NULL: the key
// goes.
char *silt_edit_key(const Source *source, const Node *map, const char *key, const char *value);

// Entries of a block list. Comments that stand right above an entry belong to it.
char *silt_edit_insert(const Source *source, const Node *list, int index, const char *entry);
char *silt_edit_remove(const Source *source, const Node *list, int index);
char *silt_edit_move(const Source *source, const Node *list, int from, int to);
char *silt_edit_duplicate(const Source *source, const Node *list, int index);

// Whether entries can be put in and taken out line by line.
bool silt_edit_is_block(const Source *source, const Node *list);
// The document with each section on lines of its own and lists as "  - " lines. Comments are lost.
char *silt_edit_lay_out(const Source *source);
// A section `name` with nothing in it, before the section `before` if there is one.
char *silt_edit_add_section(const Source *source, const char *name, const char *before);

// A pair of a map, or -1; '-' and '_' are the same.
int silt_node_find(const Node *map, const char *key);
// The text of a node as it stands ($names in it), lists as "1,2;3,4"; the caller frees it.
char *silt_node_raw(const Node *node);
// Text as YAML that reads back as the same text. `rows`: "1,2;3,4" becomes lists, or lines of text where
// there are many; spaces in it may change.
void silt_yaml_add(SiltText *text, const char *value, bool rows);
// A node in one line: scalars, [lists] and {maps}.
void silt_yaml_add_node(SiltText *text, const Node *node);

#endif
