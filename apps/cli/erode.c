// silt erode MODEL IN -o OUT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// What was done, and before it what is needed to do it again.
static char *whole_report(const Arguments *arguments, SiltRecorder *recorder, const SiltReport *report,
                          const void *params)
{
    char *json = silt_report_json(report, params);
    if (!recorder || !json)
        return json;
    SiltText text = {0};
    char *record = silt_recorder_json(recorder, NULL, &arguments->seed, 1);
    silt_text_add(&text, "{");
    silt_text_add(&text, record ? record : "");
    silt_text_add(&text, ",\n");
    silt_text_add(&text, json + 1);
    text.failed = text.failed || !record;
    silt_free(record);
    silt_free(json);
    return silt_text_take(&text);
}

static SiltStatus say_report(const Arguments *arguments, SiltRecorder *recorder, const SiltReport *report,
                             const void *params)
{
    char *json = whole_report(arguments, recorder, report, params);
    char *table = silt_ledger_table(&report->ledger);
    SiltStatus status = json && table ? SILT_OK : SILT_NO_MEMORY;
    if (status == SILT_OK && arguments->report)
        status = write_report(arguments->report, json);
    if (status == SILT_OK && arguments->json)
        status = answer_with_text(json);
    else if (status == SILT_OK && !arguments->quiet)
        say("%s: %lld steps in %.2f s%s\n%s", silt_model_name(report->model), (long long)report->steps,
            report->seconds, report->counters.at_rest ? ", then all was at rest" : "", table);
    silt_free(json);
    silt_free(table);
    return status;
}

// A heightmap shows only what has come down.
static void say_suspended(const SiltReport *report, const SiltTerrain *terrain)
{
    const SiltField *sediment = silt_terrain_layer(terrain, "sediment");
    if (!sediment || silt_params_find(silt_model_params(report->model), "rest") < 0)
        return;
    double volume = silt_field_sum(sediment) * terrain->cell * terrain->cell;
    if (volume > 0.01 * report->ledger.rock.moved)
        say("%.3g m3 of rock, %.0f %% of what was worn, are still in the water: --set rest=on lets them "
            "come down\n",
            volume, 100.0 * volume / report->ledger.rock.moved);
}

static SiltStatus write_results(const Arguments *arguments, const SiltTerrain *terrain)
{
    SiltStatus status = silt_terrain_write(terrain, arguments->output, &arguments->write);
    if (status == SILT_OK && arguments->maps)
        status = silt_terrain_write_maps(terrain, arguments->maps, "tif", NULL);
    if (status == SILT_OK)
        status = write_masks(arguments, terrain);
    if (status == SILT_OK && arguments->vectors)
        status = silt_rivers_write(terrain, &arguments->rivers, arguments->vectors);
    return status;
}

// --map layer=file: each becomes a layer of the terrain, which the model then reads.
static SiltStatus read_layers(const Arguments *arguments, const SiltModel *model, void *params,
                              SiltTerrain *terrain)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < arguments->layer_count && status == SILT_OK; k++) {
        const char *word = arguments->layers[k], *equals = strchr(word, '=');
        char name[SILT_NAME_SIZE];
        if (!equals || equals == word || !equals[1] || (size_t)(equals - word) >= sizeof name)
            return silt_fail(SILT_BAD_ARGUMENT, "--map %.60s: say which layer is which file: uplift=up.tif",
                             word);
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        if (strcmp(name, "height") == 0)
            return silt_fail(SILT_BAD_ARGUMENT,
                             "--map %.60s: the terrain itself is the file behind the model: "
                             "silt erode %s FILE",
                             word, silt_model_name(model));
        status = silt_model_choose_layer(model, params, name);
        if (status == SILT_OK && !arguments->kept) // a run that is gone on with has them
            status = silt_terrain_read_layer(terrain, name, equals + 1, NULL);
    }
    return status;
}

enum { MOST_INPUTS = MAX_SETTINGS + 65 };

// What the run reads: the terrain, its maps, and files that parameters name.
typedef struct Inputs {
    const char *files[MOST_INPUTS]; // NULL: none
    int count;
    char (*maps)[SILT_PATH_SIZE]; // the files of --map, without their @MIN:MAX
} Inputs;

static bool list_inputs(const Arguments *arguments, const SiltModel *model, const void *params, Inputs *out)
{
    const SiltParamTable *table = silt_model_params(model);
    double range[2];
    out->maps = calloc((size_t)arguments->layer_count + 1, sizeof *out->maps);
    out->count = 0;
    if (!out->maps)
        return false;
    out->files[out->count++] = arguments->words[1];
    for (int k = 0; k < arguments->layer_count; k++) {
        const char *equals = strchr(arguments->layers[k], '=');
        bool named = equals && silt_split_range(equals + 1, out->maps[k], range) == SILT_OK;
        out->files[out->count++] = named ? out->maps[k] : NULL;
    }
    for (int k = 0; k < table->count && out->count < MOST_INPUTS; k++)
        if (table->items[k].type == SILT_TYPE_PATH)
            out->files[out->count++] = (const char *)params + table->items[k].offset;
    return true;
}

// Terrain and maps come with a run that is gone on with; what parameters name is read again.
static bool params_lie_here(const Arguments *arguments, const Inputs *inputs)
{
    for (int k = 1 + arguments->layer_count; k < inputs->count; k++)
        if (!lies_here("erode", arguments, inputs->files[k], NULL))
            return false;
    return true;
}

// Terrain and maps of a run that is gone on with are those it began with; what parameters name is read again.
static SiltStatus record_inputs(const Arguments *arguments, const Inputs *inputs, SiltRecorder *recorder)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < inputs->count && status == SILT_OK; k++) {
        bool known = false;
        if (!inputs->files[k] || !inputs->files[k][0])
            continue;
        if (k <= arguments->layer_count)
            status = record_input_was(arguments, recorder, inputs->files[k], &known);
        if (!known && status == SILT_OK)
            status = silt_recorder_input(recorder, inputs->files[k]);
    }
    return status;
}

// OUT.silt beside OUT.tif; in the folder one is in, where the path to that one leaves no room.
static void name_unasked(const char *output, char path[SILT_PATH_SIZE])
{
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output, *dot = strrchr(name, '.');
    size_t room = SILT_PATH_SIZE - sizeof "-1000.silt";
    const char *from = strlen(output) < room ? output : name;
    size_t length = dot && dot > name ? (size_t)(dot - from) : strlen(from);
    snprintf(path, SILT_PATH_SIZE, "%.*s.silt", (int)(length < room ? length : room), from);
}

static SiltStatus begin_keeping(const Arguments *arguments, const Inputs *inputs, SiltRun *run,
                                SiltCheckpoint *checkpoint)
{
    char path[SILT_PATH_SIZE];
    name_unasked(arguments->output, path);
    for (int k = 0; arguments->kept && !begun_elsewhere(arguments) && k < inputs->count; k++)
        if (inputs->files[k] && silt_checkpoint_has_changed(arguments->kept, inputs->files[k]))
            silt_warn("%s: it has changed since; the run goes on with what it was", inputs->files[k]);
    SiltStatus status = keep_begin("erode", arguments, path, run, checkpoint);
    for (int k = 0; k < inputs->count && status == SILT_OK; k++)
        if (inputs->files[k] && inputs->files[k][0])
            status = silt_checkpoint_add_input(checkpoint, inputs->files[k]);
    return status;
}

// A kept run cannot be told to end before the place where it was kept. `about` is its line for people.
static bool is_long_enough(const Arguments *arguments)
{
    const SiltErodeOptions *to = &arguments->erode;
    const char *about = arguments->kept ? silt_checkpoint_text(arguments->kept, "about") : NULL;
    const char *length = arguments->steps_text ? arguments->steps_text : arguments->time_text;
    long long steps;
    double time;
    char clock[SILT_NAME_SIZE];
    if (!about || !length || was_kept(arguments, length) || to->pyramid > 0 || // its levels share the steps
        sscanf(about, "%*s on %*d x %*d cells: %lld steps, %lg %31s", &steps, &time, clock) != 3)
        return true;
    if (to->steps > 0 && steps > to->steps)
        report_usage(
            "erode",
            "%.200s: the run has done %lld steps already: name more than --steps %lld, or leave it out",
            arguments->resume, steps, (long long)to->steps);
    else if (to->time > 0.0 && time > to->time * (1.0 + 1e-5)) // it has six digits
        report_usage("erode",
                     "%.200s: the run has done %g %s already: name more than --time %g, or leave it out",
                     arguments->resume, time, clock, to->time);
    else
        return true;
    return false;
}

// A report measures the drainage of what comes out, once the model has gone, where there is room for that.
static uint64_t bytes_of(const SiltModel *model, const void *params, const SiltTerrain *terrain,
                         bool reported)
{
    uint64_t bytes = silt_erode_bytes(model, params, terrain);
    uint64_t after = bytes - silt_model_bytes_with(model, params, terrain->width, terrain->height) +
                     silt_drainage_statistics_bytes(terrain->width, terrain->height);
    return reported && after > bytes && after <= silt_memory_available() ? after : bytes;
}

int run_erode(const Arguments *arguments)
{
    const SiltModel *model = silt_model_find(arguments->words[0]);
    if (!model) {
        complain("%s", silt_message());
        return EXIT_USAGE;
    }
    if (arguments->word_count < 2 && !arguments->kept)
        return report_usage("erode", "say which terrain it wears: silt erode %s IN -o OUT",
                            silt_model_name(model));
    if (!arguments->output)
        return report_usage("erode", "say where the terrain goes: -o FILE");
    if (arguments->every_text && !arguments->frames && !arguments->checkpoint && !arguments->resume)
        return report_usage("erode",
                            "--every says how often --frames DIR are written, or a --checkpoint FILE; give "
                            "one of them");
    if (arguments->statistics && !arguments->frames)
        return report_usage("erode", "--statistics are of --frames DIR; say where they go");
    char owner[64];
    snprintf(owner, sizeof owner, "erode %s", silt_model_name(model));
    void *params = make_params(silt_model_params(model), owner, arguments);
    if (!params)
        return EXIT_FAILED;
    Watch watch;
    SiltTerrain *terrain = NULL;
    SiltReport report = {0};
    SiltCheckpoint *checkpoint = NULL;
    int exit_status = EXIT_USAGE;
    Inputs inputs;
    if (!list_inputs(arguments, model, params, &inputs) || !is_long_enough(arguments) ||
        !report_is_free("erode", arguments, NULL) || !params_lie_here(arguments, &inputs) ||
        !keep_claim("erode", arguments, &checkpoint))
        goto done;
    if (!watch_begin(arguments, &watch)) {
        silt_checkpoint_destroy(checkpoint);
        goto done;
    }
    watch.wears = true;
    uint64_t available = silt_memory_available(); // before the terrain takes its part of it
    SiltStatus status = record_begin("erode", arguments, &watch.run);
    SiltRecorder *recorder = watch.run.recorder;
    if (status == SILT_OK && recorder)
        status = record_inputs(arguments, &inputs, recorder);
    if (status == SILT_OK)
        status = arguments->kept ? silt_checkpoint_terrain(arguments->kept, &terrain)
                                 : read_ground(arguments, arguments->words[1], &terrain);
    if (status == SILT_OK)
        status = read_layers(arguments, model, params, terrain);
    if (status == SILT_OK)
        status = silt_model_check_output(model, terrain, arguments->write.layer);
    if (status == SILT_OK)
        status = maps_differ(arguments, terrain);
    if (status == SILT_OK)
        status = prepare_outputs(arguments);
    if (status == SILT_OK)
        say_memory(arguments, owner, bytes_of(model, params, terrain, recorder != NULL), available);
    if (status == SILT_OK && !arguments->again)
        status = begin_keeping(arguments, &inputs, &watch.run, checkpoint);
    if (status == SILT_OK && !arguments->again)
        status = frames_keep(&watch, checkpoint);
    if (status == SILT_OK && recorder)
        silt_recorder_measure(recorder, terrain);
    if (status == SILT_OK)
        status = silt_erode_as(model, terrain, params, &arguments->erode, &watch.run, &report);
    SiltStatus ran = status;
    fit_remedy(arguments, status);
    watch_end(&watch);
    frames_end(arguments, &watch, status);
    // what was done until then is kept, whatever ended the run
    bool stopped = status == SILT_CANCELLED, failed = status != SILT_OK && !stopped && report.cancelled;
    if (stopped || failed) {
        complain("%s; writing what was done in %lld steps", silt_message(), (long long)report.steps);
        status = SILT_OK;
    }
    if (status == SILT_OK && recorder)
        silt_recorder_measure(recorder, terrain);
    if (status == SILT_OK)
        status = write_results(arguments, terrain);
    if (status == SILT_OK)
        status = say_report(arguments, recorder, &report, params);
    silt_recorder_destroy(recorder);
    if (status == SILT_OK && !arguments->quiet && !arguments->json)
        say_suspended(&report, terrain);
    exit_status = status != SILT_OK ? report_failure(status)
                  : stopped         ? exit_of_stop()
                  : failed          ? EXIT_FAILED
                                    : 0;
    if (ran == SILT_BAD_ARGUMENT && arguments->kept && silt_checkpoint_count(checkpoint) == 0)
        silt_checkpoint_destroy(checkpoint); // it goes no further by these words, however often they are said
    else
        keep_end("erode", arguments, checkpoint, ran == SILT_OK ? status : ran, false);
    if (exit_status == 0 && !arguments->json) // the report is the answer
        say_written(arguments, terrain, arguments->output);
done:
    free(inputs.maps);
    silt_terrain_destroy(terrain);
    free_params(silt_model_params(model), params);
    return exit_status;
}
