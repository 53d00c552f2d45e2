// Options that change nothing on the way from heights, volumes, meshes and shapes to each other.
#include <string.h>

#include "cli.h"

enum { HEIGHTS = 1 << FROM_HEIGHTS, VOLUME = 1 << FROM_VOLUME, MESH = 1 << FROM_MESH };
enum { ANY = HEIGHTS | VOLUME | MESH };

typedef struct Use {
    unsigned table;
    const char *names;       // options, with spaces between
    unsigned to[FROM_COUNT]; // from each source: which outputs they are for
    const char *why;
} Use;

// Of heights that stay heights the writer of their format refuses what it has not.
static const Use uses[] = {
    {TAKES_VOLUME,
     "brick",
     {VOLUME, 0, ANY, ANY},
     "a volume that is there keeps its bricks, and heights have none"},
    {TAKES_VOLUME, "layers", {VOLUME, 0, 0, ANY}, "it is for heights and shapes that become a volume"},
    {TAKES_VOLUME,
     "floor headroom distance erodibility",
     {VOLUME, 0, 0, 0},
     "it is for heights that become a volume"},
    {TAKES_VOLUME, "open part decimate", {0, MESH, MESH, MESH}, "it is for meshes of rock"},
    {TAKES_ROCK,
     "rock rock_low rock_high rock_size rock_dip",
     {VOLUME, VOLUME, VOLUME, VOLUME},
     "only a volume keeps how hard its rock is"},
    {TAKES_WRITE,
     "skirt",
     {HEIGHTS | MESH, HEIGHTS, HEIGHTS, HEIGHTS},
     "it is for meshes of heights; rock has walls and a floor of its own"},
    {TAKES_WRITE,
     "layer bits compression tile",
     {HEIGHTS | MESH, HEIGHTS, HEIGHTS, HEIGHTS},
     "it is for heights that are written"},
    {TAKES_WRITE,
     "heights raw_order",
     {ANY, HEIGHTS, HEIGHTS, HEIGHTS},
     "it is for heights that are read or written"},
    {TAKES_READ,
     "cell nodata raw_width raw_height raw_type",
     {ANY, 0, 0, 0},
     "it is for heights that are read"},
};

static void warn_of(const char *command, const Arguments *arguments, const Use *use)
{
    const char *cursor = use->names;
    while (*cursor) {
        size_t length = strcspn(cursor, " ");
        char name[SILT_NAME_SIZE], option[SILT_NAME_SIZE + 2];
        snprintf(name, sizeof name, "%.*s", (int)length, cursor);
        snprintf(option, sizeof option, "--%s", name);
        for (char *at = option; *at; at++)
            *at = *at == '_' ? '-' : *at;
        warn_unused(command, was_given(arguments, use->table, name), option, use->why);
        cursor += length;
        cursor += strspn(cursor, " ");
    }
}

bool heights_can_give(const char *command, const Arguments *arguments)
{
    if (arguments->volume.part == SILT_PART_WHOLE && !arguments->volume.open &&
        !(arguments->volume.decimate < 1.0))
        return true;
    report_usage(command, "--part, --open and --decimate are for volumes of rock, and heights have neither "
                          "overhangs nor a block: write a .siltvol first");
    return false;
}

int source_of(const char *path)
{
    return silt_path_is_volume(path) ? FROM_VOLUME : silt_path_is_mesh(path) ? FROM_MESH : FROM_HEIGHTS;
}

void volume_warn_unused(const char *command, const Arguments *arguments, int from, const char *output,
                        unsigned tables)
{
    for (size_t k = 0; k < sizeof uses / sizeof uses[0]; k++)
        if ((uses[k].table & tables) && !(uses[k].to[from] & 1u << source_of(output)))
            warn_of(command, arguments, &uses[k]);
}
