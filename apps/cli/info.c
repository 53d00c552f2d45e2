// silt info FILE: size, place, range, hash; with --drainage, what tells a landscape from noise; with
// --landforms, what the eye sees in land beside what real land has.
#include <math.h>
#include <string.h>

#include "cli.h"
#include "silt/drainage.h"
#include "silt/landforms.h"

typedef struct Facts {
    const SiltTerrain *terrain;
    const char *path;
    SiltFieldStatistics heights;
    double percentiles[5]; // 1 25 50 75 99
    uint64_t hash;
    bool has_drainage, has_landforms;
    SiltDrainageStatistics drainage;
    SiltLandforms landforms;
} Facts;

// The JSON is freed.
static void add_object(SiltText *text, const char *name, char *json)
{
    add_json(text, name, json);
    silt_free(json);
}

static SiltStatus end_object(SiltText *text)
{
    silt_text_add(text, "}\n");
    return answer_with(text);
}

static SiltStatus facts_json(const Facts *facts)
{
    const SiltTerrain *terrain = facts->terrain;
    SiltText text = {0};
    add_member(&text, "file", facts->path);
    add_number(&text, "width", terrain->width);
    add_number(&text, "height", terrain->height);
    add_number(&text, "cell", terrain->cell);
    add_number(&text, "min", facts->heights.minimum);
    add_number(&text, "max", facts->heights.maximum);
    add_number(&text, "mean", facts->heights.mean);
    add_number(&text, "deviation", facts->heights.deviation);
    add_number(&text, "nodata", (double)facts->heights.nodata_count);
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)facts->hash);
    add_member(&text, "hash", hash);
    add_member(&text, "crs", terrain->geo.crs[0] ? terrain->geo.crs : NULL);
    if (terrain->geo.placed)
        add_numbers(&text, "north_west", (const double[]){terrain->geo.x, terrain->geo.y}, 2);
    silt_text_add(&text, ", \"percentiles\": {");
    static const char *const names[] = {"1", "25", "50", "75", "99"};
    for (int k = 0; k < 5; k++) {
        silt_text_addf(&text, "%s\"%s\": ", k ? ", " : "", names[k]);
        silt_text_add_json_number(&text, facts->percentiles[k]);
    }
    silt_text_add(&text, "}, \"layers\": [");
    for (int k = 0; k < terrain->layer_count; k++) {
        silt_text_add(&text, k ? ", " : "");
        silt_text_add_json(&text, k == 0 && terrain->holds[0] ? terrain->holds : terrain->layers[k]->name);
    }
    silt_text_add(&text, "]");
    if (facts->has_drainage)
        add_object(&text, "drainage", silt_drainage_json(&facts->drainage));
    if (facts->has_landforms)
        add_object(&text, "landforms", silt_landforms_json(&facts->landforms));
    return end_object(&text);
}

static void print_number(const char *label, double value, const char *unit)
{
    if (isnan(value))
        say("  %-22s -\n", label);
    else
        say("  %-22s %.4g%s%s\n", label, value, unit[0] ? " " : "", unit);
}

static void print_drainage(const SiltDrainageStatistics *d)
{
    say("drainage\n");
    print_number("in closed depressions", 100.0 * d->pit_fraction,
                 "% of cells (land: under 7; noise: 10 to 34)");
    print_number("upside down", 100.0 * d->peak_fraction, "%");
    print_number("pit/peak ratio", d->pit_peak_ratio, "(land: under 0.25; noise: 0.5 to 2.5)");
    print_number("mean pit depth", d->mean_pit_depth, "m");
    print_number("concavity", d->concavity, "(land: 0.3 to 0.6)");
    print_number("concavity R2", d->concavity_r2, "");
    print_number("Hack's exponent", d->hack, "(land: about 0.55)");
    print_number("drainage density", d->drainage_density, "1/km");
    print_number("hypsometric integral", d->hypsometric_integral, "");
    print_number("spectral slope", d->spectral_slope, "");
    print_number("largest catchment", d->largest_catchment, "cells");
}

static void print_landforms(const SiltLandforms *forms)
{
    say("landforms: %s: %d of %d within what real land has, %.3g %% of cells in closed depressions, "
        "drainage fits "
        "by %.2f\n",
        silt_landforms_verdict(forms), forms->within, SILT_LANDFORM_COUNT, 100.0 * forms->pit_fraction,
        forms->drainage_fit);
    say("  %-24s %8s   %s\n", "", "here", "real land, 10 to 90 %");
    for (int k = 0; k < SILT_LANDFORM_COUNT; k++) {
        const SiltLandformRange *range = silt_landform_range((SiltLandform)k);
        double value = forms->value[k];
        bool within = silt_landform_is_within((SiltLandform)k, value);
        char number[32] = "-";
        if (!isnan(value))
            snprintf(number, sizeof number, "%.3g", plain_zero(value, 6));
        say("  %-24s %8s %s %g to %g%s%s: %s\n", range->name, number, within ? " " : "*", range->low,
            range->high, range->unit[0] ? " " : "", range->unit, range->about);
    }
    say("  the edge of the map lies below its mean by %.1f %% of the relief (maps of real land: -3 to 13)\n",
        plain_zero(100.0 * forms->edge_below, 1));
    say("  %d tiles of 128 x 128 cells of %.4g m, and of each measure the median; * is outside\n",
        forms->tile_count, forms->cell);
}

static void print_facts(const Facts *facts)
{
    const SiltTerrain *terrain = facts->terrain;
    char cell[SILT_NUMBER_SIZE];
    double side = terrain->cell / 1000.0;
    say("%s\n", facts->path);
    say("  %-22s %d x %d of %s m (%.4g x %.4g km)\n", "cells", terrain->width, terrain->height,
        silt_format_number(terrain->cell, cell), side * terrain->width, side * terrain->height);
    const char *unit = strcmp(terrain->layers[0]->unit, "1") ? terrain->layers[0]->unit : ""; // a share
    say("  %-22s %.3f to %.3f%s%s, mean %.3f, deviation %.3f\n",
        terrain->holds[0] ? terrain->holds : "heights", plain_zero(facts->heights.minimum, 3),
        plain_zero(facts->heights.maximum, 3), unit[0] ? " " : "", unit, plain_zero(facts->heights.mean, 3),
        facts->heights.deviation);
    say("  %-22s", "1 25 50 75 99 %");
    for (int k = 0; k < 5; k++)
        say("%s%.3f", k ? "  " : " ", plain_zero(facts->percentiles[k], 3));
    say("%s%s\n", unit[0] ? " " : "", unit);
    say("  %-22s %llu cells\n", "without data", (unsigned long long)facts->heights.nodata_count);
    const char *unnamed = terrain->geo.placed ? "in coordinates of no system that the file names" : "none";
    say("  %-22s %s\n", "place on the map", terrain->geo.crs[0] ? terrain->geo.crs : unnamed);
    if (terrain->geo.placed)
        say("  %-22s %.3f %.3f\n", "north-west corner", terrain->geo.x, terrain->geo.y);
    say("  %-22s", "layers");
    for (int k = 0; k < terrain->layer_count; k++)
        say(" %s", k == 0 && terrain->holds[0] ? terrain->holds : terrain->layers[k]->name);
    say("\n  %-22s %016llx\n", "hash", (unsigned long long)facts->hash);
    if (facts->has_drainage)
        print_drainage(&facts->drainage);
    if (facts->has_landforms)
        print_landforms(&facts->landforms);
}

// Every tile an object of measures.
static SiltStatus tiles_json(const double *values, int tiles)
{
    SiltText text = {0};
    silt_text_add(&text, "[");
    for (int row = 0; row < tiles; row++) {
        silt_text_add(&text, row ? ",\n {" : "\n {");
        for (int k = 0; k < SILT_LANDFORM_COUNT; k++)
            add_number(&text, silt_landform_range((SiltLandform)k)->name,
                       plain_zero(values[row * SILT_LANDFORM_COUNT + k], 6));
        silt_text_add(&text, "}");
    }
    silt_text_add(&text, "]\n");
    return answer_with(&text);
}

// One line a tile, under the names of the measures; a place without a number stays empty.
static void print_tiles(const double *values, int tiles)
{
    for (int row = -1; row < tiles; row++) {
        for (int k = 0; k < SILT_LANDFORM_COUNT; k++) {
            double value = row < 0 ? 0.0 : values[row * SILT_LANDFORM_COUNT + k];
            if (row < 0)
                say("%s", silt_landform_range((SiltLandform)k)->name);
            else if (!isnan(value))
                say("%.6g", plain_zero(value, 6));
            say(k + 1 < SILT_LANDFORM_COUNT ? "," : "\n");
        }
    }
}

static SiltStatus tell_tiles(const Arguments *arguments, const SiltTerrain *terrain)
{
    double *values;
    int tiles;
    SiltStatus status = silt_landforms_tiles(terrain, &values, &tiles);
    if (status == SILT_OK && arguments->json)
        status = tiles_json(values, tiles);
    else if (status == SILT_OK)
        print_tiles(values, tiles);
    silt_free(values);
    return status;
}

static void say_mesh(const char *path, const SiltMesh *mesh, const SiltMeshInfo *info)
{
    static const char *const axes[] = {"east", "north", "heights"};
    say("%s\n  %-22s %zu\n  %-22s %zu\n", path, "vertices", mesh->vertex_count, "triangles",
        mesh->triangle_count);
    if (info->open_edges == 0)
        say("  %-22s yes\n", "closed");
    else
        say("  %-22s no: %zu open edges\n", "closed", info->open_edges);
    say("  %-22s %d\n", "shells", info->shells);
    for (int k = 0; k < 3; k++)
        say("  %-22s %.6g to %.6g m\n", axes[k], plain_zero(info->low[k], 6), plain_zero(info->high[k], 6));
    say("  %-22s %.6g m2\n", "surface", info->area);
    if (info->open_edges == 0)
        say("  %-22s %.6g m3%s\n", "volume", info->volume, info->volume < 0.0 ? ": it is inside out" : "");
    if (!isnan(info->thinnest))
        say("  %-22s %.4g m, at %.6g, %.6g, %.6g\n", "thinnest wall", info->thinnest, info->thinnest_at[0],
            info->thinnest_at[1], info->thinnest_at[2]);
    if (mesh->scale > 0.0)
        say("  %-22s 1:%g, %.4g x %.4g x %.4g mm\n", "as printed", mesh->scale,
            1000.0 * (info->high[0] - info->low[0]) / mesh->scale,
            1000.0 * (info->high[1] - info->low[1]) / mesh->scale,
            1000.0 * (info->high[2] - info->low[2]) / mesh->scale);
}

static void add_extent(SiltText *text, const double low[3], const double high[3])
{
    static const char *const axes[] = {"east", "north", "height"};
    for (int k = 0; k < 3; k++) {
        const double range[] = {low[k], high[k]};
        add_numbers(text, axes[k], range, 2);
    }
}

static SiltStatus mesh_json(const SiltMesh *mesh, const SiltMeshInfo *info)
{
    SiltText text = {0};
    add_number(&text, "vertices", (double)mesh->vertex_count);
    add_number(&text, "triangles", (double)mesh->triangle_count);
    add_flag(&text, "closed", info->open_edges == 0);
    add_number(&text, "open_edges", (double)info->open_edges);
    add_number(&text, "shells", info->shells);
    add_extent(&text, info->low, info->high);
    add_number(&text, "area", info->area);
    add_number(&text, "volume", info->open_edges ? NAN : info->volume);
    add_number(&text, "thinnest", info->thinnest);
    add_number(&text, "scale", mesh->scale > 0.0 ? mesh->scale : NAN);
    return end_object(&text);
}

static int mesh_info(const Arguments *arguments)
{
    SiltMesh mesh;
    SiltMeshInfo info;
    SiltStatus status = silt_mesh_read_as(arguments->words[0], &arguments->read, &mesh);
    if (status != SILT_OK)
        return report_failure(status);
    status = silt_mesh_measure(&mesh, &info);
    if (status == SILT_OK && arguments->json)
        status = mesh_json(&mesh, &info);
    else if (status == SILT_OK)
        say_mesh(arguments->words[0], &mesh, &info);
    silt_mesh_destroy(&mesh);
    return status == SILT_OK ? 0 : report_failure(status);
}

typedef struct Extent {
    double low[3], high[3]; // m east, north and up, as the file has them
    double fastest, mean;   // m/s
} Extent;

static Extent measure(const SiltParticles *p)
{
    Extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0, 0.0};
    for (int i = 0; i < p->count; i++) {
        double u = (double)p->u[i], v = (double)p->v[i], w = (double)p->w[i];
        double at[3] = {(double)p->x[i], -(double)p->y[i], (double)p->z[i]};
        double speed = sqrt(u * u + v * v + w * w);
        for (int k = 0; k < 3; k++) {
            e.low[k] = fmin(e.low[k], at[k]);
            e.high[k] = fmax(e.high[k], at[k]);
        }
        e.fastest = fmax(e.fastest, speed);
        e.mean += speed / p->count;
    }
    return e;
}

static SiltStatus particles_json(const SiltParticles *p, const Extent *e)
{
    SiltText text = {0};
    add_number(&text, "particles", p->count);
    add_extent(&text, e->low, e->high);
    add_number(&text, "spacing", p->spacing);
    add_number(&text, "mean_speed", e->mean);
    add_number(&text, "highest_speed", e->fastest);
    return end_object(&text);
}

static int particles_info(const Arguments *arguments)
{
    SiltParticles *p;
    SiltStatus status = silt_particles_read(arguments->words[0], &p);
    if (status != SILT_OK)
        return report_failure(status);
    Extent e = measure(p);
    if (arguments->json) {
        status = particles_json(p, &e);
    } else {
        say("%s\n  %-22s %d\n", arguments->words[0], "particles", p->count);
        if (p->count > 0)
            say("  %-22s %.3f to %.3f m\n  %-22s %.3f to %.3f m\n  %-22s %.3f to %.3f m\n", "east", e.low[0],
                e.high[0], "north", e.low[1], e.high[1], "heights", e.low[2], e.high[2]);
        print_number("spacing", p->spacing > 0.0 ? p->spacing : NAN, "m");
        say("  %-22s %.4g m/s, the fastest %.4g\n", "speed", e.mean, e.fastest);
    }
    silt_particles_destroy(p);
    return status == SILT_OK ? 0 : report_failure(status);
}

int run_info(const Arguments *arguments)
{
    bool measured = arguments->drainage || arguments->landforms || arguments->tiles;
    if (silt_path_is_checkpoint(arguments->words[0]) && !measured)
        return checkpoint_info(arguments);
    if (silt_path_is_particles(arguments->words[0]))
        return particles_info(arguments);
    if (silt_path_is_mesh(arguments->words[0]))
        return mesh_info(arguments);
    if (silt_path_is_volume(arguments->words[0]))
        return volume_info(arguments);
    SiltTerrain *terrain = NULL;
    SiltStatus status = read_any(arguments->words[0], &arguments->read, &terrain); // of a run: the land
    if (status != SILT_OK)
        return report_failure(status);
    Facts facts = {.terrain = terrain,
                   .path = arguments->words[0],
                   .has_drainage = arguments->drainage,
                   .has_landforms = arguments->landforms};
    const SiltField *height = silt_terrain_layer(terrain, "height");
    static const double percents[] = {1.0, 25.0, 50.0, 75.0, 99.0};
    silt_field_statistics(height, terrain->nodata, &facts.heights);
    facts.hash = silt_field_hash(height);
    status = silt_field_percentiles(height, terrain->nodata, percents, 5, facts.percentiles);
    if (status == SILT_OK && measured && !isnan(arguments->sea_level))
        status = silt_terrain_drown(terrain, arguments->sea_level);
    if (status == SILT_OK && arguments->drainage)
        status = silt_drainage_statistics(terrain, &facts.drainage);
    if (status == SILT_OK && arguments->landforms && !arguments->tiles)
        status = silt_landforms_measure(terrain, &facts.landforms);
    if (status == SILT_OK && arguments->tiles) {
        status = tell_tiles(arguments, terrain);
    } else if (status == SILT_OK && arguments->json) {
        status = facts_json(&facts);
    } else if (status == SILT_OK) {
        print_facts(&facts);
    }
    silt_terrain_destroy(terrain);
    return status == SILT_OK ? 0 : report_failure(status);
}
