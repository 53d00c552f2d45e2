// silt COMMAND ...: finds the command, reads its options, runs it.
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "cli.h"

static const Command commands[] = {
    {"new", "KIND", 1, 1, "make a terrain or a volume of rock from nothing",
     TAKES_WRITE | TAKES_VOLUME | TAKES_ROCK | TAKES_MASKS, run_new},
    {"erode", "MODEL IN", 1, 2, "wear a terrain or a volume of rock down with a model",
     TAKES_READ | TAKES_WRITE | TAKES_RIVERS | TAKES_MASKS, run_erode},
    {"rivers", "IN", 1, 1, "write the rivers and lakes of a terrain for maps", TAKES_READ | TAKES_RIVERS,
     run_rivers},
    {"profile", "IN", 1, 1,
     "heights along a line, a swath or a river, and the hypsometric curve, as a table or plot",
     TAKES_READ | TAKES_RIVERS, run_profile},
    {"render", "IN", 1, 1, "draw a picture of a terrain, or film a recipe while it runs",
     TAKES_READ | TAKES_RENDER, run_render},
    {"view", "[IN]", 0, 1, "open the window", 0, run_view},
    {"run", "RECIPE", 1, 1, "run a recipe", TAKES_MASKS, run_recipe},
    {"sweep", "RECIPE", 1, 1,
     "run a recipe with every combination of values: a table, a contact sheet, plots", 0, run_sweep},
    {"again", "REPORT", 1, 1, "repeat the run that a report tells of, and say whether the bytes are the same",
     0, run_again},
    {"info", "FILE", 1, 1, "tell what is in a file", TAKES_READ, run_info},
    {"convert", "IN OUT", 1, 2, "change the format, size or part of a terrain; to and from volumes",
     TAKES_READ | TAKES_WRITE | TAKES_VOLUME | TAKES_ROCK | TAKES_MASKS | TAKES_TILES, run_convert},
    {"list", "[WHAT]", 0, 1,
     "list generators, volumes, models, stages, recipes, presets, layers, formats or devices", 0, run_list},
    {"help", "[[COMMAND] NAME]", 0, 2, "explain a command, generator, model, stage, recipe or parameter", 0,
     run_help},
    {"bench", "[WORKLOAD]", 0, 1, "measure speed against what the machine can do", 0, run_bench},
};

int command_count(void)
{
    return (int)(sizeof commands / sizeof commands[0]);
}

const Command *command_at(int index)
{
    return &commands[index];
}

const Command *command_find(const char *name)
{
    for (int k = 0; k < command_count(); k++)
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
    return NULL;
}

// Every sentence once: what is written and what lies beside it may ask for the same twice.
static void print_warning(void *user, const char *text)
{
    (void)user;
    if (is_news(text))
        fprintf(stderr, "silt: %s\n", text);
}

static int say_version(void)
{
    SiltText json = {0};
    if (!answer_is_json()) {
        say("silt %s\n", silt_version());
        return 0;
    }
    add_member(&json, "version", silt_version());
    silt_text_add(&json, "}");
    return answer_with(&json) == SILT_OK ? 0 : report_failure(SILT_NO_MEMORY);
}

// Whether a command line that may be wrong asks for JSON, so that its refusal is JSON too.
static bool asks_for_json(int count, char **words)
{
    for (int k = 1; k < count && strcmp(words[k], "--") != 0; k++)
        if (strcmp(words[k], "--json") == 0 || strncmp(words[k], "--json=", 7) == 0) // which is refused
            return true;
    return false;
}

// Commands that make nothing end when nobody reads them any more.
static bool only_tells(const Command *command)
{
    return command->run == run_info || command->run == run_list || command->run == run_help ||
           command->run == run_bench;
}

int run_command(const Command *command, const Arguments *arguments)
{
    return inputs_stay(command, arguments) ? command->run(arguments) : EXIT_USAGE;
}

static int run_words(int count, char **words)
{
    if (count < 2 || strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) {
        Arguments nothing = {0};
        int status = run_help(&nothing);
        return count < 2 ? EXIT_USAGE : status;
    }
    if (strcmp(words[1], "--version") == 0 || strcmp(words[1], "-V") == 0)
        return say_version();
    const Command *command = command_find(words[1]);
    if (!command)
        return report_usage("", "there is no command '%.60s'", words[1]);
    Arguments arguments;
    SiltCheckpoint *kept = NULL;
    int all = count - 2, kept_count = 0;
    char **given = words + 2;
    if (!resume_words(command, &all, &given, &kept, &kept_count))
        return EXIT_FAILED;
    if (!arguments_parse(command, all, given, &arguments))
        return EXIT_USAGE;
    answer_in_json(arguments.json);
    arguments.kept = kept;
    arguments.given_count = all;
    arguments.given_words = given;
    arguments.kept_count = kept_count;
    if (kept && !resume_fits(command, &arguments))
        return EXIT_USAGE;
    if (kept && !resume_stays(command, &arguments))
        return EXIT_USAGE;
    if (kept)
        length_anew(command, &arguments);
    if (arguments.help) {
        arguments.words[1] = arguments.word_count ? arguments.words[0] : NULL;
        arguments.words[0] = command->name;
        return explain(arguments.words[0], arguments.words[1]);
    }
    if (!arguments.quiet)
        silt_set_warning_handler(print_warning, NULL);
    silt_set_threads(arguments.threads);
    if (!only_tells(command))
        signal(SIGPIPE, SIG_IGN); // nobody reads what it says: what it makes is written all the same
    if (kept && arguments.word_count > command->maximum)
        return report_usage(command->name, "--resume FILE knows %s; leave '%.60s' out",
                            strcmp(command->name, "erode") == 0 ? "its model and its terrain" : "its recipe",
                            arguments.words[arguments.word_count - 1]);
    if (arguments.word_count < command->minimum || arguments.word_count > command->maximum)
        return report_usage(command->name, "it takes %s%s%s", command->words[0] ? command->words : "no words",
                            arguments.word_count ? ", not " : "",
                            arguments.word_count ? arguments.words[arguments.word_count - 1] : "");
    return run_command(command, &arguments);
}

int main(int count, char **words)
{
    setlocale(LC_CTYPE, "");
    answer_in_json(asks_for_json(count, words)); // whatever ends it from here on
    catch_interrupts();
    signal(SIGXFSZ, SIG_IGN); // a file over the limit is a sentence, not a crash
    if (count > 1 && strcmp(words[1], "--complete") == 0)
        return complete_words(count - 2, words + 2);
    return answer_end(run_words(count, words));
}
