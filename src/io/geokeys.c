#include "io/geokeys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The directory is rows of four: key, where its value is, how many, the value or its index there.
enum {
    KEY_MODEL = 1024,    // 1 projected, 2 geographic
    KEY_RASTER = 1025,   // 1 area, 2 point
    KEY_CITATION = 1026, // words
    KEY_GEOGRAPHIC = 2048,
    KEY_GEOGRAPHIC_CITATION = 2049,
    KEY_PROJECTED = 3072,
    KEY_PROJECTED_CITATION = 3073,
    KEY_LINEAR_UNIT = 3076,
    KEY_LINEAR_METRES = 3077, // of a unit without a code
    KEY_VERTICAL = 4096,
    KEY_VERTICAL_UNIT = 4099,
    IN_PLACE = 0,
    IN_DOUBLES = 34736,
    IN_ASCII = 34737,
    USER_DEFINED = 32767,
    METRE = 9001,
};

static const double foot = 0.3048, survey_foot = 1200.0 / 3937.0;

static uint16_t *find_key(const SiltGeoreference *geo, int key)
{
    for (int k = 4; k + 3 < geo->key_count; k += 4)
        if (geo->keys[k] == key)
            return geo->keys + k;
    return NULL;
}

static int key_value(const SiltGeoreference *geo, int key)
{
    const uint16_t *row = find_key(geo, key);
    return row && row[1] == IN_PLACE ? row[3] : 0;
}

static bool cite(const SiltGeoreference *geo, int key, char *name, size_t size)
{
    const uint16_t *row = find_key(geo, key);
    if (!row || row[1] != IN_ASCII || !geo->ascii || row[3] >= strlen(geo->ascii))
        return false;
    const char *words = geo->ascii + row[3];
    size_t length = strcspn(words, "|");
    length = length < row[2] ? length : row[2];
    snprintf(name, size, "%.*s", (int)length, words);
    for (char *c = name; *c; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    return name[0] != '\0';
}

void silt_geokeys_name(SiltGeoreference *geo)
{
    static const int codes[] = {KEY_PROJECTED, KEY_GEOGRAPHIC};
    static const int words[] = {KEY_PROJECTED_CITATION, KEY_CITATION, KEY_GEOGRAPHIC_CITATION};
    // a projected map also names the geographic CRS beneath it: that one is not its own
    int first = silt_geokeys_geographic(geo) ? 1 : 0, last = key_value(geo, KEY_MODEL) == 1 ? 0 : 1;
    geo->crs[0] = '\0';
    for (int k = first; k <= last; k++) {
        int code = key_value(geo, codes[k]);
        if (code > 0 && code != USER_DEFINED) {
            snprintf(geo->crs, sizeof geo->crs, "EPSG:%d", code);
            return;
        }
    }
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (cite(geo, words[k], geo->crs, sizeof geo->crs))
            return;
}

bool silt_geokeys_pixel_is_point(const SiltGeoreference *geo)
{
    return key_value(geo, KEY_RASTER) == 2;
}

bool silt_geokeys_geographic(const SiltGeoreference *geo)
{
    return key_value(geo, KEY_MODEL) == 2;
}

static double code_metres(int code)
{
    switch (code) {
    case 9002:
        return foot;
    case 9003:
        return survey_foot;
    case 9036:
        return 1000.0;
    default:
        return 1.0;
    }
}

// A code alone says nothing about its unit without EPSG's tables, but its name does: "NAD83 / California zone
// 5 (ftUS)". What follows a " + " names the heights.
static double cited_metres(const SiltGeoreference *geo)
{
    static const int words[] = {KEY_PROJECTED_CITATION, KEY_CITATION};
    char name[128];
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (!cite(geo, words[k], name, sizeof name))
            continue;
        char *heights = strstr(name, " + ");
        if (heights)
            *heights = '\0';
        if (strstr(name, "(ftUS)"))
            return survey_foot;
        if (strstr(name, "(ft)"))
            return foot;
    }
    return 1.0;
}

double silt_geokeys_linear_metres(const SiltGeoreference *geo)
{
    if (!find_key(geo, KEY_LINEAR_UNIT))
        return cited_metres(geo);
    const uint16_t *row = find_key(geo, KEY_LINEAR_METRES);
    if (key_value(geo, KEY_LINEAR_UNIT) == USER_DEFINED && row && row[1] == IN_DOUBLES &&
        row[3] < geo->double_count) {
        double metres = geo->doubles[row[3]];
        return metres > 0.0 && isfinite(metres) ? metres : 1.0;
    }
    return code_metres(key_value(geo, KEY_LINEAR_UNIT));
}

double silt_geokeys_settle_heights(SiltGeoreference *geo)
{
    // heights above NAVD 88 in feet are CRS of their own beside the one in metres, EPSG:5703
    int vertical = key_value(geo, KEY_VERTICAL);
    double metres = vertical == 6360 ? survey_foot : vertical == 8228 ? foot : 1.0;
    if (metres != 1.0)
        find_key(geo, KEY_VERTICAL)[3] = 5703;
    double unit = code_metres(key_value(geo, KEY_VERTICAL_UNIT));
    if (unit != 1.0) {
        metres = unit;
        find_key(geo, KEY_VERTICAL_UNIT)[3] = METRE;
    }
    return metres;
}

double silt_unit_metres(const char *name)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"ft", 0.3048},
                 {"foot", 0.3048},
                 {"feet", 0.3048},
                 {"us survey foot", 1200.0 / 3937.0},
                 {"us-ft", 1200.0 / 3937.0},
                 {"ftus", 1200.0 / 3937.0},
                 {"km", 1000.0},
                 {"cm", 0.01},
                 {"mm", 0.001}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcasecmp(name, units[k].name) == 0)
            return units[k].metres;
    return 1.0;
}

bool silt_geokeys_make(const char *crs, uint16_t keys[SILT_GEOKEYS_MADE])
{
    if (strncasecmp(crs, "EPSG:", 5) != 0)
        return false;
    long code = strtol(crs + 5, NULL, 10);
    if (code < 1 || code >= USER_DEFINED)
        return false;
    bool geographic = code >= 4000 && code < 5000; // where EPSG keeps its CRS of degrees
    const uint16_t made[SILT_GEOKEYS_MADE] = {1,
                                              1,
                                              0,
                                              3,
                                              KEY_MODEL,
                                              IN_PLACE,
                                              1,
                                              geographic ? 2 : 1,
                                              KEY_RASTER,
                                              IN_PLACE,
                                              1,
                                              1,
                                              (uint16_t)(geographic ? KEY_GEOGRAPHIC : KEY_PROJECTED),
                                              IN_PLACE,
                                              1,
                                              (uint16_t)code};
    memcpy(keys, made, sizeof made);
    return true;
}
