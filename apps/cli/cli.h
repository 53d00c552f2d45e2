// What the commands of the program share.
#ifndef SILT_CLI_H
#define SILT_CLI_H

#include <signal.h>
#include <stdio.h>

#include "silt/base.h"
#include "silt/checkpoint.h"
#include "silt/device.h"
#include "silt/erode.h"
#include "silt/generate.h"
#include "silt/io.h"
#include "silt/masks.h"
#include "silt/parallel.h"
#include "silt/param.h"
#include "silt/recipe.h"
#include "silt/record.h"
#include "silt/render.h"
#include "silt/rivers.h"
#include "silt/terrain.h"
#include "silt/text.h"
#include "silt/volume.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CANCELLED = 130, EXIT_UNHEARD = 141 }; // 141: as SIGPIPE has it

enum { MAX_WORDS = 16, MAX_SETTINGS = 1024 };

// Which of the library's tables a command takes as options besides its own.
enum {
    TAKES_READ = 1,
    TAKES_WRITE = 2,
    TAKES_RENDER = 4,
    TAKES_RIVERS = 8,
    TAKES_VOLUME = 16,
    TAKES_ROCK = 32,
    TAKES_MASKS = 64,
    TAKES_TILES = 128
};
enum { TABLE_COUNT = 8 };

// What a command line said. Options that were not given keep the values of arguments_init.
typedef struct Arguments {
    const char *words[MAX_WORDS]; // what is not an option, after the command
    int word_count;
    const char *output, *maps, *report, *frames, *vectors, *before, *particles, *masks;
    bool sized; // whether --size was given
    int width, height;
    double cell;   // NaN: not given, as for every
    double extent; // metres from the western to the eastern side; NaN: not given
    uint64_t seed;
    int threads;
    const char *device;
    const char *settings[MAX_SETTINGS]; // --set key=value
    int setting_count;
    const char *defines[MAX_SETTINGS]; // -D name=value
    int define_count;
    const char *layers[MAX_SETTINGS]; // --map name=file
    int layer_count;
    const char *plots[MAX_SETTINGS]; // --plot x:y
    int plot_count;
    const char *from, *to[MAX_SETTINGS], *river, *against; // of a profile
    int to_count;
    double spacing, swath; // NaN: not given
    const char *lakes;
    SiltErodeOptions erode; // how the model runs
    double every;
    // as given: units are the model's to know
    const char *steps_text, *time_text, *pyramid_text, *every_text, *keep_text;
    double sea_level;           // of info; NaN: not given
    double orbit, fps, seconds; // of a film; NaN: not given
    const char *checkpoint, *resume;
    double keep_seconds; // between two checkpoints; 0: so many steps
    int64_t keep_steps;
    SiltCheckpoint *kept; // what --resume goes on from
    const char *again;    // the folder that all outputs of a repeated run go to; NULL: it is none
    const char *told;     // the text of its recipe, or NULL
    int given_count;      // words of the command line, those of the run that is gone on with first
    int kept_count;       // so many
    char **given_words;
    const char *crop, *flip;
    int rotate;
    bool trust, fresh, watch, outputs, hypsometry, statistics, drainage, landforms, tiles, dry_run, small,
        json, quiet, verbose, help, man, markdown, bash, zsh, fish;
    SiltReadOptions read;
    SiltWriteOptions write;
    SiltRenderOptions render;
    SiltRiverOptions rivers;
    SiltVolumeOptions volume;
    SiltRock rock;
    SiltMaskOptions mask;
    SiltTileOptions tile;
    uint64_t given[TABLE_COUNT]; // which options of each table were given, by their place in it
} Arguments;

typedef struct Command {
    const char *name;
    const char *words;    // "KIND", "IN OUT"
    int minimum, maximum; // how many words
    const char *summary;  // no capital, no full stop
    unsigned tables;
    int (*run)(const Arguments *arguments);
} Command;

int command_count(void);
const Command *command_at(int index);
const Command *command_find(const char *name); // NULL when there is none
// Runs it, and sees to it that what it reads stays as it is.
int run_command(const Command *command, const Arguments *arguments);

typedef enum OptionKind {
    OPTION_FLAG,
    OPTION_TEXT,  // of FILE or DIR it is what is written
    OPTION_INPUT, // a file that is read
    OPTION_ERODE, // of silt_erode_params, by its name
    OPTION_INT,
    OPTION_REAL,
    OPTION_SIZE,
    OPTION_SEED,
    OPTION_MANY
} OptionKind;

typedef struct Option {
    const char *name;       // "--size"
    const char *short_name; // "-o" or ""
    const char *value;      // "W[xH]", or "" for a flag
    const char *commands;   // "new run", or "*" for all
    const char *help;
    OptionKind kind;
    size_t offset; // into Arguments
} Option;

int option_count(void);
const Option *option_at(int index);
// What it does, in a sentence.
const char *option_help(const Option *option);
bool option_belongs(const Option *option, const Command *command);
// Whether it names a file or folder that is written: a new one does, unless it is said to be read.
bool option_writes(const Option *option);

// An option as it stands on a command line.
typedef struct GivenOption {
    const Option *option; // or NULL:
    unsigned tables;      // those of the library's (TAKES_...) that have it
    char name[64];        // there
    const char *value;    // "": a flag
} GivenOption;

// The next option of words that arguments_parse has read, *k from 0; false behind the last.
bool option_next(const Command *command, int count, char **words, int *k, GivenOption *out);

// Reads a whole command line (without the program and the command); false after telling stderr what is wrong.
bool arguments_parse(const Command *command, int count, char **words, Arguments *out);
// Whether an option of one of the library's tables (TAKES_...) was given; of any of them for a NULL name.
bool was_given(const Arguments *arguments, unsigned table, const char *name);

// What --every says of checkpoints: seconds between two, or so many steps; the other is 0. False where it
// says neither (pace.c).
bool read_pace(const char *text, double *seconds, int64_t *steps);

// ---- answer.c: what a command answers, as lines or as one document ----

// Whether the answer is JSON, from now on.
void answer_in_json(bool is_json);
bool answer_is_json(void);
// Part of what is said to people. In JSON it is the member "text", where the command gives no document.
void say(const char *format, ...) SILT_PRINTF(1, 2);
// What was said so far, in JSON; the caller frees it. NULL: nothing.
char *answer_take_lines(void);
// "silt: TEXT" on stderr and, in JSON, {"error": TEXT} with what was answered before.
void complain(const char *format, ...) SILT_PRINTF(1, 2);
// "silt: to go on: COMMAND" on stderr and, in JSON, the member go_on of a refusal.
void tell_go_on(const char *format, ...) SILT_PRINTF(1, 2);
// The document, an object or an array, in place of all that was given before; the text is freed.
SiltStatus answer_with(SiltText *json);
SiltStatus answer_with_text(const char *json); // NULL: there was no memory for it
// Members of an object, which begins with the first.
void add_member(SiltText *text, const char *key, const char *string); // NULL: null
void add_number(SiltText *text, const char *key, double value);
void add_numbers(SiltText *text, const char *key, const double *values, int count);
void add_flag(SiltText *text, const char *key, bool value);
void add_json(SiltText *text, const char *key, const char *json); // as it is
// The document of a program that is ended by a signal, by a handler's means; `why` needs no escapes.
void answer_stopped(const char *why);
// Writes the document; the exit status, a failure where stdout takes nothing.
int answer_end(int status);

// ---- what commands do alike (common.c) ----

// "silt: message" on stderr; returns the exit status for the library's status.
int report_failure(SiltStatus status);
// The same for wrong usage, with a hint to `silt help COMMAND`.
int report_usage(const char *command, const char *format, ...) SILT_PRINTF(2, 3);
// A parameter struct filled with defaults and then with --set; NULL after telling why. free_params frees it.
void *make_params(const SiltParamTable *table, const char *owner, const Arguments *arguments);
void free_params(const SiltParamTable *table, void *params);
// A report, or another JSON, as a file.
SiltStatus write_report(const char *path, const char *json);
// The masks that --masks asks for, of a terrain that is done.
SiltStatus write_masks(const Arguments *arguments, const SiltTerrain *terrain);
// Makes the folders of every output named on the command line, and asks whether it can be written there:
// before the work, not after it.
SiltStatus prepare_outputs(const Arguments *arguments);
// The same of one file, and of what --maps and --masks name.
SiltStatus prepare_file(const char *path);
SiltStatus prepare_maps(const char *path);
SiltStatus prepare_masks(const Arguments *arguments);
// ---- inputs.c ----

// False after telling that two outputs would be one file, or that a folder of maps, masks or frames would get
// a file in the place of one. `output` is what -o says, or a word in its place.
bool outputs_differ(const char *command, const Arguments *arguments, const char *output);
// Fails where --maps of a layer that the terrain has from its file, whatever it is called, would.
SiltStatus maps_differ(const Arguments *arguments, const SiltTerrain *terrain);
// The same of masks beside tiles, or what an engine takes, under this name.
bool tiles_differ(const char *command, const Arguments *arguments, const char *output);
// Whether this sentence was not said before in this run; forget_said begins another.
bool is_news(const char *text);
void forget_said(void);
// Nothing that the command line names to read is written over, by this command or by what it calls: false
// after telling which option would do so. Every command begins with it.
bool inputs_stay(const Command *command, const Arguments *arguments);
// The same of one more file that turns out to be read (FILE@MIN:MAX too), and of what lies beside it.
bool input_stays(const char *command, const Arguments *arguments, const char *input);
// The same of the recipe and all that it reads.
bool recipe_inputs_stay(const char *command, const Arguments *arguments, const SiltRecipe *recipe);
// Notes what the run that is gone on with has read by that name, as it was then; `known` takes whether it
// did.
SiltStatus record_input_was(const Arguments *arguments, SiltRecorder *recorder, const char *path,
                            bool *known);
// False after telling that --report would write over an output of the recipe (NULL: there is none), or over
// a file that is no report.
bool report_is_free(const char *command, const Arguments *arguments, const SiltRecipe *recipe);
// False after telling that the run would be kept in the place of an output of the recipe.
bool checkpoint_is_free(const char *command, const Arguments *arguments, const SiltRecipe *recipe);

// The value as it will be shown with so many digits after the point: what rounds to zero has no sign.
double plain_zero(double value, int digits);
// "OUT: 1024 x 1024 cells of 10 m, 12 to 1800 m", or "... wear 0 to 2.25 m" of another layer, unless quiet.
// What a large run takes, before it begins; --verbose tells of small ones too.
void say_memory(const Arguments *arguments, const char *what, uint64_t bytes, uint64_t available);
void say_written(const Arguments *arguments, const SiltTerrain *terrain, const char *path);

// "COMMAND: OPTION changes nothing: WHY" as a warning, where it was given.
void warn_unused(const char *command, bool given, const char *option, const char *why);

// ---- progress.c ----

// A run with the given seed, a progress bar when stderr is a terminal, Ctrl-C as a wish to stop, and frames
// if asked.
typedef struct Watch {
    SiltRun run;
    bool bar, tells;             // each stage and what it took
    double started, shown, part; // the part that is done of all, 0 to 1
    char stage[64];
    const char *frames; // folder
    bool measures;      // statistics.csv in it
    bool goes_on;       // frames were made before,
    bool has_earlier;   // in this very folder
    int64_t steps;      // of the run when the last frame was taken,
    double time;        // and its time
    char clock[32];     // in this unit; "": there is none
    SiltText table;
    SiltCheckpoint *checkpoint;          // that keeps it with the run; NULL: none
    int frame_count;                     // written so far
    bool makes_volumes, makes_particles; // beside the terrain of each frame
    void *reel;                          // of a film
    bool wears;                          // what models have done is kept when the run is stopped
} Watch;
// From now on Ctrl-C, SIGTERM and SIGHUP stop a watched run cleanly, and leave no temporary files behind.
void catch_interrupts(void);
// Whether there is something that would be lost: then a run is stopped at its next step, else at once.
void watch_keep(bool is_worth);
// What else a sudden end does, by a signal handler's means; NULL: nothing.
void watch_on_leave(void (*act)(void));
// In between no signal ends the program, whichever thread hears it: for a moment, without memory asked for.
void hold_signals(sigset_t *before);
void let_signals(const sigset_t *before);
// From here on this thread says the program's last words, and no signal ends it any more; where one is ending
// it already, this does not return.
void end_is_mine(void);
// Does not return where the program is being ended: what this thread would say is no longer asked for.
void stand_back(void);
// Nothing is run from here on, until it is said again.
void watch_wait(bool is_waiting);
// Whether somebody wants it to stop.
bool was_interrupted(void);
// The exit status of a run that was stopped: 128 and the signal, as shells have it.
int exit_of_stop(void);
bool watch_begin(const Arguments *arguments, Watch *out);
void watch_end(Watch *watch);

// ---- frames.c ----

// Whether a name is one that frames are given.
bool is_frame_name(const char *name);
// Makes the folder and asks the run for frames, where --frames does; false after telling why not.
bool frames_begin(const Arguments *arguments, Watch *out);
// The rows of statistics.csv are kept with the run, and those of a run that is gone on with come back.
SiltStatus frames_keep(Watch *watch, SiltCheckpoint *checkpoint);
// The run is over with this status: removes frames of a longer one that was written here before, and says so.
void frames_clear(const Arguments *arguments, const Watch *watch, SiltStatus status);
// The same, and says where fewer frames came than were asked for, or none.
void frames_end(const Arguments *arguments, const Watch *watch, SiltStatus status);

// ---- keep.c: runs that are kept on the way ----

// The words of the command line with those of the run that `--resume FILE` among them goes on with before
// them, and its checkpoint; `kept_count` takes how many those are. False after telling why not. Without
// --resume nothing happens. Trust is never kept: whoever goes on says it again.
bool resume_words(const Command *command, int *count, char ***words, SiltCheckpoint **kept, int *kept_count);
// What the options write outside the folder they are named from (`kept_alone`: those that were kept); or
// NULL.
const char *written_outside(const Command *command, const Arguments *arguments, const char *folder,
                            bool kept_alone);
// Whether what a kept run would write lies where this command line may write; false after telling.
bool resume_stays(const Command *command, const Arguments *arguments);
// Whether a word was said with the run that is gone on with, and not on this command line.
bool was_kept(const Arguments *arguments, const char *word);

// ---- begun.c: where a run was begun, and what lies where one is to be kept ----

// Notes the current folder, from which the files of the command are named.
SiltStatus keep_folder(SiltCheckpoint *checkpoint);
// The folder that a run which is gone on with was begun in, where that is there and another one than the
// current folder; else NULL. What it holds is compared, never written to.
const char *begun_elsewhere(const Arguments *arguments);
// False after telling that the run was begun elsewhere and this file, of the option (NULL: of none), is named
// from there.
bool lies_here(const char *command, const Arguments *arguments, const char *file, const char *option);
// The same of all that options said with the run, and of what a recipe (NULL: it could not be read) names.
bool options_lie_here(const Command *command, const Arguments *arguments);
bool recipe_lies_here(const Arguments *arguments, const SiltRecipe *recipe);
// False after telling that --checkpoint would replace a run that is not finished, or what is no checkpoint.
bool checkpoint_spares(const char *command, const Arguments *arguments);

// ---- resume.c: the words of a run that is gone on with ----

// Adds the words as a checkpoint keeps them, a line each, so that they come back as they are.
void words_keep(SiltText *text, int count, char *const *words);
// False after telling which of the options behind --resume would change what was begun.
bool resume_fits(const Command *command, const Arguments *arguments);
// Where the length is said anew behind --resume, the words that said it before go.
void length_anew(const Command *command, Arguments *arguments);

// ---- keep.c ----

// What the run is kept in, before anything is touched: no other run is kept there until keep_end, or until it
// is destroyed. False after telling that another one is, or that the run would replace one that is not
// finished, or what is no checkpoint.
bool keep_claim(const char *command, const Arguments *arguments, SiltCheckpoint **out);
// Keeps the run in the file that was claimed, or if it turns out to be long; then it is in `path`, or another
// name like it where that is taken. What is called long SILT_LONG_RUN says in seconds, for tests.
SiltStatus keep_begin(const char *command, const Arguments *arguments, const char *path, SiltRun *run,
                      SiltCheckpoint *checkpoint);
// The run is over with this status: says how to go on if it was not done, and frees the checkpoint. Whether
// its recipe would be refused then without --trust the caller knows.
void keep_end(const char *command, const Arguments *arguments, SiltCheckpoint *checkpoint, SiltStatus status,
              bool needs_trust);
// A run that is gone on with is not told to be another one where memory ends: the sentence is changed.
void fit_remedy(const Arguments *arguments, SiltStatus status);
// A recorder of what the report says, where one is asked for; else none.
SiltStatus record_begin(const char *command, const Arguments *arguments, SiltRun *run);
// A terrain from a file of any kind, a checkpoint too.
SiltStatus read_any(const char *path, const SiltReadOptions *options, SiltTerrain **out);
// silt info FILE.silt
int checkpoint_info(const Arguments *arguments);

// ---- volume.c: rock with caves and overhangs ----

// silt new SHAPE: a volume, its mesh or its highest surface, by the ending of the output.
int run_new_volume(const Arguments *arguments, const SiltVolumeShape *shape);
// Whether a conversion goes from or to a volume, or from a mesh.
bool converts_volume(const char *input, const char *output);
int convert_volume(const Arguments *arguments, const char *output);
// A terrain from heights, a volume, or a closed mesh, which becomes a volume of --voxels along its longest
// side.
SiltStatus read_ground(const Arguments *arguments, const char *path, SiltTerrain **out);
// A volume of heights, as the options say.
SiltStatus write_heights_as_volume(const Arguments *arguments, const SiltTerrain *terrain, const char *path);
// silt info FILE.siltvol
int volume_info(const Arguments *arguments);

// volume_check.c
// What a volume, mesh or heights come from, in a file or newly made.
enum { FROM_HEIGHTS, FROM_VOLUME, FROM_MESH, FROM_SHAPE, FROM_COUNT };
int source_of(const char *path);
// False after telling that heights alone cannot have what was asked of a mesh.
bool heights_can_give(const char *command, const Arguments *arguments);
// Warns of options of these tables (TAKES_...) that change nothing between this source and the output.
void volume_warn_unused(const char *command, const Arguments *arguments, int from, const char *output,
                        unsigned tables);

// ---- commands, one a file ----

int run_new(const Arguments *arguments);
int run_erode(const Arguments *arguments);
int run_rivers(const Arguments *arguments);
int run_render(const Arguments *arguments);
int run_view(const Arguments *arguments);
int run_recipe(const Arguments *arguments);
int run_info(const Arguments *arguments);
int run_profile(const Arguments *arguments);
int run_sweep(const Arguments *arguments);
int run_again(const Arguments *arguments);
int run_convert(const Arguments *arguments);
int run_list(const Arguments *arguments);
int run_help(const Arguments *arguments);
int run_bench(const Arguments *arguments);

// again.c
// Fails where something is in a place that a repeated run would write to.
SiltStatus again_is_free(const char *place);

// render_check.c
// False after telling that one of the numbered pictures of a film would overwrite what it shows.
bool render_keeps_inputs(const Arguments *arguments, int frames);
void render_warn_unused(const Arguments *arguments, bool film, bool recipe);

// recipes.c: those that came with Silt.
// Reads the recipe of the first word, which is a path or the name of one of these.
// `writes`: its outputs will be written, and what would keep them from being is refused.
SiltStatus read_recipe(const Arguments *arguments, bool writes, SiltRecipe **out);
// Whether it would be refused without --trust once it is gone on with, when nobody vouches for what -D names.
// The recipe is over by then.
bool recipe_needs_trust(SiltRecipe *recipe);
// The file that it is read from.
void recipe_file(const Arguments *arguments, char path[SILT_PATH_SIZE]);
// The file that the recipe of a kept run was read from.
typedef enum RecipeNow { RECIPE_SAME, RECIPE_GONE, RECIPE_OTHER } RecipeNow;
RecipeNow recipe_now(const Arguments *arguments);
bool is_recipe_name(const char *name); // no file, but one of these
void list_recipes(bool presets);
void list_recipes_json(SiltText *text, bool presets);
void each_recipe(void (*tell)(void *context, const char *name, const char *about), void *context);
void suggest_recipe(const char *name, char hint[80]); // ", did you mean 'alpine'?" or ""
bool help_recipe(const char *name);                   // false when there is none of that name

// help.c: `silt help COMMAND` or, with what stands behind the command, `silt COMMAND NAME --help`, which is
// about the generator, model or recipe where it is one.
int explain(const char *command, const char *name);

// document.c: the whole reference from the tables
void write_markdown(FILE *out);
void write_man(FILE *out);

// complete.c: what may stand in place of the last of these words, a line each; shells call it.
int complete_words(int count, char **words);
void write_completion(FILE *out, const char *shell); // "bash", "zsh" or "fish"

// examples.c
typedef struct Example {
    const char *command, *line, *about;
} Example;
const Example *example_at(int index); // NULL behind the last

// list.c: what `silt list` takes, one after the other; NULL behind the last
const char *list_kind_at(int index);

#endif
