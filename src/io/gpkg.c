// GeoPackage 1.3 (OGC 12-128r17): an SQLite file with a table of rivers and one of lakes.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "core/text.h"
#include "io/output.h"
#include "io/river_set.h"

#ifdef SILT_HAS_SQLITE

#include <sqlite3.h>

typedef struct Package {
    sqlite3 *file;
    const char *path;
    const SiltRiverSet *set;
    int srs;
    SiltStatus status;
} Package;

static void fail(Package *p)
{
    if (p->status == SILT_OK)
        p->status = silt_fail(SILT_IO_ERROR, "%s: cannot write: %s", p->path, sqlite3_errmsg(p->file));
}

static void run(Package *p, const char *sql)
{
    if (p->status == SILT_OK && sqlite3_exec(p->file, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail(p);
}

// What every GeoPackage has. The time of the last change is always the same: same land, same bytes.
static void make_frame(Package *p, const SiltTerrain *terrain)
{
    run(p,
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = 0x47504B47;"
        "PRAGMA user_version = 10300; BEGIN;"
        "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,"
        " organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL,"
        " description TEXT);"
        "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL,"
        " identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL,"
        " min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,"
        " CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));"
        "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,"
        " geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,"
        " CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),"
        " CONSTRAINT uk_gc_table_name UNIQUE (table_name),"
        " CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),"
        " CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));"
        "INSERT INTO gpkg_spatial_ref_sys VALUES"
        " ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'metres without a place on the map'),"
        " ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', NULL),"
        " ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "
        "84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
        "AUTHORITY[\"EPSG\",\"4326\"]]', NULL);");
    int code = silt_crs_code(terrain->geo.crs);
    p->srs = code > 0 ? code : -1;
    SiltText text = {0};
    if (code > 0 && code != 4326) // programs that read it know the definition by its number
        silt_text_addf(
            &text, "INSERT INTO gpkg_spatial_ref_sys VALUES ('EPSG:%d', %d, 'EPSG', %d, 'undefined', NULL);",
            code, code, code);
    if (text.data)
        run(p, text.data);
    silt_text_free(&text);
}

// ---- geometry ----

typedef struct Bounds {
    double low[2], high[2];
} Bounds;

static void include(Bounds *bounds, const SiltRiverSet *set, const SiltRiverShape *shape)
{
    for (int k = 0; k < shape->part_count; k++) {
        const SiltRiverPart *part = &set->parts[shape->first_part + k];
        for (int n = 0; n < part->count; n++) {
            const double at[2] = {set->points[part->first + (size_t)n].x,
                                  set->points[part->first + (size_t)n].y};
            for (int axis = 0; axis < 2; axis++) {
                bounds->low[axis] = at[axis] < bounds->low[axis] ? at[axis] : bounds->low[axis];
                bounds->high[axis] = at[axis] > bounds->high[axis] ? at[axis] : bounds->high[axis];
            }
        }
    }
}

static const Bounds nowhere = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static char *put(char *to, const void *value, size_t bytes)
{
    memcpy(to, value, bytes); // little-endian, as the flags say
    return to + bytes;
}

// The head of a GeoPackage's binary with its envelope, then WKB: a line, or a polygon of rings.
static char *make_blob(const Package *p, const SiltRiverShape *shape, bool polygon, size_t *bytes)
{
    size_t points = 0;
    for (int k = 0; k < shape->part_count; k++)
        points += (size_t)p->set->parts[shape->first_part + k].count;
    *bytes = 8 + 32 + 5 + 4 + 4 * (polygon ? (size_t)shape->part_count : 0) + 16 * points;
    char *blob = silt_alloc(*bytes), *to = blob;
    if (!blob)
        return NULL;
    Bounds bounds = nowhere;
    include(&bounds, p->set, shape);
    const double envelope[] = {bounds.low[0], bounds.high[0], bounds.low[1], bounds.high[1]};
    int32_t srs = p->srs;
    uint32_t kind = polygon ? 3 : 2, parts = (uint32_t)shape->part_count;
    to = put(to, "GP\0\3", 4);
    to = put(to, &srs, sizeof srs);
    to = put(to, envelope, sizeof envelope);
    to = put(to, "\1", 1);
    to = put(to, &kind, sizeof kind);
    if (polygon)
        to = put(to, &parts, sizeof parts);
    for (int k = 0; k < shape->part_count; k++) {
        const SiltRiverPart *part = &p->set->parts[shape->first_part + k];
        uint32_t count = (uint32_t)part->count;
        to = put(to, &count, sizeof count);
        to = put(to, p->set->points + part->first, (size_t)count * sizeof *p->set->points);
    }
    return blob;
}
_Static_assert(sizeof(SiltRiverPoint) == 16, "a point is two doubles, as WKB has it");

// ---- tables ----

typedef struct Layer {
    const char *name, *geometry;
    const SiltRiverColumn *columns;
    int column_count;
    const SiltRiverShape *shapes;
    int count;
    bool polygon;
} Layer;

static void declare(Package *p, const Layer *layer)
{
    Bounds bounds = nowhere;
    SiltText text = {0};
    for (int k = 0; k < layer->count; k++)
        include(&bounds, p->set, &layer->shapes[k]);
    silt_text_addf(&text, "CREATE TABLE %s (fid INTEGER PRIMARY KEY, geom BLOB", layer->name);
    for (int k = 1; k < layer->column_count; k++) // the id is the fid
        silt_text_addf(&text, ", \"%s\" %s", layer->columns[k].name,
                       layer->columns[k].is_whole ? "INTEGER" : "DOUBLE");
    silt_text_addf(
        &text, "); INSERT INTO gpkg_contents VALUES ('%s', 'features', '%s', '', '1970-01-01T00:00:00.000Z'",
        layer->name, layer->name);
    const double corners[] = {bounds.low[0], bounds.low[1], bounds.high[0], bounds.high[1]};
    for (int k = 0; k < 4; k++) {
        silt_text_add(&text, ", ");
        silt_text_add_json_number(&text, corners[k]);
    }
    silt_text_addf(&text, ", %d); INSERT INTO gpkg_geometry_columns VALUES ('%s', 'geom', '%s', %d, 0, 0);",
                   p->srs, layer->name, layer->geometry, p->srs);
    if (text.failed)
        p->status = SILT_NO_MEMORY;
    else
        run(p, text.data);
    silt_text_free(&text);
}

static void fill_row(Package *p, sqlite3_stmt *row, const Layer *layer, const SiltRiverShape *shape)
{
    size_t bytes;
    char *blob = make_blob(p, shape, layer->polygon, &bytes);
    if (!blob) {
        p->status = silt_fail_memory(p->path, (double)bytes);
        return;
    }
    sqlite3_reset(row);
    sqlite3_bind_int64(row, 1, (sqlite3_int64)shape->values[0]);
    sqlite3_bind_blob64(row, 2, blob, bytes, SQLITE_STATIC);
    for (int k = 1; k < layer->column_count; k++) {
        double value = shape->values[k];
        if (!isfinite(value))
            sqlite3_bind_null(row, k + 2);
        else if (layer->columns[k].is_whole)
            sqlite3_bind_int64(row, k + 2, (sqlite3_int64)value);
        else
            sqlite3_bind_double(row, k + 2, value);
    }
    if (sqlite3_step(row) != SQLITE_DONE)
        fail(p);
    silt_free(blob);
}

static void write_layer(Package *p, const Layer *layer)
{
    SiltText text = {0};
    sqlite3_stmt *row = NULL;
    declare(p, layer);
    silt_text_addf(&text, "INSERT INTO %s VALUES (?, ?", layer->name);
    for (int k = 1; k < layer->column_count; k++)
        silt_text_add(&text, ", ?");
    silt_text_add(&text, ")");
    if (p->status == SILT_OK &&
        (text.failed || sqlite3_prepare_v2(p->file, text.data, -1, &row, NULL) != SQLITE_OK))
        fail(p);
    for (int k = 0; k < layer->count && p->status == SILT_OK; k++)
        fill_row(p, row, layer, &layer->shapes[k]);
    sqlite3_finalize(row);
    silt_text_free(&text);
}

SiltStatus silt_gpkg_write(const SiltRiverSet *set, const SiltTerrain *terrain, bool rivers, bool lakes,
                           const char *path)
{
    SiltOutput output;
    SiltStatus status = silt_output_begin(path, &output);
    if (status != SILT_OK)
        return status;
    Package p = {.path = path, .set = set};
    const Layer layers[] = {
        {"rivers", "LINESTRING", silt_river_columns, SILT_RIVER_VALUES, set->rivers, set->river_count, false},
        {"lakes", "POLYGON", silt_lake_columns, SILT_LAKE_VALUES, set->lakes, set->lake_count, true}};
    if (!output.temporary[0])
        p.status = silt_fail(SILT_BAD_ARGUMENT, "%s: a GeoPackage is a file, not a pipe or a device", path);
    else if (sqlite3_open(output.temporary, &p.file) != SQLITE_OK)
        fail(&p);
    if (p.status == SILT_OK)
        make_frame(&p, terrain);
    if (rivers)
        write_layer(&p, &layers[0]);
    if (lakes)
        write_layer(&p, &layers[1]);
    run(&p, "COMMIT;");
    if (sqlite3_close(p.file) != SQLITE_OK && p.status == SILT_OK)
        p.status = silt_fail(SILT_IO_ERROR, "%s: cannot write", path);
    return silt_output_end(&output, p.status);
}

#else

SiltStatus silt_gpkg_write(const SiltRiverSet *set, const SiltTerrain *terrain, bool rivers, bool lakes,
                           const char *path)
{
    (void)set, (void)terrain, (void)rivers, (void)lakes;
    return silt_rivers_check(path);
}

#endif
