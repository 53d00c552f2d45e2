// Kataev 2022, "Hydraulic erosion", written down as printed and in the order of his section 4.8: plain loops over all
// pairs in double, nothing shared with the library. Read tests/papers/test_kataev.c for what is compared.
#ifndef TESTS_PAPERS_KATAEV_H
#define TESTS_PAPERS_KATAEV_H

enum { KATAEV_MOST = 512, KATAEV_SEEDS = 20000 };

typedef struct KataevBoundary {
    double place[3], normal[3]; // section 4.6.1
    int cell, triangle;         // 0 is ABC, 1 is DBC
    double mass_change;         // kg a second, eq. 1.57 and 1.69
} KataevBoundary;

typedef struct Kataev {
    // tables 4.1 and 4.2
    double rest_density, mass, viscosity, tension, stiffness, restitution, support, gravity, threshold;
    double spacing, friction, strength, critical, sediment_density, most_fraction, hindering, diffusion, grain_radius;
    double shear_constant, shear_exponent; // K and n of eq. 1.54: no value is printed
    double time_step;
    // fluid, section 4.5
    int count;
    double place[KATAEV_MOST][3], half_velocity[KATAEV_MOST][3], acceleration[KATAEV_MOST][3];
    double density[KATAEV_MOST], pressure[KATAEV_MOST], fraction[KATAEV_MOST], fraction_change[KATAEV_MOST];
    double pressure_force[KATAEV_MOST][3], viscous_force[KATAEV_MOST][3], tension_force[KATAEV_MOST][3];
    double boundary_force[KATAEV_MOST][3];
    // ground: columns * rows points `cell` apart, row by row
    int columns, rows;
    double cell, *height;
    int seed_count;
    KataevBoundary *seeds;
} Kataev;

void kataev_density_and_pressure(Kataev *k);  // 4.8.3
void kataev_internal_forces(Kataev *k);       // 4.8.4
void kataev_surface_tension(Kataev *k);       // 4.8.5
void kataev_seed(Kataev *k);                  // 4.6.3
void kataev_boundary_forces(Kataev *k);       // 4.8.6
void kataev_sediment_transfer(Kataev *k);     // 4.8.7
void kataev_deposition(Kataev *k);            // 4.8.8
void kataev_erosion(Kataev *k);               // 4.8.9
void kataev_update_heightfield(Kataev *k);    // 4.8.10
void kataev_integrate(Kataev *k, int is_first); // 4.8.11
#endif
