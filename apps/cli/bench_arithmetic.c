// What the cores compute when nothing comes from memory: how far code that only computes can grow with
// threads. Two threads that share a core share its arithmetic.
#include "bench.h"

#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(64)));
enum { LANES = 16, CHAINS = 8, ROUNDS = 1 << 16, PARTS = 256 };

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                                  \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static float
compute(float seed)
{
    Lanes at[CHAINS], factor, more;
    for (int lane = 0; lane < LANES; lane++) {
        factor[lane] = 0.999f;
        more[lane] = seed;
    }
    for (int k = 0; k < CHAINS; k++)
        at[k] = more * (float)k;
    for (int n = 0; n < ROUNDS; n++)
        for (int k = 0; k < CHAINS; k++)
            at[k] = at[k] * factor + more;
    Lanes all = at[0];
    for (int k = 1; k < CHAINS; k++)
        all += at[k];
    return all[0];
}

static void compute_parts(void *context, int begin, int end)
{
    float *results = context;
    for (int k = begin; k < end; k++)
        results[k] = compute((float)k);
}

static void compute_all(void *context)
{
    silt_parallel(PARTS, 1, compute_parts, context);
}

void bench_arithmetic(Bench *bench)
{
    float results[PARTS];
    double operations = 2.0 * LANES * CHAINS * (double)ROUNDS * PARTS;
    bench_say(bench, "arithmetic", operations / bench_time(compute_all, results) * 1e-9, "Gflop/s", 0.0);
}
#else
void bench_arithmetic(Bench *bench)
{
    (void)bench;
}
#endif
