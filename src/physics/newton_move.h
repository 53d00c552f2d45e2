// One cell of the Newtonian water model when its water has been sent on (newton_cell.h): what arrives, what
// that dissolves and drops, how it levels out and dries up (Neidhold eq. 5-7, 19-23, section 3, eq. 25).
#ifndef SILT_PHYSICS_NEWTON_MOVE_H
#define SILT_PHYSICS_NEWTON_MOVE_H

#include "exchange.h"
#include "newton_cell.h"

// What all cells of a step share in the last phases.
typedef struct SiltNewtonRock {
    float capacity, most_load; // of eq. 19
    silt_i32 rest;             // grains that a heap may rise above its neighbours
    SiltDigging dig;
    SiltRates rates;
    SiltEvening evening; // of what water can carry
    SiltEvening banks;   // of what is dug,
    float slip, per_dt;  // grains that slip between two cells, by grains a second; one over the step
    float share;         // of a difference that evens out with each of four neighbours
    float loss_dither;
    silt_i32 dry;    // grains: a film no deeper dries up besides
    float film_loss; // grains in this step
    float grain, cell, dt;
} SiltNewtonRock;

// ---- water arrives ----

// eq. 5: amounts add up. `in` is what each neighbour sends here.
SILT_FN silt_i32 silt_newton_arrive(silt_i32 fluid, SiltEight out, SiltEight in)
{
    return fluid - silt_eight_total(out) + silt_eight_total(in);
}

// eq. 6-7: one component of the velocity mixes by mass. `after` is the water that is here in the end.
SILT_FN float silt_newton_mix(silt_i32 fluid, SiltEight out, SiltEight in, float own, SiltEightReal around,
                              silt_i32 after)
{
    float stays = (float)(fluid - silt_eight_total(out)) * own;
    SiltEightReal brought;
    brought.e = (float)in.e * around.e;
    brought.w = (float)in.w * around.w;
    brought.s = (float)in.s * around.s;
    brought.n = (float)in.n * around.n;
    brought.se = (float)in.se * around.se;
    brought.nw = (float)in.nw * around.nw;
    brought.sw = (float)in.sw * around.sw;
    brought.ne = (float)in.ne * around.ne;
    return silt_over(stays + silt_eight_sum(brought), (float)silt_maxi(after, 1));
}

// Sediment that goes with that many grains of fluid. Nobody holds more than SILT_GRAINS_LOAD when he gives,
// so eight gifts and the load that is there can be counted.
SILT_FN silt_i32 silt_newton_carried(silt_i32 fluid, float load, float dither)
{
    return (silt_i32)(silt_minf((float)fluid * load, (float)SILT_GRAINS_LOAD) + dither);
}

// What leaves a cell with the water it is dissolved in.
SILT_FN silt_i32 silt_newton_carried_out(SiltEight out, float load, float dither)
{
    return silt_newton_carried(out.e, load, dither) + silt_newton_carried(out.w, load, dither) +
           silt_newton_carried(out.s, load, dither) + silt_newton_carried(out.n, load, dither) +
           silt_newton_carried(out.se, load, dither) + silt_newton_carried(out.nw, load, dither) +
           silt_newton_carried(out.sw, load, dither) + silt_newton_carried(out.ne, load, dither);
}

// What comes with the water of the neighbours, by their loads and dithers.
SILT_FN silt_i32 silt_newton_carried_in(SiltEight in, SiltEightReal load, SiltEightReal dither)
{
    return silt_newton_carried(in.e, load.e, dither.e) + silt_newton_carried(in.w, load.w, dither.w) +
           silt_newton_carried(in.s, load.s, dither.s) + silt_newton_carried(in.n, load.n, dither.n) +
           silt_newton_carried(in.se, load.se, dither.se) + silt_newton_carried(in.nw, load.nw, dither.nw) +
           silt_newton_carried(in.sw, load.sw, dither.sw) + silt_newton_carried(in.ne, load.ne, dither.ne);
}

// ---- rock dissolves and settles ----

// No more than a quarter of what can be counted, so that waters may meet.
#define SILT_NEWTON_HOLDS (0.25f * (float)SILT_GRAINS_LOAD)

// Sediment a fluid of that speed can hold (eq. 19), in grains.
SILT_FN float silt_newton_capacity(float fluid, float speed, float factor, float most)
{
    return silt_minf(silt_minf(factor * speed, most) * fluid, SILT_NEWTON_HOLDS);
}

// What water can carry, evened out, when all that it could carry has grown by that factor since.
SILT_FN float silt_newton_follow(float even, float growth)
{
    return silt_minf(even * growth, SILT_NEWTON_HOLDS);
}

// A cell and its loose material, the water over it and what that carries.
typedef struct SiltNewtonGround {
    silt_i32 ground, deposit, dissolved, wear;
    silt_i32 surface; // ground and fluid
    float load;       // dissolved per fluid, for what levels out
} SiltNewtonGround;

SILT_FN SiltNewtonGround silt_newton_measure(SiltNewtonGround cell, silt_i32 fluid)
{
    cell.surface = cell.ground + fluid;
    cell.load = silt_over((float)cell.dissolved, (float)silt_maxi(fluid, 1));
    return cell;
}

// The ground before the step, in a cell and around it.
typedef struct SiltNewtonBed {
    silt_i32 here, east, west, south, north;
} SiltNewtonBed;

// eq. 20-23, once for all the water that has come or stayed, by what it carries.
SILT_FN SiltNewtonGround silt_newton_wear(SiltNewtonGround cell, silt_i32 fluid, float speed,
                                          SiltEvened carries, SiltNewtonBed bed, float erodibility,
                                          SiltNewtonRock step)
{
    silt_i32 room =
        silt_grains_to_dig(bed.here, bed.east, bed.west, bed.south, bed.north, speed * speed, step.dig);
    room = step.dig.free ? SILT_GRAINS_ALL : room;
    silt_i32 heap = silt_grains_to_heap(cell.ground, bed.east, bed.west, bed.south, bed.north, step.rest);
    SiltExchange change = silt_exchange_rock(carries.digs_for, carries.holds, cell.dissolved, cell.deposit,
                                             room, heap, erodibility, 0, step.rates);
    cell.ground += change.ground;
    cell.deposit += change.deposit;
    cell.dissolved -= change.ground;
    cell.wear = silt_mini(cell.wear, 0x7FFFFFFF - change.wear) + change.wear;
    return silt_newton_measure(cell, fluid);
}

// eq. 19-23.
SILT_FN SiltNewtonGround silt_newton_dissolve(SiltNewtonGround cell, silt_i32 fluid, SiltNewtonVelocity v,
                                              SiltNewtonBed bed, float erodibility, SiltNewtonRock step)
{
    float speed = silt_sqrtf(silt_newton_square(v));
    SiltEvened carries;
    carries.even = silt_newton_capacity((float)fluid, speed, step.capacity, step.most_load);
    carries.digs_for = carries.even;
    carries.holds = carries.even;
    return silt_newton_wear(cell, fluid, speed, carries, bed, erodibility, step);
}

typedef struct SiltNewtonEvened {
    SiltNewtonGround cell;
    float could, even; // grains: what water could carry here, and what it can, evened out
} SiltNewtonEvened;

// The same where what water can carry is evened out (SiltEvening). `around` is that before the step; walls
// have none.
SILT_FN SiltNewtonEvened silt_newton_dissolve_evenly(SiltNewtonGround cell, silt_i32 fluid,
                                                     SiltNewtonVelocity v, SiltNewtonBed bed,
                                                     SiltAround around, float erodibility,
                                                     SiltNewtonRock step)
{
    float speed = silt_sqrtf(silt_newton_square(v));
    float most = silt_minf(step.most_load * (float)fluid, SILT_NEWTON_HOLDS);
    SiltNewtonEvened evened;
    around.east = silt_exchange_beside(bed.east, around.east, around.here);
    around.west = silt_exchange_beside(bed.west, around.west, around.here);
    around.south = silt_exchange_beside(bed.south, around.south, around.here);
    around.north = silt_exchange_beside(bed.north, around.north, around.here);
    evened.could = silt_newton_capacity((float)fluid, speed, step.capacity, step.most_load);
    SiltEvened carries = silt_exchange_evened(around, evened.could, most, step.evening);
    evened.even = bed.here == SILT_GRAINS_WALL ? 0.0f : carries.even;
    evened.cell = silt_newton_wear(cell, fluid, speed, carries, bed, erodibility, step);
    return evened;
}

// ---- banks ----

// A bank that does not give way, whatever is dug beside it.
#define SILT_NEWTON_FIRM 3.0e38f

// Grains a second by which the ground is dug, evened out, here and around.
typedef struct SiltNewtonBank {
    SiltNewtonGround cell;
    float dug;
} SiltNewtonBank;

// Whether ground slips between two cells: both have data and room for what a step can bring.
SILT_FN int silt_newton_gives_way(silt_i32 here, silt_i32 beside, float dug_here, float dug_beside)
{
    silt_i32 spare = 200000000, low = silt_mini(here, beside), high = silt_maxi(here, beside);
    return low > SILT_GRAINS_FLOOR + spare && high < SILT_GRAINS_WALL - spare &&
           silt_maxf(dug_here, dug_beside) < SILT_NEWTON_FIRM;
}

// Grains that slip into the first of two cells, which lies west or north of the other, because it is dug so
// much faster: whole ones, and both cells count the same.
SILT_FN silt_i32 silt_newton_slips(silt_i32 here, silt_i32 beside, float dug_here, float dug_beside,
                                   SiltNewtonRock step)
{
    int gives = silt_newton_gives_way(here, beside, dug_here, dug_beside);
    float slips = gives ? (dug_here - dug_beside) * step.slip : 0.0f;
    return (silt_i32)silt_floorf(silt_clampf(slips, -1.0e6f, 1.0e6f) + step.rates.dither);
}

SILT_FN float silt_newton_beside(silt_i32 here, silt_i32 beside, float dug_here, float dug_beside)
{
    return silt_newton_gives_way(here, beside, dug_here, dug_beside) ? dug_beside : dug_here;
}

// Banks come down with what is dug beside them: the ground sinks by D with D - banks^2 lap(D) = E, where E is
// what water has dug, and what E and D differ by slips from cell to cell. Whatever makes water dig in narrow
// places, full water too, gullies are then as wide as that length. `dug` is D before the step, which follows
// E (silt_exchange_even). What was dug in this step and is filled again is neither wear nor deposit.
SILT_FN SiltNewtonBank silt_newton_slip(SiltNewtonGround cell, silt_i32 fluid, SiltNewtonBed bed,
                                        SiltAround dug, SiltNewtonRock step)
{
    silt_i32 slips = silt_newton_slips(bed.here, bed.east, dug.here, dug.east, step) -
                     silt_newton_slips(bed.west, bed.here, dug.west, dug.here, step) +
                     silt_newton_slips(bed.here, bed.south, dug.here, dug.south, step) -
                     silt_newton_slips(bed.north, bed.here, dug.north, dug.here, step);
    float around = (silt_newton_beside(bed.here, bed.east, dug.here, dug.east) +
                    silt_newton_beside(bed.here, bed.west, dug.here, dug.west)) +
                   (silt_newton_beside(bed.here, bed.south, dug.here, dug.south) +
                    silt_newton_beside(bed.here, bed.north, dug.here, dug.north));
    silt_i32 worn = bed.here - cell.ground, again = silt_mini(silt_maxi(worn, 0), slips);
    int firm = bed.here == SILT_GRAINS_WALL || !(dug.here < SILT_NEWTON_FIRM);
    SiltNewtonBank bank;
    bank.dug = firm ? 0.0f : silt_exchange_even(dug.here, (float)worn * step.per_dt, around, step.banks);
    cell.ground += slips;
    cell.deposit = silt_maxi(cell.deposit + (slips - silt_maxi(again, 0)), 0);
    cell.wear -= silt_maxi(again, cell.wear - 0x7FFFFFFF);
    bank.cell = silt_newton_measure(cell, fluid);
    return bank;
}

// What of a load cannot be counted.
SILT_FN silt_i32 silt_newton_surplus(silt_i32 dissolved)
{
    return silt_maxi(dissolved - SILT_GRAINS_LOAD, 0);
}

// Such a surplus falls to the ground at once, however steep that gets, as far as there is room; the rest has
// left the map. What neighbours may bring in a step fits into 32 bits only beside a load within its bound.
SILT_FN SiltNewtonGround silt_newton_relieve(SiltNewtonGround cell, silt_i32 fluid)
{
    silt_i32 surplus = silt_newton_surplus(cell.dissolved);
    silt_i32 laid = silt_mini(surplus, silt_maxi(SILT_GRAINS_WALL - 2 - cell.ground, 0));
    cell.ground += laid;
    cell.deposit += laid;
    cell.dissolved -= surplus;
    return silt_newton_measure(cell, fluid);
}

// ---- water levels out and dries up ----

// Grains that level out between two cells that one pool covers: a share of the difference of their surfaces,
// and never more than an eighth of the depth they have in common. Films that run down a slope have none.
// Positive towards the second.
SILT_FN silt_i32 silt_newton_levelled(silt_i32 surface_a, silt_i32 surface_b, silt_i32 fluid_a,
                                      silt_i32 fluid_b, float share)
{
    float drop = (float)(surface_a - surface_b), size = drop < 0.0f ? -drop : drop;
    silt_i32 sill = silt_maxi(surface_a - fluid_a, surface_b - fluid_b);
    silt_i32 common = silt_maxi(silt_mini(surface_a, surface_b) - sill, 0);
    silt_i32 grains = silt_mini((silt_i32)(size * share), common >> 3);
    return drop < 0.0f ? -grains : grains;
}

// Sediment goes along with the water it is dissolved in, at the load of the cell that gives.
SILT_FN silt_i32 silt_newton_taken_along(silt_i32 grains, float own, float other)
{
    return (silt_i32)((float)grains * (grains < 0 ? other : own));
}

// A cell as its direct neighbours see it.
typedef struct SiltNewtonPool {
    silt_i32 surface, fluid;
    float load;
} SiltNewtonPool;

typedef struct SiltNewtonSmoothed {
    silt_i32 fluid; // that is left
    silt_i32 gone;  // that has dried up
    silt_i32 taken; // sediment that went to the neighbours
} SiltNewtonSmoothed;

// Section 3, and eq. 25 with `loss` as the share that evaporates.
SILT_FN SiltNewtonSmoothed silt_newton_smooth(SiltNewtonPool own, SiltNewtonPool e, SiltNewtonPool w,
                                              SiltNewtonPool s, SiltNewtonPool n, float loss,
                                              SiltNewtonRock step)
{
    silt_i32 east = silt_newton_levelled(own.surface, e.surface, own.fluid, e.fluid, step.share);
    silt_i32 west = silt_newton_levelled(own.surface, w.surface, own.fluid, w.fluid, step.share);
    silt_i32 south = silt_newton_levelled(own.surface, s.surface, own.fluid, s.fluid, step.share);
    silt_i32 north = silt_newton_levelled(own.surface, n.surface, own.fluid, n.fluid, step.share);
    silt_i32 fluid = own.fluid - (east + west) - (south + north);
    silt_i32 gone = silt_mini(silt_grains((float)fluid * loss, step.loss_dither), fluid);
    silt_i32 film = silt_mini(silt_grains(step.film_loss, step.loss_dither), fluid - gone);
    SiltNewtonSmoothed smoothed;
    smoothed.taken =
        (silt_newton_taken_along(east, own.load, e.load) + silt_newton_taken_along(west, own.load, w.load)) +
        (silt_newton_taken_along(south, own.load, s.load) + silt_newton_taken_along(north, own.load, n.load));
    gone += fluid - gone < step.dry ? film : 0;
    smoothed.gone = silt_maxi(gone, silt_grains_over(own.surface - own.fluid, fluid));
    smoothed.fluid = fluid - smoothed.gone;
    return smoothed;
}

// Which of the four neighbours have a say in the velocity: those with more than a trace of water. Dry ground
// is not water that stands.
typedef struct SiltNewtonWet {
    float e, w, n, s; // share that evens out with each
    float all;        // of them
} SiltNewtonWet;

SILT_FN SiltNewtonWet silt_newton_wet(silt_i32 e, silt_i32 w, silt_i32 n, silt_i32 s, float share)
{
    SiltNewtonWet wet;
    wet.e = e > SILT_NEWTON_TRACE ? share : 0.0f;
    wet.w = w > SILT_NEWTON_TRACE ? share : 0.0f;
    wet.n = n > SILT_NEWTON_TRACE ? share : 0.0f;
    wet.s = s > SILT_NEWTON_TRACE ? share : 0.0f;
    wet.all = (wet.e + wet.w) + (wet.n + wet.s);
    return wet;
}

// One component of the velocity evens out with them; a trace of water has none.
SILT_FN float silt_newton_even(float own, float e, float w, float n, float s, silt_i32 fluid,
                               SiltNewtonWet wet)
{
    float around = (wet.e * e + wet.w * w) + (wet.n * n + wet.s * s);
    float smooth = own + (around - wet.all * own);
    return fluid > SILT_NEWTON_TRACE ? smooth : 0.0f;
}

// ---- what the maps remember ----

typedef struct SiltNewtonPassed {
    float flow;    // m3
    float wetness; // s
    float square;  // of the speed
} SiltNewtonPassed;

SILT_FN SiltNewtonPassed silt_newton_remember(SiltNewtonVelocity v, silt_i32 fluid, SiltNewtonRock step)
{
    SiltNewtonPassed passed;
    float across = v.x * v.x + v.y * v.y, depth = (float)fluid * step.grain;
    passed.square = across + v.z * v.z;
    passed.flow = silt_sqrtf(across) * depth * step.cell * step.dt;
    passed.wetness = depth > 0.001f ? step.dt : 0.0f;
    return passed;
}

#endif
