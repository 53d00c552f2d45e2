#include "sph/near.h"

#include "core/simd.h"

enum { LANES = SILT_SPH_LANES };

void silt_near_begin(const SiltSph *sph, const SiltSphPlace *at, SiltSphNear *near)
{
    silt_sph_runs(sph, at->x, at->y, at->z, &near->runs);
    near->run = 0;
    near->next = near->runs.count > 0 ? near->runs.begin[0] : 0;
}

// ---- eight at a time ----

#ifdef SILT_HAS_CLONES
#include <immintrin.h>

// The indices of the set bits of each byte come from a table; all eight are written, and those beyond the
// ones that count are written over.
__attribute__((target("avx2,popcnt"))) static void pick_wide(const SiltSph *sph, const SiltSphPlace *at,
                                                             SiltSphNear *near)
{
    const float *x = sph->now.x, *y = sph->now.y, *z = sph->now.z;
    const __m256 px = _mm256_set1_ps(at->x), py = _mm256_set1_ps(at->y), pz = _mm256_set1_ps(at->z);
    const __m256 nx = _mm256_set1_ps(at->nx), ny = _mm256_set1_ps(at->ny), nz = _mm256_set1_ps(at->nz);
    const __m256 gap = _mm256_set1_ps(at->gap), h2 = _mm256_set1_ps(sph->law.h2);
    const bool image = at->self < 0;
    int count = 0, run = near->run, k = near->next;
    for (; run < near->runs.count; k = near->runs.begin[++run])
        for (int end = near->runs.end[run]; k < end; k += 8) {
            if (count > SILT_NEAR_MOST - 8)
                goto full;
            __m256 dx = _mm256_sub_ps(px, _mm256_loadu_ps(x + k));
            __m256 dy = _mm256_sub_ps(py, _mm256_loadu_ps(y + k));
            __m256 dz = _mm256_sub_ps(pz, _mm256_loadu_ps(z + k));
            __m256 r2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)),
                                      _mm256_mul_ps(dz, dz));
            unsigned bits = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(r2, h2, _CMP_LT_OQ));
            if (image) {
                __m256 side = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(nx, dx), _mm256_mul_ps(ny, dy)),
                                            _mm256_mul_ps(nz, dz));
                side = _mm256_add_ps(side, gap);
                bits &= (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(side, _mm256_setzero_ps(), _CMP_LE_OQ));
            } else {
                unsigned own = (unsigned)(at->self - k);
                bits &= ~(own < 8 ? 1u << own : 0u);
            }
            bits &= end - k < 8 ? (1u << (end - k)) - 1u : 255u;
            __m256i which = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)sph->pick[bits]));
            _mm256_storeu_si256((__m256i *)(near->index + count),
                                _mm256_add_epi32(which, _mm256_set1_epi32(k)));
            count += __builtin_popcount(bits);
        }
full:
    near->count = count, near->run = run, near->next = k;
}
#endif

// ---- one at a time ----

// Looks at eight particles before it asks again whether there is room, as the wide one does: who ends a batch
// elsewhere adds up in other groups, and the last bits tell.
void silt_near_pick_plain(const SiltSph *sph, const SiltSphPlace *at, SiltSphNear *near)
{
    const float *x = sph->now.x, *y = sph->now.y, *z = sph->now.z;
    int count = 0, run = near->run, k = near->next;
    for (; run < near->runs.count; k = near->runs.begin[++run])
        for (int end = near->runs.end[run]; k < end; k += 8) {
            if (count > SILT_NEAR_MOST - 8)
                goto full;
            for (int n = k; n < end && n < k + 8; n++) {
                float dx = at->x - x[n], dy = at->y - y[n], dz = at->z - z[n];
                bool counts = (n != at->self) & (dx * dx + dy * dy + dz * dz < sph->law.h2);
                bool before = (at->self >= 0) | (at->nx * dx + at->ny * dy + at->nz * dz + at->gap <= 0.0f);
                near->index[count] = n;
                count += counts & before;
            }
        }
full:
    near->count = count, near->run = run, near->next = k;
}

bool silt_near_pick(const SiltSph *sph, const SiltSphPlace *at, SiltSphNear *near)
{
#ifdef SILT_HAS_CLONES
    if (__builtin_cpu_supports("avx2"))
        pick_wide(sph, at, near);
    else
#endif
        silt_near_pick_plain(sph, at, near);
    for (int l = 0; l < LANES; l++)
        near->index[near->count + l] = sph->config.capacity;
    return near->count > 0;
}
