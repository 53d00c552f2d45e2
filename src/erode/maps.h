// The maps every model with water leaves behind, under one naming.
#ifndef SILT_ERODE_MAPS_H
#define SILT_ERODE_MAPS_H

// What SiltModel.makes says of a model that leaves them all: water deep now, rock in it now, loose material
// on the rock, what was taken off and laid down in the run (all m), m3/s through the cell as a mean over the
// run, m/s of the water now, and s under more than a millimetre of water.
#define SILT_MAPS_MADE "water sediment deposit wear deposition flow speed wetness"

#endif
