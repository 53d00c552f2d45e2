// The rock of one cell of the virtual pipe model: erosion, deposition and transport (Mei, Decaudin, Hu 2007,
// eq. 10-14), and banks that give way.
#ifndef SILT_PHYSICS_PIPES_ROCK_CELL_H
#define SILT_PHYSICS_PIPES_ROCK_CELL_H

#include "exchange.h"
#include "pipes_cell.h"

// ---- banks ----

typedef struct SiltPipesBank {
    float rest, rate; // grains of drop at the angle of rest, and the share of more that slides in a step
    float none;       // 0
    silt_i32 wet;     // grains of water at the foot of a bank that gives way
} SiltPipesBank;

// Grains that slide from the higher cell to the lower: a share of what stands above the angle of rest.
// Positive from a to b.
SILT_FN silt_i32 silt_pipes_slide(silt_i32 ground_a, silt_i32 ground_b, SiltPipesBank bank)
{
    float drop = (float)(ground_a - ground_b);
    return (silt_i32)((silt_maxf(drop - bank.rest, bank.none) + silt_minf(drop + bank.rest, bank.none)) *
                      bank.rate);
}

// Rock that slides into the water where a bank is steeper than it can stand. The foot must be wet.
SILT_FN silt_i32 silt_pipes_slides(SiltPipesEnd a, SiltPipesEnd b, SiltPipesBank bank)
{
    silt_i32 foot = a.ground > b.ground ? b.water : a.water;
    silt_i32 grains = silt_pipes_slide(a.ground, b.ground, bank);
    grains = foot > bank.wet ? grains : 0;
    return silt_maxi(a.ground, b.ground) < SILT_GRAINS_WALL ? grains : 0;
}

// All that leaves a cell.
SILT_FN silt_i32 silt_pipes_out(SiltPipesGrains g, int eight)
{
    silt_i32 out =
        (silt_maxi(g.east, 0) - silt_mini(g.west, 0)) + (silt_maxi(g.south, 0) - silt_mini(g.north, 0));
    if (eight)
        out += (silt_maxi(g.south_east, 0) - silt_mini(g.north_west, 0)) +
               (silt_maxi(g.south_west, 0) - silt_mini(g.north_east, 0));
    return out;
}

typedef struct SiltPipesRock {
    silt_i32 ground, deposit, wear;
} SiltPipesRock;

// Banks give way: loose deposit goes first, and what has slid lies loose.
SILT_FN SiltPipesRock silt_pipes_give_way(SiltPipesRock rock, SiltPipesGrains slid, int eight)
{
    silt_i32 net = silt_pipes_net(slid, eight), out = silt_pipes_out(slid, eight);
    SiltPipesRock after;
    after.ground = rock.ground - net;
    after.deposit = silt_maxi(rock.deposit - out, 0) + (out - net);
    after.wear = silt_grains_worn(rock.wear, out);
    return after;
}

// ---- what water can carry (eq. 10) ----

// sin(tilt) |v| of eq. 10, from the squares of the slope, of the least sin(tilt), and of the speed.
SILT_FN float silt_pipes_vigour(float slope_square, float least_square, float speed_square)
{
    float tilt_square = silt_maxf(silt_over(slope_square, 1.0f + slope_square), least_square);
    return silt_sqrtf(tilt_square * speed_square);
}

// Sediment the water can carry, as rock over the cell (eq. 10). A film shallower than 1 / per_film carries
// less in proportion, and no water carries more than `densest` of its own volume.
SILT_FN float silt_pipes_capacity(float factor, float vigour, float depth, float per_film, float densest,
                                  float one)
{
    float ramp = silt_minf(depth * per_film, one);
    return silt_minf(factor * vigour * ramp, densest * depth);
}

// The ground around a cell. A wall is like the cell beside it: as high, and with water that could carry as
// much.
typedef struct SiltPipesGround {
    silt_i32 here, east, west, south, north;
} SiltPipesGround;

SILT_FN silt_i32 silt_pipes_ground_beside(silt_i32 ground, silt_i32 here)
{
    return ground == SILT_GRAINS_WALL ? here : ground;
}

SILT_FN SiltAround silt_pipes_around_walled(SiltAround around, SiltPipesGround ground)
{
    around.east = silt_exchange_beside(ground.east, around.east, around.here);
    around.west = silt_exchange_beside(ground.west, around.west, around.here);
    around.south = silt_exchange_beside(ground.south, around.south, around.here);
    around.north = silt_exchange_beside(ground.north, around.north, around.here);
    return around;
}

SILT_FN SiltPipesGround silt_pipes_ground_walled(SiltPipesGround ground)
{
    ground.east = silt_pipes_ground_beside(ground.east, ground.here);
    ground.west = silt_pipes_ground_beside(ground.west, ground.here);
    ground.south = silt_pipes_ground_beside(ground.south, ground.here);
    ground.north = silt_pipes_ground_beside(ground.north, ground.here);
    return ground;
}

// The thickest surplus that falls out at its own rate, in metres and as a share of the depth of the water.
// Where the ground changes at a pace, water carries many times its depth of rock. A bed that rose by that in
// a few seconds would lift its water faster than it can run off: it would slosh, tear up what has just
// settled, and drop it again, all the more often the shorter the steps.
#define SILT_PIPES_BURIED      0.1
#define SILT_PIPES_BURIED_DEEP 0.5

// Grains that may settle in a step, from twice the depth of the water and the shares of a step.
SILT_FN silt_i32 silt_pipes_to_bury(float depth, float least, float deep)
{
    return (silt_i32)(least + deep * depth);
}

// What all cells of a step share; depths are in grains and twice what they are.
typedef struct SiltPipesCarrying {
    float slope_square, least_square; // of a grain over two cells; of the least sin(tilt)
    float per_film, capacity, densest, one;
    float buried, buried_deep;
    SiltEvening evening;
    silt_i32 fan; // grains from a cell to the next at the steepest that sediment settles
    SiltDigging dig;
} SiltPipesCarrying;

typedef struct SiltPipesWeighed {
    silt_i32 room, heap; // grains that may be dug and heaped
    SiltEvened carries;
} SiltPipesWeighed;

// What water can carry (eq. 10), here and evened out, and how much may be dug and heaped. `ground` is that
// before the step, `bed` with what has slid since. No water digs for more than `densest` of its own volume.
// `walled`: there are walls around.
SILT_FN SiltPipesWeighed silt_pipes_weigh(SiltPipesGround ground, silt_i32 bed, SiltAround around,
                                          float depth, float speed_square, SiltPipesCarrying c, int walled)
{
    SiltAround p = walled ? silt_pipes_around_walled(around, ground) : around;
    SiltPipesGround g = walled ? silt_pipes_ground_walled(ground) : ground;
    float rise_x = (float)(g.east - g.west), rise_y = (float)(g.south - g.north); // over two cells
    float slope = (rise_x * rise_x + rise_y * rise_y) * c.slope_square;
    float vigour = silt_pipes_vigour(slope, c.least_square, speed_square);
    float could = silt_pipes_capacity(c.capacity, vigour, depth, c.per_film, c.densest, c.one);
    silt_i32 heap = silt_grains_to_heap(bed, g.east, g.west, g.south, g.north, c.fan);
    SiltPipesWeighed weighed;
    weighed.room = silt_grains_to_dig(bed, g.east, g.west, g.south, g.north, speed_square, c.dig);
    weighed.heap = silt_mini(heap, silt_pipes_to_bury(depth, c.buried, c.buried_deep));
    weighed.carries = silt_exchange_evened(p, could, c.densest * depth, c.evening);
    return weighed;
}

// ---- erosion and deposition (eq. 11-12) ----

typedef struct SiltPipesExchanged {
    SiltPipesRock rock;
    silt_i32 muddy; // what the water carries now
    float load;     // that for each grain of water that leaves
} SiltPipesExchanged;

// `water` is that of the beginning of the step, which the pipes share out; `stay` as in silt_pipes_spare.
SILT_FN SiltPipesExchanged silt_pipes_exchange(SiltPipesRock rock, silt_i32 sediment, silt_i32 water,
                                               SiltPipesWeighed weighed, float erodibility, int plain,
                                               SiltRates rates, float stay, float most_load, float one)
{
    SiltExchange change =
        silt_exchange_rock(weighed.carries.digs_for, weighed.carries.holds, sediment, rock.deposit,
                           weighed.room, weighed.heap, erodibility, plain, rates);
    SiltPipesExchanged after;
    after.muddy = sediment - change.ground;
    float spare = silt_pipes_spare((float)after.muddy, stay, rates.none);
    after.load = silt_over(silt_minf(spare, most_load), silt_maxf((float)water, one));
    after.rock.ground = rock.ground + change.ground;
    after.rock.deposit = rock.deposit + change.deposit;
    after.rock.wear = silt_grains_worn(rock.wear, change.wear);
    return after;
}

// Grains of sediment that a source brings; walls take none.
SILT_FN silt_i32 silt_pipes_silted(silt_i32 ground, float supply, float dither)
{
    silt_i32 more = silt_grains(supply, dither);
    return ground == SILT_GRAINS_WALL ? 0 : more;
}

// ---- transport (eq. 13) ----

// As much of the sediment as of the water, `grains` of which go through a pipe.
SILT_FN silt_i32 silt_pipes_carried(silt_i32 grains, float load_forth, float load_back, float dither)
{
    float water = (float)grains;
    return silt_pipes_grains(water * (water > 0.0f ? load_forth : load_back), dither);
}

// Sediment for each grain of water that leaves, in a cell and around it.
typedef struct SiltPipesLoads {
    float here, east, west, south, north, south_east, north_west, south_west, north_east;
} SiltPipesLoads;

// What leaves a cell less what comes in, when `grains` of water go through its pipes. Every pipe is asked
// from both its ends: that takes less time than to store what it said.
SILT_FN silt_i32 silt_pipes_carry(SiltPipesGrains grains, SiltPipesLoads load, float dither, int eight)
{
    SiltPipesGrains carried;
    carried.east = silt_pipes_carried(grains.east, load.here, load.east, dither);
    carried.west = silt_pipes_carried(grains.west, load.west, load.here, dither);
    carried.south = silt_pipes_carried(grains.south, load.here, load.south, dither);
    carried.north = silt_pipes_carried(grains.north, load.north, load.here, dither);
    if (eight) {
        carried.south_east = silt_pipes_carried(grains.south_east, load.here, load.south_east, dither);
        carried.north_west = silt_pipes_carried(grains.north_west, load.north_west, load.here, dither);
        carried.south_west = silt_pipes_carried(grains.south_west, load.here, load.south_west, dither);
        carried.north_east = silt_pipes_carried(grains.north_east, load.north_east, load.here, dither);
    }
    return silt_pipes_net(carried, eight);
}

typedef struct SiltPipesDrift {
    silt_i32 net, south; // what leaves less what comes in; what goes south
} SiltPipesDrift;

// The same through four pipes, where it is known what comes from the north.
SILT_FN SiltPipesDrift silt_pipes_drift(SiltPipesGrains grains, SiltPipesLoads load, silt_i32 north,
                                        float dither)
{
    silt_i32 east = silt_pipes_carried(grains.east, load.here, load.east, dither);
    silt_i32 west = silt_pipes_carried(grains.west, load.west, load.here, dither);
    SiltPipesDrift drift;
    drift.south = silt_pipes_carried(grains.south, load.here, load.south, dither);
    drift.net = (east - west) + (drift.south - north);
    return drift;
}

// ---- transport as in the paper (eq. 14) ----

typedef struct SiltPipesVelocity {
    float x, y; // m/s
} SiltPipesVelocity;

// `depth` is twice the grains of water, as in silt_pipes_move.
SILT_FN SiltPipesVelocity silt_pipes_velocity(SiltPipesPassing passing, float depth, float per_width,
                                              float shallow, float fastest)
{
    float per_depth = per_width / silt_maxf(depth, shallow);
    SiltPipesVelocity velocity;
    velocity.x = silt_clampf(passing.x * per_depth, -fastest, fastest);
    velocity.y = silt_clampf(passing.y * per_depth, -fastest, fastest);
    return velocity;
}

// How many cells upstream the water of a cell was a step ago. The CFL condition keeps that within one.
SILT_FN float silt_pipes_upstream(float speed, float courant)
{
    return silt_clampf(-speed * courant, -1.0f, 1.0f);
}

// The sediment that was there: of the cell and its three neighbours on that side, by how far it is.
SILT_FN silt_i32 silt_pipes_trace(SiltPipesVelocity upstream, silt_i32 here, silt_i32 beside_x,
                                  silt_i32 beside_y, silt_i32 beyond, float dither)
{
    float x = silt_absf(upstream.x), y = silt_absf(upstream.y);
    float corners = (1.0f - x) * (1.0f - y) * (float)here + x * y * (float)beyond;
    float sides = x * (1.0f - y) * (float)beside_x + y * (1.0f - x) * (float)beside_y;
    return silt_grains(corners + sides, dither);
}

#endif
