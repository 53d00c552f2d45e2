// silt sweep RECIPE -D K=1e-5,2e-5 -D U=1e-4:1e-3:log5 -o DIR
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "silt/sweep.h"

typedef struct Rows {
    const SiltSweep *sweep;
    bool tells;
    int kept, made, failed;
} Rows;

static void on_row(void *user, int row, bool kept, const char *failure)
{
    Rows *rows = user;
    rows->kept += kept;
    rows->made += !kept && !failure;
    rows->failed += failure != NULL;
    if (failure && rows->failed > 1) // the first is told in the end
        fprintf(stderr, "silt: sweep: row %d: %s\n", row + 1, failure);
    if (!rows->tells || kept || failure)
        return;
    say("%d/%d", rows->kept + rows->made, silt_sweep_count(rows->sweep));
    for (int k = 0; k < silt_sweep_axis_count(rows->sweep); k++)
        say(" %s=%s", silt_sweep_axis_name(rows->sweep, k), silt_sweep_value(rows->sweep, k, row));
    say("\n");
    fflush(stdout);
}

static bool on_stop(void *user)
{
    (void)user;
    return was_interrupted();
}

// The recipe's own smaller values first: what is given replaces them.
static SiltStatus open_sweep(const Arguments *arguments, SiltSweep **out)
{
    enum { MOST = 64 };
    char file[SILT_PATH_SIZE];
    const char *defines[MOST + MAX_SETTINGS];
    SiltRecipe *recipe = NULL;
    int count = 0;
    *out = NULL;
    recipe_file(arguments, file);
    if (access(file, F_OK) != 0) {
        SiltStatus status = read_recipe(arguments, false, &recipe); // says what there is
        silt_recipe_destroy(recipe);
        return status == SILT_OK ? silt_fail(SILT_IO_ERROR, "%s: no such file", file) : status;
    }
    if (arguments->small) {
        SiltStatus status = silt_recipe_read_unwritten(file, NULL, 0, &recipe);
        if (status != SILT_OK)
            return status;
        for (int k = 0; k < silt_recipe_small_count(recipe) && count < MOST; k++)
            defines[count++] = silt_recipe_small_at(recipe, k);
    }
    for (int k = 0; k < arguments->define_count; k++)
        defines[count++] = arguments->defines[k];
    SiltStatus status = silt_sweep_open(file, defines, count, arguments->trust, out);
    silt_recipe_destroy(recipe);
    return status;
}

// "x:y" or "x,y".
static bool split_plot(const char *text, char x[SILT_NAME_SIZE * 2], char y[SILT_NAME_SIZE * 2])
{
    size_t length = strcspn(text, ":,");
    if (length == 0 || length >= SILT_NAME_SIZE * 2 || !text[length] || strlen(text + length + 1) == 0 ||
        strlen(text + length + 1) >= SILT_NAME_SIZE * 2)
        return false;
    snprintf(x, SILT_NAME_SIZE * 2, "%.*s", (int)length, text);
    snprintf(y, SILT_NAME_SIZE * 2, "%s", text + length + 1);
    return true;
}

static void name_plot(const Arguments *arguments, const char *x, const char *y, char path[SILT_PATH_SIZE])
{
    snprintf(path, SILT_PATH_SIZE, "%.800s/%s-%s.svg", arguments->output, x, y);
}

static SiltStatus check_plots(const Arguments *arguments, const SiltSweep *sweep)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < arguments->plot_count && status == SILT_OK; k++) {
        char x[SILT_NAME_SIZE * 2], y[SILT_NAME_SIZE * 2], path[SILT_PATH_SIZE];
        if (!split_plot(arguments->plots[k], x, y))
            return silt_fail(SILT_BAD_ARGUMENT, "--plot %.60s: name two columns of the table: K:relief_m",
                             arguments->plots[k]);
        status = silt_sweep_check_column(sweep, x);
        if (status == SILT_OK)
            status = silt_sweep_check_column(sweep, y);
        name_plot(arguments, x, y, path);
        if (status == SILT_OK && access(path, F_OK) == 0)
            status = silt_file_check(path);
    }
    return status;
}

static SiltStatus draw_plots(const Arguments *arguments, const SiltSweep *sweep)
{
    SiltStatus status = SILT_OK;
    for (int k = 0; k < arguments->plot_count && status == SILT_OK; k++) {
        char x[SILT_NAME_SIZE * 2], y[SILT_NAME_SIZE * 2], path[SILT_PATH_SIZE];
        split_plot(arguments->plots[k], x, y);
        name_plot(arguments, x, y, path);
        status = silt_sweep_plot(sweep, x, y, path);
        if (status == SILT_OK && !arguments->quiet && !arguments->json)
            say("%s\n", path);
    }
    return status;
}

static void say_rows(const Arguments *arguments, const Rows *rows)
{
    char others[64] = "";
    if (silt_sweep_others(rows->sweep) > 0)
        snprintf(others, sizeof others, "; behind them %d of other values", silt_sweep_others(rows->sweep));
    SiltText json = {0};
    if (arguments->json) {
        add_number(&json, "rows", silt_sweep_count(rows->sweep));
        add_number(&json, "kept", rows->kept);
        add_number(&json, "made", rows->made);
        add_number(&json, "failed", rows->failed);
        add_number(&json, "others", silt_sweep_others(rows->sweep));
        silt_text_add(&json, "}");
        answer_with(&json);
    } else if (!arguments->quiet)
        say("%s/sweep.csv: %d rows, %d made now and %d kept%s\n%s/sheet.png\n", arguments->output,
            rows->kept + rows->made, rows->made, rows->kept, others, arguments->output);
}

// One name has one list of values: which of two was meant, nobody knows.
static bool names_differ(const Arguments *arguments)
{
    for (int k = 0; k < arguments->define_count; k++)
        for (int n = 0; n < k; n++) {
            const char *one = arguments->defines[n], *other = arguments->defines[k];
            size_t length = strcspn(other, "=");
            if (strcspn(one, "=") != length || strncmp(one, other, length) != 0)
                continue;
            report_usage("sweep", "-D %.60s and -D %.60s: give all values of a name at once, as %.*s=1,2,4",
                         one, other, (int)(length % 60), other);
            return false;
        }
    return true;
}

int run_sweep(const Arguments *arguments)
{
    if (!arguments->output)
        return report_usage("sweep", "say where the table and the pictures go: -o DIR");
    if (!names_differ(arguments))
        return EXIT_USAGE;
    SiltSweep *sweep;
    SiltStatus status = open_sweep(arguments, &sweep);
    for (int k = 0; status == SILT_OK && k < silt_sweep_input_count(sweep); k++)
        status = silt_inputs_hold(silt_sweep_input_at(sweep, k));
    if (status == SILT_OK)
        status = check_plots(arguments, sweep);
    if (status != SILT_OK) {
        silt_sweep_destroy(sweep);
        return report_failure(status);
    }
    Rows rows = {.sweep = sweep, .tells = !arguments->quiet && !arguments->json};
    Watch watch;
    if (!watch_begin(arguments, &watch)) {
        silt_sweep_destroy(sweep);
        return EXIT_USAGE;
    }
    watch_keep(true);
    status = silt_sweep_run(sweep, &(SiltSweepOptions){.folder = arguments->output,
                                                       .outputs = arguments->outputs,
                                                       .user = &rows,
                                                       .row = on_row,
                                                       .stop = on_stop});
    watch_end(&watch);
    SiltStatus ran = status;
    if (status == SILT_OK || rows.kept + rows.made > 0)
        say_rows(arguments, &rows);
    int exit_status = ran == SILT_OK ? 0 : report_failure(ran);
    if (ran == SILT_OK && (status = draw_plots(arguments, sweep)) != SILT_OK)
        exit_status = report_failure(status);
    silt_sweep_destroy(sweep);
    return exit_status;
}
