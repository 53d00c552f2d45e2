// Whether the layers a model is about to read hold what they can.
#ifndef SILT_ERODE_LAYERS_H
#define SILT_ERODE_LAYERS_H

#include "erode/model.h"

// Every layer the parameters name, and those the model begins with: numbers, in the range of what they stand
// for. A layer that is not there is the model's to miss.
SiltStatus silt_model_check_layers(const SiltModel *model, const SiltTerrain *terrain, const void *params);

// The layer "protect", where the terrain has one, takes erodibility away as the brush of that name does:
// erodibility x (1 - protect) becomes the layer that the model reads, and "protect" goes. Models that know no
// erodibility leave it as it is.
SiltStatus silt_model_protect(const SiltModel *model, SiltTerrain *terrain, void *params);

// Whether the model begins with what this layer holds.
bool silt_model_begins_with(const SiltModel *model, const char *layer);

// What a layer that the model can read stands for where there is none: its parameter's number, a factor of 1,
// or 0 where it comes on top.
double silt_model_layer_default(const SiltModel *model, const void *params, const char *layer);

#endif
