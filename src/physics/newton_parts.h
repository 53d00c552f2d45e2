// Water of the Newtonian model that moves as Neidhold, Wacker and Deussen 2005 have it: a material vector
// goes to x + v dt and is shared out bilinearly among four cells (eq. 4); slow water is first split among all
// lower neighbours, each part with a velocity of its own; and every part that arrives dissolves or drops rock
// by itself (eq. 19-23). newton_cell.h has the default, which keeps pools calm.
#ifndef SILT_PHYSICS_NEWTON_PARTS_H
#define SILT_PHYSICS_NEWTON_PARTS_H

#include "newton_move.h"

// A cell that gives its water away.
typedef struct SiltNewtonGiver {
    silt_i32 level;
    SiltEight around;     // levels of its neighbours
    float fluid, load;    // grains; dissolved per fluid
    SiltNewtonVelocity v; // before the push
} SiltNewtonGiver;

// A part of it: its share of the fluid, and its velocity after the push.
typedef struct SiltNewtonPart {
    float share;
    SiltNewtonVelocity v;
} SiltNewtonPart;

// The velocity after a step down a slope of x, y grains a cell (eq. 3, 8, 14-18), no further than to the next
// cell.
SILT_FN SiltNewtonVelocity silt_newton_down(SiltNewtonVelocity v, float x, float y, SiltNewtonStep step)
{
    float mx = x * step.per_cell, my = y * step.per_cell;
    float square = mx * mx + my * my, pull = silt_newton_pull(square, step.gravity);
    SiltNewtonVelocity after;
    after.x = silt_newton_velocity(v.x, mx * pull, step.keep, step.gain);
    after.y = silt_newton_velocity(v.y, my * pull, step.keep, step.gain);
    after.z = silt_newton_velocity(v.z, -square * pull, step.keep, step.gain);
    float speed = silt_sqrtf(silt_newton_square(after));
    float bound = speed > step.swift ? step.swift / speed : 1.0f;
    after.x *= bound;
    after.y *= bound;
    after.z *= bound;
    return after;
}

// How many parts a cell's water has: one, or where it is slow and some neighbours are lower one for each of
// eight.
SILT_FN int silt_newton_parts(SiltNewtonGiver giver, SiltNewtonStep step)
{
    int slow = silt_newton_square(giver.v) < step.slow;
    return slow && silt_eight_sum(silt_newton_drops(giver.level, giver.around)) > 0.0f ? 8 : 1;
}

// Part n of them: to the east, west, south, north, south-east, north-west, south-west, north-east. The split
// goes by the drops, and each part down its own directional derivative (section 3.1); one alone down the mean
// (eq. 12).
SILT_FN SiltNewtonPart silt_newton_part(SiltNewtonGiver giver, int n, int parts, SiltNewtonStep step)
{
    SiltEightReal drops = silt_newton_drops(giver.level, giver.around);
    SiltNewtonPart part;
    if (parts == 1) {
        SiltNewtonSlope slope = silt_newton_slope(giver.level, giver.around, 1);
        part.share = 1.0f;
        part.v = silt_newton_down(giver.v, slope.x, slope.y, step);
        return part;
    }
    float drop = n == 0 ? drops.e : n == 1 ? drops.w : n == 2 ? drops.s : n == 3 ? drops.n : 0.0f;
    drop = n == 4 ? drops.se : n == 5 ? drops.nw : n == 6 ? drops.sw : n == 7 ? drops.ne : drop;
    float x = n == 0 || n == 4 || n == 7 ? drop : n == 1 || n == 5 || n == 6 ? -drop : 0.0f;
    float y = n == 2 || n == 4 || n == 6 ? drop : n == 3 || n == 5 || n == 7 ? -drop : 0.0f;
    part.share = drop / silt_maxf(silt_eight_sum(drops), 1.0f);
    part.v = silt_newton_down(giver.v, x, y, step);
    return part;
}

// The bilinear weight of a cell i, j away for water that moves by x, y cells.
SILT_FN float silt_newton_weight(float x, float y, int i, int j)
{
    float along = silt_maxf(1.0f - silt_absf(x - (float)i), 0.0f);
    return along * silt_maxf(1.0f - silt_absf(y - (float)j), 0.0f);
}

// What has arrived in a cell so far.
typedef struct SiltNewtonArrived {
    float fluid;             // grains
    SiltNewtonVelocity push; // times velocity: eq. 6-7 without an order
    float ground;            // grains by which the bed changes
} SiltNewtonArrived;

// All that one cell gives to another, i, j away from it. `rock` as in eq. 19-23.
SILT_FN SiltNewtonArrived silt_newton_give(SiltNewtonArrived sum, SiltNewtonGiver giver, int i, int j,
                                           SiltNewtonStep step, SiltNewtonRock rock)
{
    int parts = silt_newton_parts(giver, step);
    for (int n = 0; n < parts; n++) {
        SiltNewtonPart part = silt_newton_part(giver, n, parts, step);
        float weight = silt_newton_weight(part.v.x * step.courant, part.v.y * step.courant, i, j);
        float fluid = giver.fluid * part.share * weight, dissolved = fluid * giver.load;
        float holds = rock.capacity * fluid * silt_sqrtf(silt_newton_square(part.v)); // eq. 19
        float beyond = dissolved - holds;
        sum.fluid += fluid;
        sum.push.x += fluid * part.v.x;
        sum.push.y += fluid * part.v.y;
        sum.push.z += fluid * part.v.z;
        sum.ground += beyond * (beyond > 0.0f ? rock.rates.settle : rock.rates.dissolve); // eq. 20-23
    }
    return sum;
}

// Whole grains that leave for each neighbour, and how what is dissolved in them is rounded. Walls get none:
// that water stays.
SILT_FN SiltNewtonSpread silt_newton_send(SiltNewtonGiver giver, silt_i32 dissolved, SiltNewtonStep step)
{
    const int parts = silt_newton_parts(giver, step);
    SiltEightReal to = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int n = 0; n < parts; n++) {
        SiltNewtonPart part = silt_newton_part(giver, n, parts, step);
        float fluid = giver.fluid * part.share, x = part.v.x * step.courant, y = part.v.y * step.courant;
        to.e += fluid * silt_newton_weight(x, y, 1, 0);
        to.w += fluid * silt_newton_weight(x, y, -1, 0);
        to.s += fluid * silt_newton_weight(x, y, 0, 1);
        to.n += fluid * silt_newton_weight(x, y, 0, -1);
        to.se += fluid * silt_newton_weight(x, y, 1, 1);
        to.nw += fluid * silt_newton_weight(x, y, -1, -1);
        to.sw += fluid * silt_newton_weight(x, y, -1, 1);
        to.ne += fluid * silt_newton_weight(x, y, 1, -1);
    }
    to.e = giver.around.e == SILT_GRAINS_WALL ? 0.0f : to.e;
    to.w = giver.around.w == SILT_GRAINS_WALL ? 0.0f : to.w;
    to.s = giver.around.s == SILT_GRAINS_WALL ? 0.0f : to.s;
    to.n = giver.around.n == SILT_GRAINS_WALL ? 0.0f : to.n;
    to.se = giver.around.se == SILT_GRAINS_WALL ? 0.0f : to.se;
    to.nw = giver.around.nw == SILT_GRAINS_WALL ? 0.0f : to.nw;
    to.sw = giver.around.sw == SILT_GRAINS_WALL ? 0.0f : to.sw;
    to.ne = giver.around.ne == SILT_GRAINS_WALL ? 0.0f : to.ne;
    return silt_newton_round(to, giver.fluid, (float)dissolved, step);
}

// What arrives changes the bed by `wanted` grains, as far as there is rock to take and sediment to drop.
SILT_FN SiltNewtonGround silt_newton_exchange(SiltNewtonGround cell, silt_i32 fluid, float wanted,
                                              float erodibility, SiltNewtonRock step)
{
    float dug = silt_clampf(-wanted * silt_maxf(erodibility, 0.0f), 0.0f, SILT_GRAINS_CHANGE);
    float dropped = silt_clampf(wanted, 0.0f, SILT_GRAINS_CHANGE);
    silt_i32 below = silt_maxi(silt_mini(cell.ground, SILT_GRAINS_WALL - 2) - SILT_GRAINS_FLOOR, 0);
    silt_i32 above = silt_maxi(SILT_GRAINS_WALL - 2 - silt_maxi(cell.ground, 0), 0);
    silt_i32 worn = silt_mini(silt_grains(dug, step.rates.dither), below);
    silt_i32 settled = silt_mini(silt_grains(dropped, step.rates.dither), silt_maxi(cell.dissolved, 0));
    settled = silt_mini(settled, above);
    silt_i32 change = settled - worn;
    cell.ground += change;
    cell.deposit = silt_maxi(cell.deposit + change, 0);
    cell.dissolved -= change;
    cell.wear = silt_mini(cell.wear, 0x7FFFFFFF - worn) + worn;
    return silt_newton_measure(cell, fluid);
}

// ---- the diffusion after a step (section 3) ----

// Grains that go from one cell to another of four beside it: a share of the difference, whatever the ground.
// None where one of them is a wall.
SILT_FN silt_i32 silt_newton_diffused(float own, float other, silt_i32 surface, float share)
{
    return surface == SILT_GRAINS_WALL ? 0 : (silt_i32)((own - other) * share);
}

SILT_FN float silt_newton_held(SiltNewtonPool of)
{
    return of.load * (float)silt_maxi(of.fluid, 1);
}

SILT_FN SiltNewtonSmoothed silt_newton_diffuse(SiltNewtonPool own, SiltNewtonPool e, SiltNewtonPool w,
                                               SiltNewtonPool s, SiltNewtonPool n, float loss,
                                               SiltNewtonRock step)
{
    float fluid = (float)own.fluid, rock = silt_newton_held(own);
    silt_i32 out = silt_newton_diffused(fluid, (float)e.fluid, e.surface, step.share) +
                   silt_newton_diffused(fluid, (float)w.fluid, w.surface, step.share) +
                   silt_newton_diffused(fluid, (float)s.fluid, s.surface, step.share) +
                   silt_newton_diffused(fluid, (float)n.fluid, n.surface, step.share);
    SiltNewtonSmoothed smoothed;
    smoothed.taken = silt_newton_diffused(rock, silt_newton_held(e), e.surface, step.share) +
                     silt_newton_diffused(rock, silt_newton_held(w), w.surface, step.share) +
                     silt_newton_diffused(rock, silt_newton_held(s), s.surface, step.share) +
                     silt_newton_diffused(rock, silt_newton_held(n), n.surface, step.share);
    silt_i32 left = own.fluid - out;
    silt_i32 dried = silt_mini(silt_grains((float)left * loss, step.loss_dither), left);
    silt_i32 gone = left < step.dry ? left : dried; // eq. 25
    smoothed.gone = silt_maxi(gone, silt_grains_over(own.surface - own.fluid, left));
    smoothed.fluid = left - smoothed.gone;
    return smoothed;
}

// One component of the velocity beside those neighbours.
SILT_FN float silt_newton_blur(float own, float other, silt_i32 surface, float share)
{
    return surface == SILT_GRAINS_WALL ? 0.0f : (other - own) * share;
}

#endif
