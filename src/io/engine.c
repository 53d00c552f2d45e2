#include "io/engine.h"

#include <math.h>
#include <stdlib.h>

// ---- sizes ----

static int nearest_of(const int *sides, int count, int wanted)
{
    int best = sides[0];
    for (int k = 1; k < count; k++) // by ratio: 1400 is nearer to 1009 than to 2017
        if ((double)sides[k] * best < (double)wanted * wanted)
            best = sides[k];
    return best;
}

// Whole numbers of components of 63 or 127 quads, as Epic's guide recommends them.
static int unreal_side(int wanted)
{
    static const int sides[] = {127, 253, 505, 1009, 2017, 4033, 8129};
    return nearest_of(sides, 7, wanted);
}

// A power of two and one more: the edge that neighbours share.
static int unity_side(int wanted)
{
    static const int sides[] = {33, 65, 129, 257, 513, 1025, 2049, 4097};
    return nearest_of(sides, 8, wanted);
}

static const SiltEngine engines[] = {
    [SILT_FOR_UNREAL] = {"unreal", "png r16 raw", false, false, true, unreal_side},
    [SILT_FOR_UNITY] = {"unity", "raw r16", true, true, true, unity_side},
    [SILT_FOR_GODOT] = {"godot", "exr r16 raw png", false, false, false, NULL},
    [SILT_FOR_BLENDER] = {"blender", "exr tif png", false, false, true, NULL},
};

const SiltEngine *silt_engine_at(int which)
{
    return which > SILT_FOR_NONE && which <= SILT_FOR_BLENDER ? &engines[which] : NULL;
}

// ---- numbers ----

enum { MOST_VALUES = 12 };

typedef struct Value {
    const char *name, *key; // for people, and in JSON
    double number;
    const char *unit;
} Value;

static int add(Value *values, int count, const char *name, const char *key, double number, const char *unit)
{
    values[count] = (Value){name, key, number, unit};
    return count + 1;
}

// A landscape's 16 bits are -256 to 255.992 m at a Z scale of 100, and 32768 lies at the actor's own height.
static int unreal_values(const SiltEngineFit *fit, Value *v)
{
    double z = 100.0 * (fit->high - fit->low) / (65535.0 / 128.0);
    int n = add(v, 0, "Scale X", "scale_x", 100.0 * fit->cell_x, "");
    n = add(v, n, "Scale Y", "scale_y", 100.0 * fit->cell_y, "");
    n = add(v, n, "Scale Z", "scale_z", z, "");
    n = add(v, n, "Location Z", "location_z", 100.0 * fit->low + 256.0 * z, "cm");
    return n;
}

static int unity_values(const SiltEngineFit *fit, Value *v)
{
    int n = add(v, 0, "Heightmap Resolution", "resolution", fit->width, "");
    n = add(v, n, "Terrain Width", "terrain_width", (fit->width - 1) * fit->cell_x, "");
    n = add(v, n, "Terrain Length", "terrain_length", (fit->height - 1) * fit->cell_y, "");
    n = add(v, n, "Terrain Height", "terrain_height", fit->high - fit->low, "");
    n = add(v, n, "Position Y", "position_y", fit->low, "");
    return n;
}

static int godot_values(const SiltEngineFit *fit, Value *v)
{
    bool real = fit->ending[0] == 'e';
    int n = add(v, 0, "Vertex Spacing", "vertex_spacing", fit->cell_x, "");
    n = add(v, n, "Import Scale", "import_scale", real ? 1.0 : fit->high - fit->low, "");
    n = add(v, n, "Height Offset", "height_offset", real ? 0.0 : fit->low, "");
    if (!real) {
        n = add(v, n, "R16 Range from", "r16_low", fit->low, "");
        n = add(v, n, "R16 Range to", "r16_high", fit->high, "");
    }
    return n;
}

// A plane as wide as from the first to the last sample would have samples at its corners; a texture's pixels
// are areas, so the plane is as wide as all of them.
static int blender_values(const SiltEngineFit *fit, Value *v)
{
    bool real = fit->ending[0] != 'p'; // an EXR or a TIFF of floats has metres in it
    int n = add(v, 0, "Plane Dimensions X", "plane_x", fit->width * fit->cell_x, "m");
    n = add(v, n, "Plane Dimensions Y", "plane_y", fit->height * fit->cell_y, "m");
    n = add(v, n, "Displace Strength", "displace_strength", real ? 1.0 : fit->high - fit->low, "");
    n = add(v, n, "Displace Midlevel", "displace_midlevel", 0.0, "");
    n = add(v, n, "Location Z", "location_z", real ? 0.0 : fit->low, "m");
    return n;
}

static int values_of(int which, const SiltEngineFit *fit, Value values[MOST_VALUES])
{
    switch (which) {
    case SILT_FOR_UNREAL:
        return unreal_values(fit, values);
    case SILT_FOR_UNITY:
        return unity_values(fit, values);
    case SILT_FOR_GODOT:
        return godot_values(fit, values);
    case SILT_FOR_BLENDER:
        return blender_values(fit, values);
    default:
        return 0;
    }
}

void silt_engine_say(int which, const SiltEngineFit *fit, SiltText *text)
{
    static const char *const first[] = {
        [SILT_FOR_NONE] = "",
        [SILT_FOR_UNREAL] = "Landscape Mode > Manage > New > Import from File",
        [SILT_FOR_UNITY] =
            "Terrain > Settings > Import Raw: Depth 16 bit, Byte Order Windows, Flip Vertically off",
        [SILT_FOR_GODOT] = "Terrain3D: importer.tscn > Height File Name",
        [SILT_FOR_BLENDER] =
            "Plane, subdivided, Displace modifier: the image as Non-Color, by UV, Direction Z",
    };
    Value values[MOST_VALUES];
    int count = values_of(which, fit, values);
    if (count == 0)
        return;
    silt_text_addf(text, "%s\n", first[which]);
    for (int k = 0; k < count; k++)
        silt_text_addf(text, "  %-22s %.8g%s%s\n", values[k].name, values[k].number,
                       values[k].unit[0] ? " " : "", values[k].unit);
}

void silt_engine_json(int which, const SiltEngineFit *fit, SiltText *text)
{
    Value values[MOST_VALUES];
    int count = values_of(which, fit, values);
    for (int k = 0; k < count; k++) {
        silt_text_addf(text, "%s\"%s\": ", k ? ", " : "", values[k].key);
        silt_text_add_json_number(text, values[k].number);
    }
}

// ---- the land as they take it ----

void silt_engine_fill_holes(const SiltEngine *engine, const char *layer, const char *path,
                            SiltTerrain *terrain)
{
    SiltField *field = silt_terrain_layer(terrain, layer);
    SiltFieldStatistics found;
    if (!field)
        return;
    silt_field_statistics(field, terrain->nodata, &found);
    float low = found.cell_count > 0 ? (float)found.minimum : 0.0f;
    for (int j = 0; j < terrain->height; j++)
        for (int i = 0; i < terrain->width; i++)
            if (silt_terrain_is_nodata(terrain, i, j))
                silt_field_row(field, j)[i] = low;
    silt_warn("%s: %llu cells have no data, and %s knows no holes: they lie at the lowest height, %.2f", path,
              (unsigned long long)found.nodata_count, engine->name, (double)low);
    silt_free(terrain->nodata);
    terrain->nodata = NULL;
}

void silt_engine_keep_range(const SiltTerrain *from, const char *layer, SiltTerrain *resampled)
{
    const SiltField *source = silt_terrain_layer(from, layer);
    SiltField *made = silt_terrain_layer(resampled, layer);
    SiltFieldStatistics found;
    if (!source || !made)
        return;
    silt_field_statistics(source, from->nodata, &found);
    if (found.cell_count > 0)
        silt_field_clamp(made, (float)found.minimum, (float)found.maximum);
}
