#include "erode/maps.h"

SiltStatus silt_maps_require(SiltTerrain *terrain, SiltMaps *maps)
{
    const struct {
        const char *name;
        SiltField **field;
    } wanted[] = {
        {"change", &maps->change},   {"water", &maps->water}, {"sediment", &maps->sediment},
        {"deposit", &maps->deposit}, {"wear", &maps->wear},   {"deposition", &maps->deposition},
        {"flow", &maps->flow},       {"speed", &maps->speed}, {"wetness", &maps->wetness},
    };
    SiltStatus status = SILT_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && status == SILT_OK; k++)
        status = silt_terrain_require(terrain, wanted[k].name, wanted[k].field);
    return status;
}
