// YAML by libyaml's events. The tree is built here rather than by the library's own loader so that depth and
// anchors are bounded: aliases share the node they name, so that a small file stays a small tree.
#include "recipe/document.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"

#ifdef SILT_HAS_YAML
#include <yaml.h>

enum { LIST_LIMIT = 1 << 20, MAP_LIMIT = 2048, DEEPEST = 24, ANCHOR_LIMIT = 256 };

typedef struct Anchor {
    char name[64];
    Node *node;
} Anchor;

typedef struct Loader {
    Document *document;
    yaml_parser_t parser;
    Anchor *anchors;
    int anchor_count;
    const char *text;
    size_t bytes;
    size_t at_character, at_byte; // the same place, counted both ways
} Loader;

// libyaml counts characters; places in the text are bytes. Marks come nearly in order, so that a walk from
// the last one is short.
static size_t byte_of(Loader *loader, yaml_mark_t mark)
{
    const char *text = loader->text;
    size_t at = loader->at_byte;
    while (loader->at_character < mark.index && at < loader->bytes) {
        do
            at++;
        while (at < loader->bytes && ((unsigned char)text[at] & 0xC0) == 0x80);
        loader->at_character++;
    }
    while (loader->at_character > mark.index && at > 0) {
        do
            at--;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80);
        loader->at_character--;
    }
    return loader->at_byte = at;
}

static SiltStatus fail_at(const Loader *loader, yaml_mark_t mark, const char *problem)
{
    return silt_fail(SILT_BAD_FILE, "%s:%zu:%zu: %s", loader->document->path, mark.line + 1, mark.column + 1,
                     problem);
}

static SiltStatus next_event(Loader *loader, yaml_event_t *event)
{
    yaml_parser_t *parser = &loader->parser;
    if (yaml_parser_parse(parser, event))
        return SILT_OK;
    if (parser->error == YAML_MEMORY_ERROR)
        return silt_fail_memory(loader->document->path, 0.0);
    yaml_mark_t mark = parser->error == YAML_READER_ERROR ? parser->mark : parser->problem_mark;
    return silt_fail(SILT_BAD_FILE, "%s:%zu:%zu: not YAML: %s", loader->document->path, mark.line + 1,
                     mark.column + 1, parser->problem ? parser->problem : "unreadable");
}

// With room for `bytes` of text behind it.
static SiltStatus make_node(Loader *loader, const yaml_event_t *event, NodeKind kind, size_t bytes,
                            Node **out)
{
    void *block;
    SiltStatus status = silt_alloc_for("a recipe", 1, sizeof(Node) + bytes, &block);
    if (status != SILT_OK)
        return status;
    Node *node = block;
    node->kind = kind;
    node->line = (int)event->start_mark.line + 1;
    node->column = (int)event->start_mark.column + 1;
    node->start = byte_of(loader, event->start_mark);
    node->end = byte_of(loader, event->end_mark);
    node->next_made = loader->document->made;
    loader->document->made = node;
    *out = node;
    return SILT_OK;
}

static SiltStatus add_item(Node *node, Node *item, int used)
{
    if (used == node->capacity) {
        int wanted = node->capacity ? 2 * node->capacity : 8;
        void *block = node->items;
        SiltStatus status = silt_grow("a recipe", &block, (size_t)used, (size_t)wanted, sizeof *node->items);
        if (status != SILT_OK)
            return status;
        node->items = block;
        node->capacity = wanted;
    }
    node->items[used] = item;
    return SILT_OK;
}

static SiltStatus make_text(Loader *loader, const yaml_event_t *event, Node **out)
{
    const char *value = (const char *)event->data.scalar.value;
    if (strlen(value) != event->data.scalar.length)
        return fail_at(loader, event->start_mark, "a zero byte does not belong in text");
    size_t bytes = strlen(value) + 1;
    SiltStatus status = make_node(loader, event, NODE_TEXT, bytes, out);
    if (status != SILT_OK)
        return status;
    (*out)->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    (*out)->text = memcpy(*out + 1, value, bytes);
    bool quoted = event->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                  event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    while (!quoted && (*out)->end > (*out)->start && strchr(" \t\r\n", loader->text[(*out)->end - 1]))
        (*out)->end--; // the line break that ends a block of text
    return SILT_OK;
}

// A name given twice means the later node from there on, as YAML has it.
static SiltStatus set_anchor(Loader *loader, const yaml_event_t *event, const yaml_char_t *name, Node *node)
{
    if (!name)
        return SILT_OK;
    if (strlen((const char *)name) >= sizeof loader->anchors->name || loader->anchor_count == ANCHOR_LIMIT)
        return fail_at(loader, event->start_mark, "an anchor's name is too long, or there are over 256");
    if (!loader->anchors) {
        SiltStatus status =
            silt_alloc_for("a recipe", ANCHOR_LIMIT, sizeof(Anchor), (void **)&loader->anchors);
        if (status != SILT_OK)
            return status;
    }
    Anchor *anchor = &loader->anchors[loader->anchor_count++];
    strcpy(anchor->name, (const char *)name);
    anchor->node = node;
    return SILT_OK;
}

static SiltStatus follow_alias(Loader *loader, const yaml_event_t *event, Node **out)
{
    const char *name = (const char *)event->data.alias.anchor;
    for (int k = loader->anchor_count; k-- > 0;) {
        if (strcmp(loader->anchors[k].name, name) == 0) {
            const Node *named = loader->anchors[k].node;
            SiltStatus status = make_node(loader, event, named->kind, 0, out);
            if (status != SILT_OK)
                return status;
            Node *next = (*out)->next_made;
            size_t start = (*out)->start, end = (*out)->end;
            **out = *named; // its line and column too: that is where what is wrong can be mended
            (*out)->next_made = next;
            (*out)->start = start;
            (*out)->end = end;
            (*out)->alias = true;
            return SILT_OK;
        }
    }
    return silt_fail(SILT_BAD_FILE, "%s:%zu:%zu: no anchor '&%.60s' stands before this alias",
                     loader->document->path, event->start_mark.line + 1, event->start_mark.column + 1, name);
}

static SiltStatus read_node(Loader *loader, const yaml_event_t *event, int depth, Node **out);

static SiltStatus check_key(const Loader *loader, const Node *map, int pairs, const Node *key,
                            yaml_mark_t mark)
{
    if (key->kind != NODE_TEXT)
        return fail_at(loader, mark, "a key must be a word");
    if (key->plain && strcmp(key->text, "<<") == 0)
        return fail_at(loader, mark, "merge keys (<<) are not understood; write the keys out");
    for (int k = 0; k < pairs; k++)
        if (strcmp(node_key(map, k)->text, key->text) == 0)
            return silt_fail(SILT_BAD_FILE, "%s:%zu:%zu: '%.60s' was said before, in line %d",
                             loader->document->path, mark.line + 1, mark.column + 1, key->text,
                             node_key(map, k)->line);
    return SILT_OK;
}

static SiltStatus fail_full(const Loader *loader, yaml_mark_t mark, NodeKind kind)
{
    char sentence[64];
    snprintf(sentence, sizeof sentence, "with this the %s has more than %d %s",
             kind == NODE_LIST ? "list" : "map", kind == NODE_LIST ? LIST_LIMIT : MAP_LIMIT,
             kind == NODE_LIST ? "entries" : "keys");
    return fail_at(loader, mark, sentence);
}

static SiltStatus read_items(Loader *loader, Node *node, int depth)
{
    int most = node->kind == NODE_LIST ? LIST_LIMIT : 2 * MAP_LIMIT;
    yaml_event_type_t end = node->kind == NODE_LIST ? YAML_SEQUENCE_END_EVENT : YAML_MAPPING_END_EVENT;
    for (int used = 0;; used++) {
        yaml_event_t event;
        SiltStatus status = next_event(loader, &event);
        if (status != SILT_OK)
            return status;
        bool ended = event.type == end;
        Node *item = NULL;
        if (!ended && used == most)
            status = fail_full(loader, event.start_mark, node->kind);
        else if (!ended)
            status = read_node(loader, &event, depth + 1, &item);
        if (status == SILT_OK && !ended && node->kind == NODE_MAP && used % 2 == 0)
            status = check_key(loader, node, used / 2, item, event.start_mark);
        if (ended && node->flow)
            node->end = byte_of(loader, event.end_mark);
        else if (ended && used > 0)
            node->end = node->items[used - 1]->end; // and not where the next thing begins
        yaml_event_delete(&event);
        if (status == SILT_OK && !ended)
            status = add_item(node, item, used);
        if (status != SILT_OK || ended)
            return status;
        node->count = node->kind == NODE_LIST ? used + 1 : (used + 1) / 2;
    }
}

static SiltStatus read_node(Loader *loader, const yaml_event_t *event, int depth, Node **out)
{
    if (depth > DEEPEST)
        return fail_at(loader, event->start_mark, "nested too deep for a recipe");
    if (event->type == YAML_ALIAS_EVENT)
        return follow_alias(loader, event, out);
    const yaml_char_t *anchor;
    SiltStatus status;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        status = make_text(loader, event, out);
    } else {
        bool list = event->type == YAML_SEQUENCE_START_EVENT;
        anchor = list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor;
        status = make_node(loader, event, list ? NODE_LIST : NODE_MAP, 0, out);
        if (status == SILT_OK) {
            (*out)->flow = list ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                                : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
            status = read_items(loader, *out, depth);
        }
    }
    // named once it is whole: nothing can contain itself
    return status == SILT_OK ? set_anchor(loader, event, anchor, *out) : status;
}

// Stream start, document start, the root, document end, stream end.
static SiltStatus read_stream(Loader *loader)
{
    yaml_event_type_t last = YAML_NO_EVENT;
    SiltStatus status = SILT_OK;
    while (status == SILT_OK && last != YAML_STREAM_END_EVENT) {
        yaml_event_t event;
        status = next_event(loader, &event);
        if (status != SILT_OK)
            return status;
        last = event.type;
        if (last == YAML_DOCUMENT_START_EVENT && loader->document->root)
            status = fail_at(loader, event.start_mark, "a second document begins here, and a recipe is one");
        else if (last == YAML_SCALAR_EVENT || last == YAML_SEQUENCE_START_EVENT ||
                 last == YAML_MAPPING_START_EVENT || last == YAML_ALIAS_EVENT)
            status = read_node(loader, &event, 0, &loader->document->root);
        yaml_event_delete(&event);
    }
    if (status == SILT_OK && !loader->document->root)
        return silt_fail(SILT_BAD_FILE, "%s: there is no recipe in this file", loader->document->path);
    return status;
}

// A list of digits is a node for every two bytes of the file.
static SiltStatus check_fits(const char *path, size_t bytes)
{
    double need = (double)bytes * (sizeof(Node) + 144) / 2.0, available = (double)silt_memory_available();
    char wanted[SILT_NUMBER_SIZE], left[SILT_NUMBER_SIZE];
    return need <= available
               ? SILT_OK
               : silt_fail(SILT_NO_MEMORY, "%s: to read it may take %s of memory, and %s is free", path,
                           silt_format_bytes(need, wanted), silt_format_bytes(available, left));
}

SiltStatus silt_document_parse(const char *path, const char *text, size_t bytes, Document *out)
{
    *out = (Document){.path = path};
    SiltStatus status = check_fits(path, bytes);
    if (status != SILT_OK)
        return status;
    bool marked = bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; // not counted by libyaml
    Loader loader = {.document = out, .text = text, .bytes = bytes, .at_byte = marked ? 3 : 0};
    if (yaml_parser_initialize(&loader.parser)) {
        yaml_parser_set_input_string(&loader.parser, (const unsigned char *)text, bytes);
        status = read_stream(&loader);
        yaml_parser_delete(&loader.parser);
    } else {
        status = silt_fail_memory(path, 0.0);
    }
    silt_free(loader.anchors);
    if (status != SILT_OK)
        silt_document_free(out);
    return status;
}

SiltStatus silt_document_read(const char *path, Document *out)
{
    *out = (Document){.path = path};
    char *text;
    size_t bytes;
    SiltStatus status = silt_read_file(path, RECIPE_BYTES, &text, &bytes);
    if (status != SILT_OK)
        return status;
    status = silt_document_parse(path, text, bytes, out);
    out->text = text;
    return status;
}

#else

SiltStatus silt_document_parse(const char *path, const char *text, size_t bytes, Document *out)
{
    (void)text;
    (void)bytes;
    *out = (Document){.path = path};
    return silt_fail(SILT_MISSING_FEATURE,
                     "%s: this build reads no recipes; install libyaml-dev and build again", path);
}

SiltStatus silt_document_read(const char *path, Document *out)
{
    return silt_document_parse(path, "", 0, out);
}

#endif

void silt_document_free(Document *document)
{
    while (document->made) {
        Node *node = document->made;
        document->made = node->next_made;
        if (!node->alias)
            silt_free(node->items);
        silt_free(node);
    }
    document->root = NULL;
    silt_free(document->text);
    document->text = NULL;
}
