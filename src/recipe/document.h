// A YAML file as a tree of nodes that know their place. The rest of src/recipe knows no YAML.
#ifndef SILT_RECIPE_DOCUMENT_H
#define SILT_RECIPE_DOCUMENT_H

#include "silt/base.h"

enum { RECIPE_BYTES = 64 << 20 }; // of a file, and of a list in it with its aliases written out

typedef enum NodeKind { NODE_TEXT, NODE_LIST, NODE_MAP } NodeKind;

typedef struct Node {
    NodeKind kind;
    int line, column;    // from 1
    char *text;          // of NODE_TEXT, in the same block
    bool plain;          // text without quotes: empty means nothing was said
    bool flow;           // a list or map in brackets
    bool alias;          // stands for a node that was named before, whose items it shares
    size_t start, end;   // its bytes in the text; of an alias those of the alias
    struct Node **items; // a list's items; a map's keys (always text) and values in turn
    int count;           // of a list's items or a map's pairs
    int capacity;
    struct Node *next_made; // every node of the document, for freeing: an alias has several parents
} Node;

typedef struct Document {
    const char *path;
    Node *root;
    Node *made;
    char *text; // of a file that was read
} Document;

// `path` must outlive the document.
SiltStatus silt_document_read(const char *path, Document *out);
// The same of a text in memory; `path` is its name in messages.
SiltStatus silt_document_parse(const char *path, const char *text, size_t bytes, Document *out);
void silt_document_free(Document *document);

static inline const Node *node_key(const Node *map, int index)
{
    return map->items[2 * index];
}

static inline const Node *node_value(const Node *map, int index)
{
    return map->items[2 * index + 1];
}

#endif
