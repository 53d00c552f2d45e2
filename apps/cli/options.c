// Options: one table that parsing, help, man pages and completion all read.
#include <string.h>

#include "cli.h"

#define AT(field) offsetof(Arguments, field)

static const Option options[] = {
    {"--output", "-o", "FILE", "new erode rivers render convert again sweep profile",
     "where the result goes; its ending picks the format; for again and sweep: the folder that takes what "
     "they "
     "make",
     OPTION_TEXT, AT(output)},
    {"--size", "", "W[xH]", "new erode convert bench render",
     "columns and rows; for convert: resample to this; for render: pixels; for a mesh that becomes a volume: "
     "voxels along its longest side, to which air comes all round",
     OPTION_SIZE, AT(width)},
    {"--cell", "", "M", "new", "size of a cell in metres (new: 10 without it)", OPTION_REAL, AT(cell)},
    {"--extent", "", "M", "new convert",
     "width of the land in metres, however many cells it has; for new: with --cell it says how many",
     OPTION_REAL, AT(extent)},
    {"--seed", "", "N", "new erode convert bench", "whole number that fixes every random choice", OPTION_SEED,
     AT(seed)},
    {"--set", "", "KEY=VALUE", "new erode bench", "set a parameter; may be given often", OPTION_MANY,
     AT(settings)},
    {"--map", "", "LAYER=FILE[@MIN:MAX]", "erode",
     "a file of the terrain's size becomes a layer (uplift, erodibility, rain, protect, sources, paint); a "
     "painted mask is 0 where it is black and 1 where it is white, or MIN and MAX; may be given often",
     OPTION_MANY, AT(layers)},
    {"--steps", "", "N", "erode bench", NULL, OPTION_ERODE, AT(steps_text)},
    {"--time", "", "T", "erode", NULL, OPTION_ERODE, AT(time_text)},
    {"--pyramid", "", "LEVELS", "erode", NULL, OPTION_ERODE, AT(pyramid_text)},
    {"--maps", "", "DIR", "new erode rivers",
     "write every layer into this folder as TIFF, or into one .exr file", OPTION_TEXT, AT(maps)},
    {"--masks", "", "DIR", "new erode run convert",
     "write masks of 0 to 1 for engines into this folder (flow, wear, deposition, water, scree, slope, "
     "curvature, "
     "occlusion, snow, bands of height), a splat map and a colour map",
     OPTION_TEXT, AT(masks)},
    {"--report", "", "FILE", "erode run", "write the report (steps, limiters, ledger) as JSON", OPTION_TEXT,
     AT(report)},
    {"--vectors", "", "FILE", "erode", "write rivers and lakes as GeoJSON or GeoPackage too", OPTION_TEXT,
     AT(vectors)},
    {"--frames", "", "DIR", "new erode",
     "write the terrain as it grows into this folder: 00000.tif and on (.asc in a build without TIFF), with "
     "00000.siltvol of a volume, "
     "particles_00000.ply and .vtp of particles",
     OPTION_TEXT, AT(frames)},
    {"--statistics", "", "", "erode",
     "write statistics.csv beside --frames: heights and drainage of each of them", OPTION_FLAG,
     AT(statistics)},
    {"--every", "", "T", "erode run",
     "steps between --frames, or model time where --time is given; without it there are 50, or one a step; "
     "without --frames: "
     "between checkpoints, as 5m, 30s or 100steps",
     OPTION_TEXT, AT(every_text)},
    {"--keep-every", "", "T", "erode run",
     "between checkpoints, as 5m, 30s or 100steps, where --every is between --frames", OPTION_TEXT,
     AT(keep_text)},
    {"--checkpoint", "", "FILE.silt", "erode run",
     "keep the run in this file on the way, every 5 minutes or as --every (or, beside --frames, "
     "--keep-every) says; runs that turn out to take "
     "over "
     "10 minutes are kept without it",
     OPTION_TEXT, AT(checkpoint)},
    {"--resume", "", "FILE.silt", "erode run",
     "go on with a run that was kept, to the bytes it would have come to; other options may follow",
     OPTION_INPUT, AT(resume)},
    {"--before", "", "FILE", "render", "show this terrain beside it, in the same light and colours",
     OPTION_INPUT, AT(before)},
    {"--particles", "", "FILE", "render", "show these particles in it (.ply or .vtp)", OPTION_INPUT,
     AT(particles)},
    {"--orbit", "", "DEG", "render", "film: how far the camera goes round (a file: 360 without it)",
     OPTION_REAL, AT(orbit)},
    {"--fps", "", "N", "render", "film: frames a second (30 without it)", OPTION_REAL, AT(fps)},
    {"--seconds", "", "T", "render",
     "film: how long each stage of a recipe that wears or grows takes (10 without it)", OPTION_REAL,
     AT(seconds)},
    {"--define", "-D", "NAME=VALUE", "run render sweep",
     "set a name the recipe defines; may be given often; for sweep also several values: K=1,2,4, U=0:1:5 in "
     "even steps or U=1e-4:1e-3:log5 by equal factors",
     OPTION_MANY, AT(defines)},
    {"--from", "", "X,Y", "profile",
     "where a line begins: a point of the map, in metres from the south-western corner where it has no place",
     OPTION_TEXT, AT(from)},
    {"--to", "", "X,Y", "profile", "where it ends; given often, it goes on from point to point", OPTION_MANY,
     AT(to)},
    {"--spacing", "", "M", "profile", "metres between two points of a line (a cell without it)", OPTION_REAL,
     AT(spacing)},
    {"--swath", "", "M", "profile", "lowest, mean and highest of a strip so wide along the line too",
     OPTION_REAL, AT(swath)},
    {"--river", "", "X,Y|largest", "profile",
     "the river through a point, from its mouth to its head: heights, catchment, slope, chi and steepness "
     "(ksn)",
     OPTION_TEXT, AT(river)},
    {"--hypsometry", "", "", "profile", "how much of the land lies higher than what", OPTION_FLAG,
     AT(hypsometry)},
    {"--against", "", "COLUMN", "profile",
     "what an .svg draws the heights against (distance_m; chi_m of a river)", OPTION_TEXT, AT(against)},
    {"--lakes", "", "FILE", "rivers", "write lakes into a file of their own; rivers alone are in the other",
     OPTION_TEXT, AT(lakes)},
    {"--plot", "", "X:Y", "sweep",
     "draw one column of the table against another as SVG; may be given often; the table's first line names "
     "them",
     OPTION_MANY, AT(plots)},
    {"--outputs", "", "", "sweep", "write each run's own outputs too, below DIR/0001 and so on", OPTION_FLAG,
     AT(outputs)},
    {"--small", "", "", "run render sweep",
     "take the recipe's own smaller values: a minute or two in place of hours", OPTION_FLAG, AT(small)},
    {"--trust", "", "", "erode run render again sweep view",
     "let the recipe read and write anywhere; without it, it writes below the current folder and where -D "
     "leads, and reads there, beside itself, and what -D names",
     OPTION_FLAG, AT(trust)},
    {"--fresh", "", "", "run",
     "do every stage and write every file anew; without it what has not changed since an earlier run is kept",
     OPTION_FLAG, AT(fresh)},
    {"--watch", "", "", "run",
     "run again whenever the recipe or a file it reads changes, from the first stage that changed; until "
     "Ctrl-C",
     OPTION_FLAG, AT(watch)},
    {"--dry-run", "", "", "run", "print the plan and the memory it needs, and stop", OPTION_FLAG,
     AT(dry_run)},
    {"--drainage", "", "", "info", "measure pits, catchments, concavity and spectrum too", OPTION_FLAG,
     AT(drainage)},
    {"--landforms", "", "", "info",
     "measure slopes, valleys, ridges and texture too, beside what real land has", OPTION_FLAG,
     AT(landforms)},
    {"--tiles", "", "", "info", "print what --landforms measures of every tile, as CSV, and nothing else",
     OPTION_FLAG, AT(tiles)},
    {"--sea-level", "", "M", "info",
     "drainage and landforms: cells at or below this height are sea, not land", OPTION_REAL, AT(sea_level)},
    {"--crop", "", "I,J,WxH", "convert", "cut this part out, from column I and row J", OPTION_TEXT, AT(crop)},
    {"--flip", "", "x|y|xy", "convert", "mirror left-right, top-bottom or both", OPTION_TEXT, AT(flip)},
    {"--rotate", "", "DEG", "convert", "turn clockwise by 90, 180 or 270 degrees", OPTION_INT, AT(rotate)},
    {"--man", "", "", "help", "print the whole reference as a man page", OPTION_FLAG, AT(man)},
    {"--markdown", "", "", "help", "print the whole reference as Markdown", OPTION_FLAG, AT(markdown)},
    {"--bash", "", "", "help", "print the completion script for bash", OPTION_FLAG, AT(bash)},
    {"--zsh", "", "", "help", "print the completion script for zsh", OPTION_FLAG, AT(zsh)},
    {"--fish", "", "", "help", "print the completion script for fish", OPTION_FLAG, AT(fish)},
    {"--threads", "", "N", "*", "how many threads; the result does not depend on it", OPTION_INT,
     AT(threads)},
    {"--device", "", "cpu|gpu|gpu:NAME|auto", "new convert erode run bench view",
     "where to compute: the processor, the largest GPU, a device by part of its name (see 'silt list "
     "devices'), or a GPU if there is one; the result does not depend on it",
     OPTION_TEXT, AT(device)},
    {"--json", "", "", "*", "print one JSON document: the answer, or {\"error\": ...} where there is none",
     OPTION_FLAG, AT(json)},
    {"--quiet", "-q", "", "*", "print nothing but failures", OPTION_FLAG, AT(quiet)},
    {"--verbose", "-v", "", "*", "print more: each stage and what it took, memory, kernels of devices",
     OPTION_FLAG, AT(verbose)},
    {"--help", "-h", "", "*", "explain the command", OPTION_FLAG, AT(help)},
};

int option_count(void)
{
    return (int)(sizeof options / sizeof options[0]);
}

const char *option_help(const Option *option)
{
    if (option->kind != OPTION_ERODE)
        return option->help;
    return silt_erode_params.items[silt_params_find(&silt_erode_params, option->name + 2)].help;
}

const Option *option_at(int index)
{
    return &options[index];
}

bool option_belongs(const Option *option, const Command *command)
{
    if (strcmp(option->commands, "*") == 0)
        return true;
    size_t length = strlen(command->name);
    for (const char *at = option->commands; (at = strstr(at, command->name)); at += length)
        if ((at == option->commands || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool option_writes(const Option *option)
{
    return option->kind == OPTION_TEXT &&
           (strncmp(option->value, "FILE", 4) == 0 || strncmp(option->value, "DIR", 3) == 0);
}
