// silt/generate.h — terrain from nothing.
#ifndef SILT_GENERATE_H
#define SILT_GENERATE_H

#include "silt/param.h"
#include "silt/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SiltGenerator {
    const char *name;    // as in `silt new NAME`
    const char *summary; // one line, no capital, no full stop
    const char *source;  // the paper and section, or ""
    const char *makes;   // layers it makes besides the height; NULL: none
    bool layers_only;    // what it is for are those layers: a stage of a recipe leaves the height alone
    SiltParamTable params;
    // Fills the height of a terrain whose size and cell are set; may add layers.
    SiltStatus (*run)(SiltTerrain *terrain, const void *params, const SiltRun *run);
    bool on_device; // works on the run's device where it has one (silt/device.h), and gives the same bytes
} SiltGenerator;

SILT_API int silt_generator_count(void);
SILT_API const SiltGenerator *silt_generator_at(int index);
// NULL, with a message that names the nearest, when there is none of that name.
SILT_API const SiltGenerator *silt_generator_find(const char *name);

// A new terrain. `params` is the generator's struct as its table describes it, or NULL for the defaults.
// Where the run has a device, a generator that knows none is refused, or works on the processor and says so,
// as a model is.
SILT_API SiltStatus silt_generate(const SiltGenerator *generator, int width, int height, double cell,
                                  const void *params, const SiltRun *run, SiltTerrain **out);

#ifdef __cplusplus
}
#endif
#endif
