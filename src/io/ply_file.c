#include "io/ply_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "io/bytes.h"
#include "io/output.h"

static const size_t type_bytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};

bool silt_ply_recognise(const unsigned char *head, size_t bytes)
{
    return bytes >= 4 && memcmp(head, "ply", 3) == 0 &&
           (head[3] == '\n' || head[3] == '\r' || head[3] == ' ');
}

SiltStatus silt_ply_bad_header(const SiltPly *ply, const char *what)
{
    return silt_fail(SILT_BAD_FILE, "%s: the PLY header %s", ply->path, what);
}

SiltStatus silt_ply_ends_early(const SiltPly *ply, const char *what, uint64_t index)
{
    return silt_fail(SILT_BAD_FILE, "%s: the file ends, or has no number, in %s %llu", ply->path, what,
                     (unsigned long long)index);
}

// ---- the header ----

static SiltPlyType find_type(const char *name)
{
    static const struct {
        const char *name;
        SiltPlyType type;
    } names[] = {{"char", SILT_PLY_I8},    {"int8", SILT_PLY_I8},     {"uchar", SILT_PLY_U8},
                 {"uint8", SILT_PLY_U8},   {"short", SILT_PLY_I16},   {"int16", SILT_PLY_I16},
                 {"ushort", SILT_PLY_U16}, {"uint16", SILT_PLY_U16},  {"int", SILT_PLY_I32},
                 {"int32", SILT_PLY_I32},  {"uint", SILT_PLY_U32},    {"uint32", SILT_PLY_U32},
                 {"float", SILT_PLY_F32},  {"float32", SILT_PLY_F32}, {"double", SILT_PLY_F64},
                 {"float64", SILT_PLY_F64}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(names[k].name, name) == 0)
            return names[k].type;
    return SILT_PLY_NONE;
}

static SiltStatus add_element(SiltPly *ply, const char *name, const char *count)
{
    char *end;
    unsigned long long number = strtoull(count, &end, 10);
    if (ply->element_count == SILT_PLY_ELEMENTS)
        return silt_ply_bad_header(ply, "has more than 16 elements");
    if (*count < '0' || *count > '9' || *end || number > INT64_MAX)
        return silt_ply_bad_header(ply, "has an element whose count is no whole number from 0 on");
    SiltPlyElement *element = &ply->elements[ply->element_count++];
    element->count = number;
    snprintf(element->name, sizeof element->name, "%s", name);
    return SILT_OK;
}

static SiltStatus add_property(SiltPly *ply, char words[5][32], int count)
{
    SiltPlyElement *element = ply->element_count ? &ply->elements[ply->element_count - 1] : NULL;
    if (!element || element->property_count == SILT_PLY_PROPERTIES)
        return silt_ply_bad_header(ply, "has a property outside an element, or more than 64 in one");
    SiltPlyProperty property = {0};
    bool is_list = strcmp(words[1], "list") == 0;
    property.count_type = is_list ? find_type(words[2]) : SILT_PLY_NONE;
    property.type = find_type(words[is_list ? 3 : 1]);
    if (count != (is_list ? 5 : 3) || property.type == SILT_PLY_NONE ||
        (is_list && (property.count_type == SILT_PLY_NONE || property.count_type >= SILT_PLY_F32)))
        return silt_ply_bad_header(ply, "has a property that is not 'TYPE NAME' or 'list TYPE TYPE NAME'");
    memcpy(property.name, words[is_list ? 4 : 2], sizeof property.name);
    element->properties[element->property_count++] = property;
    return SILT_OK;
}

static SiltStatus read_format(SiltPly *ply, const char *name)
{
    ply->is_text = strcmp(name, "ascii") == 0;
    ply->big_endian = strcmp(name, "binary_big_endian") == 0;
    if (!ply->is_text && !ply->big_endian && strcmp(name, "binary_little_endian") != 0)
        return silt_ply_bad_header(ply, "names no format: ascii, binary_little_endian or binary_big_endian");
    return SILT_OK;
}

static SiltStatus read_header_line(SiltPly *ply, const char *line, bool *has_format)
{
    char words[5][32] = {"", "", "", "", ""};
    int count = sscanf(line, "%31s %31s %31s %31s %31s", words[0], words[1], words[2], words[3], words[4]);
    if (count < 1 || strcmp(words[0], "obj_info") == 0 || strcmp(words[0], "ply") == 0 ||
        strcmp(words[0], "comment") == 0)
        return SILT_OK;
    if (strcmp(words[0], "format") == 0) {
        *has_format = true;
        return read_format(ply, words[1]);
    }
    if (strcmp(words[0], "element") == 0)
        return add_element(ply, words[1], words[2]);
    if (strcmp(words[0], "property") == 0)
        return add_property(ply, words, count);
    return silt_ply_bad_header(ply, "has a line that is neither format, element, property nor comment");
}

static SiltStatus read_header(SiltPly *ply)
{
    bool has_format = false;
    while (ply->at < ply->end) {
        char line[256];
        size_t length = strcspn(ply->at, "\r\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < 255 ? length : 255), ply->at);
        const char *stop = ply->at + length;
        if (*stop == '\0')
            break; // the end of the file, or a byte that no header has
        ply->at = stop + (stop[0] == '\r' && stop[1] == '\n' ? 2 : 1);
        if (strcmp(line, "end_header") == 0) {
            ply->body = ply->at;
            return has_format ? SILT_OK : silt_ply_bad_header(ply, "has no format line");
        }
        SiltStatus status = read_header_line(ply, line, &has_format);
        if (status != SILT_OK)
            return status;
    }
    return silt_ply_bad_header(ply, "has no end_header");
}

SiltStatus silt_ply_open(const char *path, SiltPly *ply)
{
    *ply = (SiltPly){.path = path};
    size_t bytes;
    SiltStatus status = silt_read_file(path, SIZE_MAX / 4, &ply->text, &bytes);
    if (status != SILT_OK)
        return status;
    ply->at = ply->text;
    ply->end = ply->text + bytes;
    return silt_ply_recognise((const unsigned char *)ply->text, bytes)
               ? read_header(ply)
               : silt_fail(SILT_BAD_FILE, "%s: not a PLY file", path);
}

void silt_ply_close(SiltPly *ply)
{
    silt_free(ply->text);
    ply->text = NULL;
}

bool silt_ply_comment(const SiltPly *ply, const char *word, int count, double *out)
{
    char start[64];
    double numbers[8];
    int length = snprintf(start, sizeof start, "\ncomment silt %s ", word);
    for (const char *at = ply->text; (at = strstr(at, start)) && at < ply->body; at += length) {
        const char *cursor = at + length;
        int found = 0;
        while (found < count && found < 8 && silt_parse_number(&cursor, &numbers[found]) &&
               isfinite(numbers[found]))
            found++;
        if (found != count)
            continue;
        memcpy(out, numbers, (size_t)count * sizeof *out);
        return true;
    }
    return false;
}

// ---- the numbers ----

bool silt_ply_number(SiltPly *ply, SiltPlyType type, double *out)
{
    if (ply->is_text)
        return silt_parse_number(&ply->at, out);
    if ((size_t)(ply->end - ply->at) < type_bytes[type])
        return false;
    const char *at = ply->at;
    bool big = ply->big_endian;
    ply->at += type_bytes[type];
    switch (type) {
    case SILT_PLY_I8:
        *out = (double)(int8_t)*at;
        break;
    case SILT_PLY_U8:
        *out = (double)(uint8_t)*at;
        break;
    case SILT_PLY_I16:
        *out = (double)(int16_t)silt_load_u16(at, big);
        break;
    case SILT_PLY_U16:
        *out = (double)silt_load_u16(at, big);
        break;
    case SILT_PLY_I32:
        *out = (double)(int32_t)silt_load_u32(at, big);
        break;
    case SILT_PLY_U32:
        *out = (double)silt_load_u32(at, big);
        break;
    case SILT_PLY_F32:
        *out = (double)silt_load_f32(at, big);
        break;
    case SILT_PLY_F64:
        *out = silt_load_f64(at, big);
        break;
    case SILT_PLY_NONE:
        return false;
    }
    return true;
}

SiltStatus silt_ply_list(SiltPly *ply, const SiltPlyProperty *property, uint64_t item, uint64_t *length)
{
    double number = 0.0;
    *length = 0;
    if (!silt_ply_number(ply, property->count_type, &number))
        return silt_ply_ends_early(ply, "list", item);
    if (!(number >= 0.0 && number <= (double)(ply->end - ply->at)))
        return silt_fail(SILT_BAD_FILE, "%s: a list of %g numbers does not fit into the file", ply->path,
                         number);
    *length = (uint64_t)number;
    return SILT_OK;
}

SiltStatus silt_ply_check_count(const SiltPly *ply, const SiltPlyElement *element)
{
    size_t least = 0; // bytes an item takes
    for (int k = 0; k < element->property_count; k++) {
        const SiltPlyProperty *property = &element->properties[k];
        least += ply->is_text ? 2 : type_bytes[property->count_type ? property->count_type : property->type];
    }
    double left = (double)(ply->end - ply->at) + 1.0; // the last number of a text needs no space
    if ((double)element->count * (double)least > left)
        return silt_fail(SILT_BAD_FILE, "%s: %llu elements do not fit into the %.0f bytes that follow",
                         ply->path, (unsigned long long)element->count, left - 1.0);
    return SILT_OK;
}
