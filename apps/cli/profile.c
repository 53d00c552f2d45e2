// silt profile IN: heights along a line, a swath or a river, and how they are spread over the land.
#include <math.h>
#include <string.h>

#include "cli.h"
#include "silt/plot.h"
#include "silt/profile.h"

// "500,200" or "0.5km,200m".
static bool parse_point(const char *text, double out[2])
{
    char first[64];
    const char *comma = strchr(text, ',');
    if (!comma || comma - text >= (int)sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    return silt_parse_in(first, "m", &out[0]) && silt_parse_in(comma + 1, "m", &out[1]);
}

static int bad_point(const char *option, const char *text)
{
    return report_usage(
        "profile", "%s takes a point of the map as X,Y, in metres or with a unit (0.5km,2km), not '%.60s'",
        option, text);
}

// ---- which ----

static SiltStatus make_line(const Arguments *arguments, const SiltTerrain *terrain, SiltTable *out)
{
    double points[2 * (MAX_SETTINGS + 1)];
    parse_point(arguments->from, points);
    for (int k = 0; k < arguments->to_count; k++)
        parse_point(arguments->to[k], points + 2 * (k + 1));
    return silt_profile_transect(terrain, points, arguments->to_count + 1,
                                 isnan(arguments->spacing) ? 0.0 : arguments->spacing,
                                 isnan(arguments->swath) ? 0.0 : arguments->swath, out);
}

static SiltStatus make_table(const Arguments *arguments, const SiltTerrain *terrain, SiltTable *out,
                             double *integral)
{
    double point[2];
    *integral = NAN;
    if (arguments->hypsometry)
        return silt_profile_hypsometry(terrain, 100, out, integral);
    if (!arguments->river)
        return make_line(arguments, terrain, out);
    bool largest = strcmp(arguments->river, "largest") == 0;
    if (!largest)
        parse_point(arguments->river, point);
    return silt_profile_river(terrain, &arguments->rivers, largest ? NULL : point, out);
}

// ---- as a picture ----

static const char *axis_name(const Arguments *arguments, const SiltTable *table)
{
    return arguments->against ? arguments->against : table->names[0];
}

static SiltStatus plot(const Arguments *arguments, const SiltTable *table)
{
    int x = silt_table_column(table, axis_name(arguments, table));
    int y = silt_table_column(table, arguments->hypsometry ? "relative_height" : "height_m");
    int low = silt_table_column(table, "min_m"), mean = silt_table_column(table, "mean_m"),
        high = silt_table_column(table, "max_m");
    bool river = silt_table_column(table, "filled_m") >= 0;
    if (river)
        mean = silt_table_column(table, "filled_m");
    double *values = silt_alloc(5 * (size_t)table->rows * sizeof *values);
    if (!values)
        return silt_fail(SILT_NO_MEMORY, "not enough memory for a plot");
    size_t rows = (size_t)table->rows;
    const int picked[] = {x, y, low, mean, high};
    for (int n = 0; n < 5; n++)
        for (size_t k = 0; k < rows; k++)
            values[(size_t)n * rows + k] =
                picked[n] < 0 ? NAN : table->values[k * (size_t)table->columns + (size_t)picked[n]];
    const SiltSeries series[] = {{.name = low >= 0 ? "along the line"
                                          : river  ? "ground"
                                                   : "",
                                  .x = values,
                                  .y = values + rows,
                                  .count = table->rows},
                                 {.name = river ? "filled" : "mean of the swath",
                                  .x = values,
                                  .y = values + 3 * rows,
                                  .count = table->rows},
                                 {.name = "lowest to highest",
                                  .x = values,
                                  .y = values + 4 * rows,
                                  .low = values + 2 * rows,
                                  .filled = true,
                                  .count = table->rows}};
    SiltStatus status = silt_plot_write(&(SiltPlot){.title = arguments->words[0],
                                                    .x_label = table->names[x],
                                                    .y_label = table->names[y],
                                                    .x_log = strcmp(table->names[x], "catchment_m2") == 0,
                                                    .series = series,
                                                    .series_count = low >= 0 ? 3
                                                                    : river  ? 2
                                                                             : 1},
                                        arguments->output);
    silt_free(values);
    return status;
}

static SiltStatus give(const Arguments *arguments, const SiltTable *table, double integral)
{
    bool draws = arguments->output && silt_ends_with(arguments->output, ".svg");
    if (arguments->against && silt_table_column(table, arguments->against) < 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "--against %.60s: the table has no such column; it begins with %s, %s",
                         arguments->against, table->names[0], table->names[1]);
    SiltStatus status = SILT_OK;
    if (arguments->output)
        status = draws ? plot(arguments, table) : silt_table_write(table, arguments->output);
    if (status != SILT_OK)
        return status;
    char *text = arguments->json ? silt_table_json(table) : arguments->output ? NULL : silt_table_csv(table);
    if (arguments->json)
        status = answer_with_text(text);
    else if (text)
        say("%s", text);
    else if (!arguments->quiet && arguments->hypsometry && isnan(integral))
        say("%s: %d rows; level land has no integral\n", arguments->output, table->rows);
    else if (!arguments->quiet && arguments->hypsometry)
        say("%s: %d rows, integral %.4f\n", arguments->output, table->rows, integral);
    else if (!arguments->quiet)
        say("%s: %d rows, %.6g m\n", arguments->output, table->rows,
            fabs(table->values[(size_t)(table->rows - 1) * (size_t)table->columns] - table->values[0]));
    silt_free(text);
    return status;
}

static int check(const Arguments *arguments)
{
    double point[2];
    int kinds = arguments->hypsometry + (arguments->river != NULL) + (arguments->from || arguments->to_count);
    if (kinds != 1)
        return report_usage("profile",
                            "say along what: --from X,Y --to X,Y, or --river X,Y|largest, or --hypsometry");
    if (arguments->from || arguments->to_count) {
        if (!arguments->from || !arguments->to_count)
            return report_usage("profile", "a line goes --from X,Y --to X,Y");
        if (!parse_point(arguments->from, point))
            return bad_point("--from", arguments->from);
        for (int k = 0; k < arguments->to_count; k++)
            if (!parse_point(arguments->to[k], point))
                return bad_point("--to", arguments->to[k]);
    }
    if (arguments->river && strcmp(arguments->river, "largest") != 0 && !parse_point(arguments->river, point))
        return bad_point("--river", arguments->river);
    if (arguments->output && !silt_ends_with(arguments->output, ".csv") &&
        !silt_ends_with(arguments->output, ".svg") && !silt_ends_with(arguments->output, ".json"))
        return report_usage("profile", "'%.200s': a profile is written as .csv, .json or .svg",
                            arguments->output);
    return 0;
}

int run_profile(const Arguments *arguments)
{
    int exit_status = check(arguments);
    if (exit_status != 0)
        return exit_status;
    warn_unused("profile", !isnan(arguments->swath) && !arguments->from, "--swath", "it lies across a line");
    warn_unused("profile", !isnan(arguments->spacing) && !arguments->from, "--spacing",
                "it is that of a line");
    SiltTerrain *terrain = NULL;
    SiltTable table = {0};
    double integral;
    SiltStatus status = arguments->output ? prepare_file(arguments->output) : SILT_OK;
    if (status == SILT_OK)
        status = read_any(arguments->words[0], &arguments->read, &terrain);
    if (status == SILT_OK)
        status = make_table(arguments, terrain, &table, &integral);
    if (status == SILT_OK)
        status = give(arguments, &table, integral);
    silt_table_destroy(&table);
    silt_terrain_destroy(terrain);
    return status == SILT_OK ? 0 : report_failure(status);
}
