// Weiss 2016, "Fast voxel-based hydraulic erosion", written down as printed and in its order: plain loops over all pairs in
// double, lengths in voxels, nothing shared with the library. Read tests/papers/test_weiss.c for what is compared.
#ifndef TESTS_PAPERS_WEISS_H
#define TESTS_PAPERS_WEISS_H

enum { WEISS_MOST = 512 };

typedef struct Weiss {
    double water_weight, load_weight; // omega and sigma of eq. 3.11
    double radius, stiffness, rest_density, viscosity, tension, threshold, gravity, time_step;
    double step_forward, step_out; // t_step1 and t_step2 of algorithm 1
    double capacity, dissolve_normal, dissolve_tangent, deposit, least, flat_from, flat_to; // eq. 3.31 to 3.33
    double diffusion, asymmetry, cone, evaporation; // beta, k, the cosine of alpha, K_e
    int count;
    double place[WEISS_MOST][3], velocity[WEISS_MOST][3], force[WEISS_MOST][3];
    double water[WEISS_MOST], load[WEISS_MOST], density[WEISS_MOST], pressure[WEISS_MOST], load_change[WEISS_MOST];
    int is_surface[WEISS_MOST];
    int width, depth, height; // voxels
    double *level, *erodibility;
} Weiss;

double weiss_level(const Weiss *w, const double p[3]);                  // program 2
void weiss_normal(const Weiss *w, const double p[3], double normal[3]); // program 3 and eq. 3.3: outward
double weiss_distance(const double *map, int width, int depth, const int p[3]); // eq. 3.6 and 3.7, with its sign
void weiss_renormalise(Weiss *w, double step, int times);               // eq. 3.5
void weiss_densities(Weiss *w);                                         // eq. 3.19 and 3.20
void weiss_forces(Weiss *w);                                            // eq. 3.21 to 3.26
void weiss_diffuse(Weiss *w);                                           // eq. 3.36 to 3.38
void weiss_evaporate(Weiss *w);                                         // eq. 3.39 and 3.40
void weiss_advance(Weiss *w);                                           // eq. 3.27 to 3.35 with algorithms 1 and 3
#endif
