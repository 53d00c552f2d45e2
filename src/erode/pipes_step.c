// How long a step of the pipe model may be, what is the same in all its cells, and what it adds to the books.
#include <math.h>
#include <string.h>

#include "erode/pipes.h"
#include "physics/decay.h"
#include "physics/elementary.h"
#include "physics/power.h"

#define DEGREE (3.14159265358979323846 / 180.0)

static bool is_as_paper(const Pipes *p)
{
    return p->params->time_scaling == SILT_PIPES_PAPER;
}

static bool has_two(const Pipes *p)
{
    return p->params->outflows == SILT_PIPES_TWO_OUTFLOWS;
}

// Eq. 4 alone bounds the water, as in the paper.
static bool is_free(const Pipes *p)
{
    return has_two(p) && is_as_paper(p);
}

double silt_pipes_area(const Pipes *p)
{
    double cell = p->terrain->cell;
    return isnan(p->params->pipe_area) ? cell * cell : p->params->pipe_area;
}

static SiltEvening evening_of(const Pipes *p)
{
    return silt_shallow_evening(p->terrain,
                                is_as_paper(p) && isnan(p->params->reach) ? 0.0 : p->params->reach);
}

// The longest stable sub-step: no wave and no water crosses more than `cfl` cells.
static double stable_step(const Pipes *p)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell, area = silt_pipes_area(p);
    double depth = fmax(area > 0.0 ? area / cell : p->deepest, 0.01);
    double swiftest = has_two(p) && area > 0.0 ? 0.0 : p->swiftest; // eq. 4 holds that water back by itself
    return params->cfl * cell / (swiftest + sqrt(params->gravity * depth));
}

// In the paper's way K_s and K_d apply once a step, so a step must not follow the water: it is as long as the
// user says, or as waves in pipes of this cross-section, or in water a metre deep, allow. Where more is
// stable or less, its sub-steps share them.
static double paper_step(const Pipes *p)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell, area = silt_pipes_area(p);
    double depth = fmax(area > 0.0 ? area / cell : 1.0, 0.01);
    return params->step > 0.0 ? params->step : params->cfl * cell / sqrt(params->gravity * depth);
}

// It and no longer than lets the supply be followed.
static double bounded_step(const Pipes *p, double stable)
{
    // what water can carry follows in steps, more of them the further it is evened out
    double share = fmin(fmax(1.2 * (double)evening_of(p).blend, 0.04), 0.2) * p->params->cfl;
    return silt_pulse_bound(&p->pulse, &p->supply, p->base.high, share, stable);
}

static SiltPipe make_pipe(const Pipes *p, double width, double length, double dt)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell, area = silt_pipes_area(p) / cell * width, grain = p->grain;
    double full = SILT_GRAINS_MOVE * cell * cell / (p->fastest * width * dt); // depth that brings as many
    SiltPipe pipe = {.push = (float)(dt * params->gravity * grain * grain * width / length),
                     .drag = (float)fmax(dt * params->friction / grain, 1e-3),
                     .thick = (float)(1.0 + 2.0 * dt * params->friction),
                     .swift = (float)(p->fastest * width * grain),
                     .full = (float)full};
    if (area > 0.0) // one cross-section whatever the depth
        pipe.push = (float)(dt * params->gravity * grain * area / length);
    if (has_two(p)) {
        pipe.drag = (float)(dt * params->friction / grain);
        pipe.swift = SILT_GRAINS_MOVE / p->to_grains;
    }
    return pipe;
}

// The share of what is lacking that comes in a step: 1 - exp(-K dt), so that it does not depend on how time
// is cut. In the paper's way K a step, of which a sub-step has its part.
static float per_step(double rate, double dt, double step)
{
    if (step == 0.0)
        return 1.0f - silt_decay((float)(rate * dt));
    return (float)(dt < step ? 1.0 - silt_power(fmax(1.0 - rate, 0.0), dt / step) : fmin(rate, 1.0));
}

// What the pipes and banks of a step need. Straight and diagonal pipes share the cell's side in the
// proportions of the nine-point Laplacian, which is the same in all directions.
static void prepare_pipes(Pipes *p, double dt, double pace)
{
    const PipesParams *params = p->params;
    const double cell = p->terrain->cell, steep = silt_tan(params->bank_angle * DEGREE) * cell;
    bool eight = p->directions == PIPE_DIRECTIONS;
    SiltPipe straight = make_pipe(p, eight ? cell * 2.0 / 3.0 : cell, cell, dt);
    SiltPipe diagonal = make_pipe(p, cell * sqrt(2.0) / 6.0, cell * sqrt(2.0), dt);
    enum { BANK_STEPS = 4 }; // banks move slowly: they need not be looked at in every step
    double slide = per_step(params->bank_rate * pace, BANK_STEPS * dt, 0.0);
    p->banks = params->bank_rate > 0.0 && p->step_index % BANK_STEPS == 0;
    for (int d = 0; d < PIPE_DIRECTIONS; d++) {
        p->pipe[d] = d < SOUTH_EAST ? straight : diagonal;
        p->bank[d] = (SiltPipesBank){
            .rest = (float)(steep * (d < SOUTH_EAST ? 1.0 : sqrt(2.0)) / p->grain),
            .rate = (float)(slide / (eight ? 16.0 : 8.0)), // all neighbours together take half at the most
            .wet = (int32_t)fmin(params->film / p->grain, 1e9)};
    }
    p->border = (SiltPipesBorder){.grain = (float)p->grain,
                                  .cell = (float)cell,
                                  .gravity = (float)params->gravity,
                                  .friction = (float)params->friction,
                                  .fastest = (float)p->fastest};
}

// What water does to rock in a step. Most amounts are in grains, and depths twice what they are.
static void prepare_rock(Pipes *p, double dt, double pace, bool as_paper)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell, grain = p->grain, step = as_paper ? paper_step(p) : 0.0;
    p->rates = (SiltRates){.dissolve = per_step(params->dissolve, dt, step),
                           .settle = per_step(params->settle, dt, step),
                           .loose = (float)params->loose,
                           .per_loose = (float)(1.0 / params->loose),
                           .dither = silt_dither((uint64_t)p->step_index, 0xBB67AE85u),
                           .most = SILT_GRAINS_CHANGE};
    // m of rock that may settle in a step, and share of the depth
    float buried = as_paper ? 1e9f : (float)SILT_PIPES_BURIED * p->rates.settle;
    float buried_deep = as_paper ? 0.0f : (float)SILT_PIPES_BURIED_DEEP * p->rates.settle;
    p->capacity = (float)(params->capacity * pace);
    p->densest = (float)(isnan(params->densest) ? 1e9 : params->densest * pace);
    p->least_tilt = (float)silt_sin(params->least_tilt * DEGREE);
    p->carrying = (SiltPipesCarrying){
        .slope_square = (float)(0.25 * grain * grain / (cell * cell)),
        .least_square = p->least_tilt * p->least_tilt,
        .per_film = (float)fmin(0.5 * grain / params->film, 1e9),
        .capacity = (float)((double)p->capacity / grain),
        .densest = 0.5f * p->densest,
        .one = 1.0f,
        .buried = (float)fmin((double)buried / grain, 5e8),
        .buried_deep = 0.5f * buried_deep,
        .evening = p->could > 0.0 ? evening_of(p) : silt_evening_none, // nothing to even out before
        .fan = (int32_t)fmin((as_paper ? 1e9 : SILT_STEEPEST_FAN) * cell / grain, 5e8),
        .dig = silt_digging(as_paper, params->gravity, grain, p->fastest, dt)};
}

static void prepare(Pipes *p, double dt)
{
    const PipesParams *params = p->params;
    double cell = p->terrain->cell, grain = p->grain;
    bool as_paper = is_as_paper(p);
    double pace = as_paper ? 1.0 : params->pace;
    uint64_t n = (uint64_t)p->step_index;
    p->dt = (float)dt;
    p->fastest = fmin(0.7 * cell / dt, params->fastest);
    p->to_grains = (float)(dt / (cell * cell * grain));
    p->shallow = is_free(p) ? 0.0f : SILT_PIPES_SHALLOW;
    p->growth = 1.0f;
    p->water_dither = silt_dither(n, 0x6A09E667u); // roots of 2, 3, 5, 7
    p->load_dither = silt_dither(n, 0x3C6EF373u);
    p->motion = (SiltPipesMotion){.per_width = (float)(1.0 / (cell * grain)),
                                  .shallow = (float)fmax(2.0 * (double)p->shallow / grain, 1.0),
                                  .fastest_square = is_free(p) ? 1e30f : (float)(p->fastest * p->fastest),
                                  .most_dried = 1e9f,
                                  .loss_dither = silt_dither(n, 0xA54FF53Bu)};
    prepare_pipes(p, dt, pace);
    prepare_rock(p, dt, pace, as_paper);
    enum { SAMPLE_STEPS = 4 }; // the maps of flow and wetness look at every fourth step, for all four
    p->unsampled += dt;
    p->sampled = (n + 1) % SAMPLE_STEPS == 0 && !p->supply.stopped ? (float)p->unsampled : 0.0f;
    p->unsampled = p->sampled > 0.0f ? 0.0 : p->unsampled;
    p->memory = (SiltPipesMemory){.grain = (float)grain,
                                  .shallow = p->shallow,
                                  .seconds = p->sampled,
                                  .metre_seconds = p->sampled * (float)cell};
}

// What the supply, which has made its step, says of this one.
static void take_supply(Pipes *p)
{
    bool by_altitude = p->params->evaporation_kind >= SILT_EVAPORATION_ALTITUDE;
    p->motion.loss = by_altitude ? 0.0f : p->supply.loss;
    p->rain_dither = silt_supply_dither(&p->supply, (float)(1.0 / p->grain),
                                        silt_dither((uint64_t)p->step_index, 0x9E3779B9u)); // golden section
}

// What the phases find.
static PipesStep step_of(const Pipes *p)
{
    const PipesParams *params = p->params;
    PipesStep step = {.host = p,
                      .directions = p->directions,
                      .banks = p->banks,
                      .samples = p->sampled > 0.0f,
                      .fixed = silt_pipes_area(p) > 0.0,
                      .two = has_two(p),
                      .by_altitude = params->evaporation_kind >= SILT_EVAPORATION_ALTITUDE,
                      .traced = params->transport == SILT_PIPES_SEMI_LAGRANGIAN,
                      .north = params->north == SILT_BORDER_OPEN,
                      .south = params->south == SILT_BORDER_OPEN,
                      .west = params->west == SILT_BORDER_OPEN,
                      .east = params->east == SILT_BORDER_OPEN,
                      .has_erodibility = p->erodibility != NULL,
                      .per_metre = (float)(1.0 / p->grain),
                      .to_grains = p->to_grains,
                      .growth = p->growth,
                      .sampled = p->sampled,
                      .rain_dither = p->rain_dither,
                      .water_dither = p->water_dither,
                      .load_dither = p->load_dither,
                      .fastest = is_free(p) ? 1e15f : (float)p->fastest,
                      .courant = p->dt / (float)p->terrain->cell,
                      .border = p->border,
                      .motion = p->motion,
                      .carrying = p->carrying,
                      .rates = p->rates,
                      .memory = p->memory,
                      .low = p->base.low,
                      .grain = p->grain,
                      .supply = silt_supply_step_of(&p->supply),
                      .strata = silt_strata_step(&p->strata)};
    memcpy(step.pipe, p->pipe, sizeof step.pipe);
    memcpy(step.bank, p->bank, sizeof step.bank);
    return step;
}

// What all bands have added to the books in the last pass; the depth and the speed are those of its last
// step.
static PipesTally fold_tallies(const Pipes *p, int steps)
{
    PipesTally all = {0};
    for (int b = 0; b < silt_grid_band_count(p->grid); b++) {
        for (int n = 0; n < steps; n++) {
            const PipesTally *tally = silt_grid_tally(p->grid, n, b);
            all.added += tally->added;
            all.evaporated += tally->evaporated;
            all.left += tally->left;
            all.sediment_added += tally->sediment_added;
            all.sediment_left += tally->sediment_left;
            all.swift += tally->swift;
            all.limited += tally->limited;
        }
        const PipesTally *last = silt_grid_tally(p->grid, steps - 1, b);
        all.deepest = silt_maxi(all.deepest, last->deepest);
        all.swiftest = silt_maxi(all.swiftest, last->swiftest);
    }
    return all;
}

static void take_stock(Pipes *p, int steps, SiltLedger *ledger, SiltCounters *counters)
{
    PipesTally all = fold_tallies(p, steps);
    enum { ADDED, REMOVED, ROCK_ADDED, ROCK_REMOVED, SWIFT, LIMITED, SUMS };
    double sums[SUMS] = {(double)all.added,          (double)(all.evaporated + all.left),
                         (double)all.sediment_added, (double)all.sediment_left,
                         (double)all.swift,          (double)all.limited};
    float square;
    memcpy(&square, &all.swiftest, sizeof square);
    double most[] = {(double)all.deepest, (double)square};
    silt_region_fold(silt_grid_region(p->grid), SILT_FOLD_SUM, sums, SUMS);
    silt_region_fold(silt_grid_region(p->grid), SILT_FOLD_MOST, most, 2);
    double grain_volume = p->grain * p->terrain->cell * p->terrain->cell;
    p->gained += sums[ADDED] - sums[REMOVED];
    p->span += steps * (double)p->dt;
    if (p->steady == 0.0 || (p->step_index + steps) % 2 == 0) {
        silt_pulse_take(&p->pulse, p->span, p->gained, 0.0);
        p->pulse.step = (double)p->dt;
        p->gained = p->span = 0.0;
    }
    ledger->water.added += sums[ADDED] * grain_volume;
    ledger->water.removed += sums[REMOVED] * grain_volume;
    ledger->rock.added += sums[ROCK_ADDED] * grain_volume;
    ledger->rock.removed += sums[ROCK_REMOVED] * grain_volume;
    p->deepest = most[0] * p->grain;
    p->swiftest = sqrt(most[1]);
    counters->limited[PIPES_LIMIT_VELOCITY] += (int64_t)sums[SWIFT];
    counters->limited[PIPES_LIMIT_OUTFLOW] += (int64_t)sums[LIMITED];
    counters->substeps += steps;
}

// One sub-step, or two of the same length in one pass over memory where that is asked for and nothing has to
// be looked at between them. The number of those done.
static int substep(Pipes *p, double dt, bool two, SiltLedger *ledger, SiltCounters *counters)
{
    prepare(p, dt);
    if (evening_of(p).blend < 1.0f && (p->step_index % 2 == 0 || p->steady == 0.0))
        silt_pipes_follow(p);
    p->supply.top = p->base.high;
    silt_supply_step(&p->supply, p->time, dt);
    take_supply(p);
    int steps = two && p->steady > 0.0 ? 2 : 1;
    Pipes next = *p;
    if (steps == 2) {
        next.time += dt;
        next.step_index++;
        prepare(&next, dt);
        take_supply(&next);
    }
    PipesStep first = step_of(p), second = step_of(&next);
    silt_grid_pass(p->grid, (const void *const[]){&first, &second}, steps); // eq. 1-15
    silt_supply_finish(&p->supply);
    take_stock(p, steps, ledger, counters);
    p->unsampled = next.unsampled;
    p->supply.carry = next.supply.carry;
    p->time = next.time + dt;
    p->step_index += steps;
    return steps;
}

// Sub-steps come in pairs of the same length, so that both of a pair can be done at once; it makes no
// difference whether they are.
static double paired_step(Pipes *p)
{
    if (p->step_index % 2 != 0 && p->steady > 0.0)
        return p->steady;
    double step = bounded_step(p, stable_step(p));
    p->steady = p->step_index % 2 == 0 ? step : 0.0;
    return step;
}

double silt_pipes_step(void *state, double time_left, SiltLedger *ledger, SiltCounters *counters)
{
    Pipes *p = state;
    bool as_paper = is_as_paper(p), whole = as_paper || p->params->step > 0.0;
    double wanted = as_paper ? paper_step(p) : whole ? p->params->step : paired_step(p);
    double length = wanted < time_left ? wanted : time_left, dt;
    if (!whole) {
        substep(p, length, false, ledger, counters);
        return length;
    }
    silt_substeps_begin(&p->substeps, length);
    while (silt_substeps_next(&p->substeps, as_paper ? stable_step(p) : bounded_step(p, stable_step(p)), &dt))
        substep(p, dt, false, ledger, counters);
    return silt_substeps_end(&p->substeps);
}

SiltStatus silt_pipes_tend(void *state, SiltLedger *ledger)
{
    (void)ledger;
    Pipes *p = state;
    if (p->params->step > 0.0)
        silt_substeps_warn(&p->substeps, "erode pipes", p->params->step, bounded_step(p, stable_step(p)),
                           p->deepest, p->swiftest);
    return SILT_OK;
}

double silt_pipes_leap(void *state, int64_t steps, double time_left, int64_t *taken, SiltLedger *ledger,
                       SiltCounters *counters)
{
    Pipes *p = state;
    bool even = steps >= 2 && p->step_index % 2 == 0 && !(p->params->step > 0.0) && !is_as_paper(p) &&
                silt_supply_is_steady(&p->supply) && silt_grid_steps(p->grid) >= 2;
    double dt = even ? paired_step(p) : 0.0;
    if (!even || !(2.0 * dt < time_left)) {
        *taken = 1;
        return silt_pipes_step(state, time_left, ledger, counters);
    }
    *taken = substep(p, dt, true, ledger, counters);
    return (double)*taken * dt;
}
