#include "recipe/edit.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"

enum { LINE_LENGTH = 118 };

static void add_range(SiltText *text, const char *from, size_t start, size_t end)
{
    enum { PIECE = 1 << 20 }; // a precision is an int
    for (; start < end; start += PIECE) {
        size_t bytes = end - start < PIECE ? end - start : PIECE;
        silt_text_addf(text, "%.*s", (int)bytes, from + start);
    }
}

static size_t line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

// Behind the line break that ends the line of `at`, or the end of the text.
static size_t line_end(const char *text, size_t at)
{
    at += strcspn(text + at, "\n");
    return text[at] ? at + 1 : at;
}

char *silt_edit_splice(const char *text, size_t start, size_t end, const char *put)
{
    SiltText out = {0};
    add_range(&out, text, 0, start);
    silt_text_add(&out, put);
    silt_text_add(&out, text + end);
    return silt_text_take(&out);
}

// ---- keys of maps ----

static bool same_key(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && !(strchr("-_", *a) && strchr("-_", *b)))
            return false;
    return *a == *b;
}

int silt_node_find(const Node *map, const char *key)
{
    for (int k = 0; map && map->kind == NODE_MAP && k < map->count; k++)
        if (same_key(node_key(map, k)->text, key))
            return k;
    return -1;
}

// Spaces up to where the keys of a map stand.
static void add_indent(SiltText *text, const Node *map)
{
    for (int k = 1; k < node_key(map, 0)->column; k++)
        silt_text_add(text, " ");
}

static char *replace_value(const Source *source, const Node *value, const char *put)
{
    bool needs_space = value->start > 0 && source->text[value->start - 1] == ':';
    SiltText text = {0};
    silt_text_add(&text, needs_space ? " " : "");
    silt_text_add(&text, put);
    char *out = text.data ? silt_edit_splice(source->text, value->start, value->end, text.data) : NULL;
    silt_text_free(&text);
    return out;
}

static char *add_pair(const Source *source, const Node *map, const char *key, const char *value)
{
    const char *text = source->text;
    SiltText put = {0};
    size_t at = map->count > 0 ? node_value(map, map->count - 1)->end : map->start + 1;
    if (map->flow) {
        size_t used = at - line_begin(text, at) + strlen(key) + strlen(value) + 4;
        silt_text_add(&put, map->count == 0 ? "" : used > LINE_LENGTH ? ",\n" : ", ");
        if (map->count > 0 && used > LINE_LENGTH)
            add_indent(&put, map);
        silt_text_addf(&put, "%s: ", key);
        silt_text_add(&put, value);
    } else {
        at = line_end(text, at);
        silt_text_add(&put, at > 0 && text[at - 1] != '\n' ? "\n" : "");
        add_indent(&put, map);
        silt_text_addf(&put, "%s: ", key);
        silt_text_add(&put, value);
        silt_text_add(&put, "\n");
    }
    char *out = put.data ? silt_edit_splice(text, at, at, put.data) : NULL;
    silt_text_free(&put);
    return out;
}

static char *remove_pair(const Source *source, const Node *map, int index)
{
    size_t start = node_key(map, index)->start, end = node_value(map, index)->end;
    if (!map->flow)
        return silt_edit_splice(source->text, line_begin(source->text, start), line_end(source->text, end),
                                "");
    if (index > 0)
        start = node_value(map, index - 1)->end;
    else if (map->count > 1)
        end = node_key(map, 1)->start;
    return silt_edit_splice(source->text, start, end, "");
}

char *silt_edit_key(const Source *source, const Node *map, const char *key, const char *value)
{
    int index = silt_node_find(map, key);
    if (index >= 0)
        return value ? replace_value(source, node_value(map, index), value) : remove_pair(source, map, index);
    return value ? add_pair(source, map, key, value) : silt_strdup(source->text);
}

// ---- entries of lists ----

typedef struct Chunk {
    size_t begin;  // of the comments above it
    size_t dash;   // of its first line
    size_t end;    // behind its last line
    int indent;    // columns before the dash
    bool has_dash; // and nothing but spaces before it
} Chunk;

static bool is_comment(const char *text, size_t begin)
{
    return text[begin + strspn(text + begin, " \t")] == '#';
}

static Chunk find_chunk(const Source *source, const Node *list, int index)
{
    const char *text = source->text;
    const Node *entry = list->items[index];
    size_t at = entry->start;
    while (at > 0 && text[at] != '-')
        at--;
    Chunk chunk = {.dash = line_begin(text, at), .end = line_end(text, entry->end)};
    chunk.indent = (int)(at - chunk.dash);
    chunk.has_dash = strspn(text + chunk.dash, " ") == at - chunk.dash;
    chunk.begin = chunk.dash;
    size_t above = index > 0 ? line_end(text, list->items[index - 1]->end) : 0;
    while (chunk.begin > above && is_comment(text, line_begin(text, chunk.begin - 1)))
        chunk.begin = line_begin(text, chunk.begin - 1);
    return chunk;
}

bool silt_edit_is_block(const Source *source, const Node *list)
{
    if (!list || list->kind != NODE_LIST || list->flow || list->alias)
        return false;
    for (int k = 0; k < list->count; k++)
        if (list->items[k]->alias || !find_chunk(source, list, k).has_dash)
            return false;
    return true;
}

// A chunk behind text that may lack its last line break.
static void add_chunk(SiltText *out, const char *text, size_t begin, size_t end)
{
    if (out->length > 0 && out->data[out->length - 1] != '\n')
        silt_text_add(out, "\n");
    add_range(out, text, begin, end);
}

char *silt_edit_insert(const Source *source, const Node *list, int index, const char *entry)
{
    const char *text = source->text;
    Chunk near = find_chunk(source, list, index < list->count ? index : list->count - 1);
    size_t at = index < list->count ? near.begin : near.end;
    SiltText out = {0};
    add_range(&out, text, 0, at);
    if (out.length > 0 && out.data[out.length - 1] != '\n')
        silt_text_add(&out, "\n");
    for (int k = 0; k < near.indent; k++)
        silt_text_add(&out, " ");
    silt_text_addf(&out, "- %s\n", entry);
    silt_text_add(&out, text + at);
    return silt_text_take(&out);
}

char *silt_edit_remove(const Source *source, const Node *list, int index)
{
    Chunk chunk = find_chunk(source, list, index);
    return silt_edit_splice(source->text, chunk.begin, chunk.end, "");
}

char *silt_edit_move(const Source *source, const Node *list, int from, int to)
{
    const char *text = source->text;
    Chunk moved = find_chunk(source, list, from), near = find_chunk(source, list, to);
    size_t at = to < from ? near.begin : near.end;
    SiltText out = {0};
    if (to < from) {
        add_range(&out, text, 0, at);
        add_chunk(&out, text, moved.begin, moved.end);
        add_chunk(&out, text, at, moved.begin);
    } else {
        add_range(&out, text, 0, moved.begin);
        add_chunk(&out, text, moved.end, at);
        add_chunk(&out, text, moved.begin, moved.end);
    }
    size_t rest = to < from ? moved.end : at;
    add_chunk(&out, text, rest, strlen(text));
    return silt_text_take(&out);
}

char *silt_edit_duplicate(const Source *source, const Node *list, int index)
{
    Chunk chunk = find_chunk(source, list, index);
    SiltText out = {0};
    add_range(&out, source->text, 0, chunk.end);
    add_chunk(&out, source->text, chunk.dash, chunk.end);
    add_chunk(&out, source->text, chunk.end, strlen(source->text));
    return silt_text_take(&out);
}

// ---- sections ----

char *silt_edit_add_section(const Source *source, const char *name, const char *before)
{
    const char *text = source->text;
    int index = before ? silt_node_find(source->root, before) : -1;
    size_t at = strlen(text);
    if (index >= 0) {
        at = line_begin(text, node_key(source->root, index)->start);
        while (at > 0 && is_comment(text, line_begin(text, at - 1)))
            at = line_begin(text, at - 1);
    }
    SiltText out = {0};
    add_range(&out, text, 0, at);
    if (out.length > 0 && out.data[out.length - 1] != '\n')
        silt_text_add(&out, "\n");
    silt_text_addf(&out, "%s:\n", name);
    silt_text_add(&out, text + at);
    return silt_text_take(&out);
}

char *silt_edit_lay_out(const Source *source)
{
    SiltText out = {0};
    const Node *root = source->root;
    for (int k = 0; k < root->count; k++) {
        const Node *value = node_value(root, k);
        bool empty = value->kind == NODE_TEXT && value->plain && !value->text[0];
        silt_yaml_add_node(&out, node_key(root, k));
        silt_text_add(&out, value->kind == NODE_TEXT && !empty ? ": " : ":\n");
        for (int i = 0; value->kind == NODE_LIST && i < value->count; i++) {
            silt_text_add(&out, "  - ");
            silt_yaml_add_node(&out, value->items[i]);
            silt_text_add(&out, "\n");
        }
        for (int i = 0; value->kind == NODE_MAP && i < value->count; i++) {
            silt_text_add(&out, "  ");
            silt_yaml_add_node(&out, node_key(value, i));
            silt_text_add(&out, ": ");
            silt_yaml_add_node(&out, node_value(value, i));
            silt_text_add(&out, "\n");
        }
        if (value->kind == NODE_TEXT && !empty) {
            silt_yaml_add_node(&out, value);
            silt_text_add(&out, "\n");
        }
    }
    return silt_text_take(&out);
}

// ---- values ----

static void add_raw(SiltText *text, const Node *node)
{
    if (node->kind == NODE_TEXT)
        silt_text_add(text, node->text);
    for (int k = 0; node->kind == NODE_LIST && k < node->count; k++) {
        if (k)
            silt_text_add(text, node->items[k]->kind == NODE_LIST ? ";" : ",");
        add_raw(text, node->items[k]);
    }
}

char *silt_node_raw(const Node *node)
{
    SiltText text = {0};
    silt_text_add(&text, "");
    add_raw(&text, node);
    return silt_text_take(&text);
}

// Whether text may stand without quotes, in brackets too.
static bool is_plain(const char *value)
{
    size_t length = strlen(value);
    if (length == 0 || strchr(" \t", value[0]) || strchr(" \t:", value[length - 1]))
        return false;
    if (strchr("-?:", value[0]) ? length == 1 || strchr(" \t", value[1]) != NULL
                                : strchr("&*!|>'\"%@`#", value[0]) != NULL)
        return false;
    if (strncmp(value, "---", 3) == 0 || strncmp(value, "...", 3) == 0 || strcmp(value, "<<") == 0)
        return false;
    for (const char *c = value; *c; c++)
        if (strchr(",[]{}", *c) || (unsigned char)*c < 32 || *c == 127 || (*c == ':' && c[1] == ' ') ||
            (*c == '#' && c > value && c[-1] == ' '))
            return false;
    return true;
}

static void add_scalar(SiltText *text, const char *value)
{
    if (is_plain(value)) {
        silt_text_add(text, value);
        return;
    }
    silt_text_add(text, "\"");
    for (const char *c = value; *c; c++) {
        if (strchr("\"\\", *c))
            silt_text_addf(text, "\\%c", *c);
        else if ((unsigned char)*c < 32 || *c == 127)
            silt_text_addf(text, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            silt_text_addf(text, "%c", *c);
    }
    silt_text_add(text, "\"");
}

// "1,2" as [1, 2]
static void add_row(SiltText *text, const char *row, size_t length)
{
    silt_text_add(text, "[");
    for (size_t at = 0; at <= length;) {
        size_t more = 0;
        while (at + more < length && row[at + more] != ',')
            more++;
        size_t first = at, last = at + more;
        while (first < last && row[first] == ' ')
            first++;
        while (last > first && row[last - 1] == ' ')
            last--;
        char cell[SILT_PATH_SIZE];
        size_t kept = last - first < sizeof cell ? last - first : sizeof cell - 1;
        memcpy(cell, row + first, kept);
        cell[kept] = '\0';
        silt_text_add(text, at > 0 ? ", " : "");
        add_scalar(text, cell);
        at += more + 1;
    }
    silt_text_add(text, "]");
}

// Many rows as one quoted text with a row in each line: a node for each number would be slow to read.
static void add_rows_as_text(SiltText *text, const char *value)
{
    silt_text_add(text, "\"");
    for (size_t start = 0, length; value[start]; start += length) {
        length = strcspn(value + start, ";");
        length += value[start + length] == ';';
        silt_text_add(text, start > 0 ? "\n            " : "");
        add_range(text, value, start, start + length);
    }
    silt_text_add(text, "\"");
}

void silt_yaml_add(SiltText *text, const char *value, bool rows)
{
    enum { MOST_LISTED = 16 };
    if (!rows || !strpbrk(value, ",;") || strpbrk(value, "\"\\\n")) {
        add_scalar(text, value);
        return;
    }
    int count = 1;
    for (const char *c = value; *c; c++)
        count += *c == ';';
    if (count > MOST_LISTED) {
        add_rows_as_text(text, value);
        return;
    }
    // rows of a long list stand below each other, deeper than any key
    bool is_long = strlen(value) > LINE_LENGTH / 2;
    silt_text_add(text, count > 1 ? "[" : "");
    for (const char *row = value; *row;) {
        size_t length = strcspn(row, ";");
        silt_text_add(text, row == value ? "" : is_long ? ",\n            " : ", ");
        add_row(text, row, length);
        row += length + (row[length] == ';');
    }
    silt_text_add(text, count > 1 ? "]" : "");
}

void silt_yaml_add_node(SiltText *text, const Node *node)
{
    if (node->kind == NODE_TEXT) {
        if (!node->plain || node->text[0])
            add_scalar(text, node->text);
        return;
    }
    silt_text_add(text, node->kind == NODE_LIST ? "[" : "{");
    for (int k = 0; k < node->count; k++) {
        silt_text_add(text, k ? ", " : "");
        if (node->kind == NODE_MAP) {
            silt_yaml_add_node(text, node_key(node, k));
            silt_text_add(text, ": ");
        }
        silt_yaml_add_node(text, node->kind == NODE_MAP ? node_value(node, k) : node->items[k]);
    }
    silt_text_add(text, node->kind == NODE_LIST ? "]" : "}");
}
