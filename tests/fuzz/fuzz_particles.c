#include "fuzz.h"
#include "silt/particles.h"

// VTK's form by the first byte, else PLY's. Every particle that is handed out is one of finite numbers.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[64];
    if (bytes < 1)
        return 0;
    snprintf(path, sizeof path, "%s/x.%s", fuzz_folder(), data[0] == '<' ? "vtp" : "ply");
    fuzz_put(data, bytes, path);
    SiltParticles *particles;
    SiltStatus status = silt_particles_read(path, &particles);
    if ((status == SILT_OK) != (particles != NULL) || (status != SILT_OK && !silt_message()[0]))
        abort();
    for (int k = 0; particles && k < particles->count; k++)
        if (!isfinite(particles->x[k]) || !isfinite(particles->y[k]) || !isfinite(particles->z[k]) ||
            !isfinite(particles->u[k]) || !isfinite(particles->v[k]) || !isfinite(particles->w[k]) ||
            !isfinite(particles->density[k]) || !isfinite(particles->sediment[k]))
            abort();
    silt_particles_destroy(particles);
    silt_path_is_particles(path);
    unlink(path);
    return 0;
}
