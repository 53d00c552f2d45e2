// The stress of a wall on water whose boundary layer is thinner than a particle. The layer of particles at
// the wall cannot show the steep gradient there, so the stress follows from its speed by a law of the wall.
// Over a smooth wall that is the power of 1/7 (Prandtl; Werner and Wengle 1991),
//
//     u / u* = 8.3 (y u* / nu)^(1/7)   =>   tau / rho = u*^2 = 8.3^(-7/4) u^(7/4) (nu / y)^(1/4),
//
// over a rough one the logarithm (Nikuradse), tau / rho = (0.4 / ln(30 y / k))^2 u^2, and in slow or thin
// water the laminar gradient nu u / y. The largest of the three holds.
#ifndef SILT_PHYSICS_SPH_WALL_H
#define SILT_PHYSICS_SPH_WALL_H

#include "silt_fn.h"

// tau / (rho u) in m/s, where water runs along the wall at `speed`; `steep` is nu / y in m/s, and `rough` the
// square of the logarithm's law, 0 for a smooth wall.
SILT_FN float silt_wall_drag(float speed, float steep, float rough)
{
    float turbulent = 0.0246384f * silt_sqrtf(speed) * silt_sqrtf(silt_sqrtf(speed * steep));
    return silt_maxf(silt_maxf(steep, turbulent), rough * speed);
}

#endif
