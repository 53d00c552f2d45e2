// Rain as drops, made on a device: what the processor would make for it and bring over in every step.
#ifndef SILT_ERODE_SUPPLY_THERE_H
#define SILT_ERODE_SUPPLY_THERE_H

#include <stddef.h>

#include "grid/grid.h"

struct SiltSupply;
struct SiltSupplyStep;

// What the programs of models that water is supplied to bring to a device: SiltGridProgram's `maker`, beside
// SILT_SUPPLIED.
typedef struct SiltSuppliedMaker {
    size_t supply; // bytes to the SiltSupplyStep in a step
    int waters;    // the field of SILT_SUPPLY_DROPS; the others of the supply follow it
    int border;    // a field that has what lies along the borders, and does not change; -1: there is none
    void (*make_border)(const void *step, int row, int32_t *out);
    void (*make_heights)(const void *step, int row, float *out); // of the ground, in metres
} SiltSuppliedMaker;

uint64_t silt_supplied_version(const SiltGridProgram *program, const void *step, int field);
const char *silt_supplied_reads(const SiltGridProgram *program, const void *step);
void silt_supplied_make(const SiltGridProgram *program, const void *step, int field, int row, float *out,
                        float *scratch);
SiltStatus silt_supplied_make_there(const SiltGridProgram *program, const void *step, int field,
                                    const SiltGridThere *there, bool *made);
#define SILT_SUPPLIED                                                                                        \
    .version = silt_supplied_version, .make_reads = silt_supplied_reads, .make = silt_supplied_make,         \
    .make_there = silt_supplied_make_there

// Field `which` of SILT_SUPPLY_DROPS and on, made on the device where it can be.
SiltStatus silt_supply_make_there(const struct SiltSupplyStep *step, int which, const SiltGridThere *there,
                                  bool *made);

typedef struct SiltDropsThere SiltDropsThere;
void silt_drops_there_destroy(SiltDropsThere *drops); // NULL: nothing

#endif
