// Rivers as lines and lakes as polygons, in GeoJSON or GeoPackage with the coordinates of the terrain's map.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "io/river_set.h"

int silt_crs_code(const char *crs)
{
    int code = 0;
    if (strncmp(crs, "EPSG:", 5) != 0 || !crs[5] || strlen(crs) > 12)
        return 0;
    for (const char *c = crs + 5; *c; c++) {
        if (*c < '0' || *c > '9')
            return 0;
        code = 10 * code + (*c - '0');
    }
    return code;
}

// ---- GeoJSON ----

static void add_part(SiltText *text, const SiltRiverSet *set, const SiltRiverPart *part)
{
    silt_text_add(text, "[");
    for (int k = 0; k < part->count; k++) {
        const SiltRiverPoint *point = &set->points[part->first + (size_t)k];
        silt_text_add(text, k ? ", [" : "[");
        silt_text_add_json_number(text, point->x);
        silt_text_add(text, ", ");
        silt_text_add_json_number(text, point->y);
        silt_text_add(text, "]");
    }
    silt_text_add(text, "]");
}

static void add_shapes(SiltText *text, const SiltRiverSet *set, bool lakes, bool *first)
{
    const SiltRiverColumn *columns = lakes ? silt_lake_columns : silt_river_columns;
    int count = lakes ? set->lake_count : set->river_count,
        values = lakes ? (int)SILT_LAKE_VALUES : (int)SILT_RIVER_VALUES;
    for (int k = 0; k < count; k++) {
        const SiltRiverShape *shape = lakes ? &set->lakes[k] : &set->rivers[k];
        silt_text_addf(text, "%s\n{\"type\": \"Feature\", \"properties\": {\"kind\": \"%s\"",
                       *first ? "" : ",", lakes ? "lake" : "river");
        *first = false;
        for (int n = 0; n < values; n++) {
            silt_text_addf(text, ", \"%s\": ", columns[n].name);
            silt_text_add_json_number(text, shape->values[n]);
        }
        silt_text_addf(text, "}, \"geometry\": {\"type\": \"%s\", \"coordinates\": %s",
                       lakes ? "Polygon" : "LineString", lakes ? "[" : "");
        for (int n = 0; n < shape->part_count; n++) {
            silt_text_add(text, n ? ", " : "");
            add_part(text, set, &set->parts[shape->first_part + n]);
        }
        silt_text_add(text, lakes ? "]}}" : "}}");
    }
}

static char *as_json(const SiltRiverSet *set, const SiltTerrain *terrain, bool rivers, bool lakes)
{
    SiltText text = {0};
    bool first = true;
    silt_text_add(&text, "{\"type\": \"FeatureCollection\",\n");
    if (silt_crs_code(terrain->geo.crs) > 0)
        silt_text_addf(&text,
                       "\"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
                       "\"urn:ogc:def:crs:EPSG::%s\"}},\n",
                       terrain->geo.crs + 5);
    silt_text_add(&text, "\"features\": [");
    if (rivers)
        add_shapes(&text, set, false, &first);
    if (lakes)
        add_shapes(&text, set, true, &first);
    silt_text_add(&text, "\n]}\n");
    return silt_text_take(&text);
}

SiltStatus silt_rivers_json(const SiltTerrain *terrain, const SiltRiverOptions *options, char **out)
{
    SiltRiverSet set;
    *out = NULL;
    SiltStatus status = silt_river_set_make(terrain, options, &set);
    if (status != SILT_OK)
        return status;
    *out = as_json(&set, terrain, true, true);
    silt_river_set_free(&set);
    return *out ? SILT_OK : SILT_NO_MEMORY;
}

// ---- files ----

SiltStatus silt_rivers_check(const char *path)
{
    bool packs = silt_ends_with(path, ".gpkg");
#ifndef SILT_HAS_SQLITE
    if (packs)
        return silt_fail(SILT_MISSING_FEATURE,
                         "%s: this build writes no GeoPackage; install libsqlite3-dev and build again", path);
#endif
    return packs || silt_ends_with(path, ".geojson") || silt_ends_with(path, ".json")
               ? SILT_OK
               : silt_fail(SILT_BAD_ARGUMENT,
                           "%s: rivers are written as GeoJSON or GeoPackage; name it .geojson or .gpkg",
                           path);
}

static SiltStatus write_set(const SiltRiverSet *set, const SiltTerrain *terrain, bool rivers, bool lakes,
                            const char *path)
{
    SiltStatus status = silt_rivers_check(path);
    if (status != SILT_OK || silt_ends_with(path, ".gpkg"))
        return status == SILT_OK ? silt_gpkg_write(set, terrain, rivers, lakes, path) : status;
    char *json = as_json(set, terrain, rivers, lakes);
    status = json ? silt_write_file(path, json, strlen(json)) : SILT_NO_MEMORY;
    silt_free(json);
    return status;
}

SiltStatus silt_rivers_write_apart(const SiltTerrain *terrain, const SiltRiverOptions *options,
                                   const char *rivers, const char *lakes)
{
    SiltRiverSet set;
    SiltStatus status = rivers ? silt_rivers_check(rivers) : SILT_OK;
    if (status == SILT_OK && lakes)
        status = silt_rivers_check(lakes);
    if (status == SILT_OK)
        status = silt_river_set_make(terrain, options, &set);
    if (status != SILT_OK)
        return status;
    if (rivers)
        status = write_set(&set, terrain, true, !lakes, rivers);
    if (status == SILT_OK && lakes)
        status = write_set(&set, terrain, false, true, lakes);
    silt_river_set_free(&set);
    return status;
}

SiltStatus silt_rivers_write(const SiltTerrain *terrain, const SiltRiverOptions *options, const char *path)
{
    return silt_rivers_write_apart(terrain, options, path, NULL);
}
