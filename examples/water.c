// A complete small program: a column of water falls in a tank, and the front is told as it runs.
//     cc water.c $(pkg-config --cflags --libs silt) -o water && ./water water.ply
#include <stdio.h>

#include <silt/fluid.h>
#include <silt/io.h>

static int complain(void)
{
    fprintf(stderr, "water: %s\n", silt_message());
    return 1;
}

int main(int count, char **words)
{
    SiltWaterOptions options;
    if (silt_params_init(&silt_water_params, &options) != SILT_OK)
        return complain();
    options.spacing = 0.05;
    options.particles = 5000;
    options.high[0] = 2.0, options.high[1] = 0.4; // a tank of 2 by 0.4 by 1 m
    options.walls = SILT_WALLS_LAW;

    SiltWater *water;
    if (silt_water_create(&options, &water) != SILT_OK)
        return complain();
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.5, 0.4, 0.8};
    silt_water_fill(water, low, high, NULL);

    SiltParticles now;
    for (int frame = 0; frame < 5; frame++) {
        silt_water_advance(water, 0.1);
        silt_water_particles(water, &now); // arrays of the engine itself: nothing is copied
        float front = 0.0f;
        for (int i = 0; i < now.count; i++)
            front = now.x[i] > front ? now.x[i] : front;
        printf("%.1f s: %d particles, the front at %.2f m\n", silt_water_time(water), now.count,
               (double)front);
    }
    int status = 0;
    if (silt_particles_write(&now, count > 1 ? words[1] : "water.ply") != SILT_OK) // before the next step
        status = complain();
    silt_water_destroy(water);
    return status;
}
