// A game's loop around a live run: rain that comes and goes, a spade and a bucket, whole frames, water to
// draw, a saved game and the way back to it.
//     cc game_loop.c $(pkg-config --cflags --libs silt) -o game_loop && ./game_loop
#include <stdio.h>
#include <string.h>

#include <silt/erode.h>
#include <silt/generate.h>

enum { FRAMES = 24, SAVED_AT = 12 };

static int complain(void)
{
    fprintf(stderr, "game: %s\n", silt_message());
    return 1;
}

// What a game would send to the graphics card: here, how much water there is. The rows belong to the run and
// are valid until it is used again.
static double draw(const SiltLayerView *water)
{
    double sum = 0.0;
    for (int j = 0; j < water->height; j++)
        for (int i = 0; i < water->width; i++)
            sum += (double)water->data[(size_t)j * water->stride + (size_t)i];
    return sum;
}

// One frame: what the player did, a sixtieth of a second times the game's pace, and the picture.
static SiltStatus play(SiltErosion *run, int frame, double *drawn)
{
    SiltStatus status =
        silt_erosion_set(run, "rain", frame % 8 < 4 ? 40.0 : 0.0); // mm/h, from the next step on
    if (status == SILT_OK && frame % 6 == 2) {
        float dug[16], poured[16];
        for (int k = 0; k < 16; k++) {
            dug[k] = -0.5f;   // m of ground
            poured[k] = 0.2f; // m of water
        }
        SiltRect brush = {.i = 20 + frame, .j = 40, .width = 4, .height = 4};
        status = silt_erosion_edit(run, "height", &brush, dug, 4, SILT_ADD);
        if (status == SILT_OK)
            status = silt_erosion_edit(run, "water", &brush, poured, 4, SILT_ADD);
    }
    // whole: the last step is not cut short, so that frames do not change what comes out
    if (status == SILT_OK)
        status = silt_erosion_advance(run, (SiltDuration){.time = 30.0 / 60.0, .whole = true});
    SiltLayerView water;
    if (status == SILT_OK)
        status = silt_erosion_view(run, "water", NULL, &water);
    if (status == SILT_OK)
        *drawn = draw(&water);
    return status;
}

static SiltStatus play_frames(SiltErosion *run, int from, int to, double *drawn)
{
    SiltStatus status = SILT_OK;
    for (int frame = from; frame < to && status == SILT_OK; frame++)
        status = play(run, frame, drawn);
    return status;
}

int main(void)
{
    const SiltModel *pipes = silt_model_find("pipes");
    SiltRun options = {.seed = 7,
                       .threads = 2}; // so many of the library's; or .tasks, a task system of the game's own
    SiltTerrain *land = NULL;
    SiltErosion *run = NULL;
    if (!pipes || silt_generate(silt_generator_find("noise"), 96, 96, 5.0, NULL, &options, &land) != SILT_OK)
        return complain();

    // parameters as values: defaults, then what the game wants otherwise
    const SiltParamTable *table = silt_model_params(pipes);
    void *params = silt_params_new(table);
    SiltValue rain = silt_value_number(12.0);
    SiltStatus status = params ? SILT_OK : SILT_NO_MEMORY;
    if (status == SILT_OK)
        status = silt_params_put(table, params, "game", silt_params_find(table, "rain"), &rain);
    if (status == SILT_OK)
        status = silt_erosion_begin(pipes, land, params, &options, &run);

    // the first half, a saved game, and the rest
    double first = 0.0, again = 0.0;
    void *saved = NULL;
    size_t bytes = 0;
    if (status == SILT_OK)
        status = play_frames(run, 0, SAVED_AT, &first);
    if (status == SILT_OK)
        status = silt_erosion_save(run, &saved, &bytes);
    if (status == SILT_OK)
        status = play_frames(run, SAVED_AT, FRAMES, &first);

    // back to the saved game: the same frames end with the same water, to the last bit
    if (status == SILT_OK)
        status = silt_erosion_restore(run, saved, bytes);
    if (status == SILT_OK)
        status = play_frames(run, SAVED_AT, FRAMES, &again);
    if (status == SILT_OK && memcmp(&first, &again, sizeof first) != 0)
        status =
            silt_fail(SILT_BAD_ARGUMENT, "the saved game went another way: %.17g and %.17g", first, again);

    // a value out of range is refused in a sentence, and the run goes on
    if (status == SILT_OK && silt_erosion_set(run, "rain", -3.0) == SILT_OK)
        status = silt_fail(SILT_BAD_ARGUMENT, "rain of -3 mm/h was taken");

    if (status == SILT_OK)
        status = silt_erosion_finish(run); // the terrain's layers are as silt_erode would leave them
    if (status == SILT_OK) {
        const SiltReport *report = silt_erosion_report(run);
        printf("%lld steps, %g m3 of ground dug by hand, books off by %.1e\n", (long long)report->steps,
               -report->ledger.rock.by_hand, silt_account_imbalance_fraction(&report->ledger.rock));
    }
    if (run)
        silt_erosion_end(run);
    silt_free(saved);
    silt_params_delete(table, params);
    silt_terrain_destroy(land);
    return status == SILT_OK ? 0 : complain();
}
