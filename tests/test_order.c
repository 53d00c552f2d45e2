#include "erode_help.h"

#include "terrain/order.h"

static const int thread_counts[] = {1, 2, 8};

// Rough ground, drained on so many threads.
static SiltDrainage *drain(int width, int height, int threads, SiltTerrain **ground)
{
    *ground = make_terrain(width, height, 10.0);
    make_rough(*ground, 11, 400.0f);
    silt_set_threads(threads);
    SiltDrainage *drainage;
    assert_ok(silt_drainage_create(*ground, NULL, &drainage));
    return drainage;
}

static void put_away(SiltDrainage *drainage, SiltTerrain *ground)
{
    silt_drainage_destroy(drainage);
    silt_terrain_destroy(ground);
    silt_set_threads(0);
}

// Each cell once, before its receiver; what drains through a cell lies right before it; lengths and areas are
// those of a walk along the order.
static void check_order(const SiltDrainage *d)
{
    size_t cells = (size_t)d->width * (size_t)d->height;
    int32_t *place = silt_alloc(cells * sizeof(int32_t));
    uint32_t *area = silt_alloc(cells * sizeof(uint32_t));
    float *length = silt_alloc(cells * sizeof(float));
    for (int32_t k = 0; k < d->count; k++) {
        assert_int_equal(place[d->order[k]], 0);
        place[d->order[k]] = k + 1;
    }
    for (int32_t k = 0; k < d->count; k++) {
        int32_t c = d->order[k], to = d->receiver[c];
        area[c]++;
        assert_int_equal(d->area[c], area[c]);
        assert_true(d->length[c] == length[c]);
        if (to == c)
            continue;
        assert_true(place[to] > place[c] && place[to] - place[c] < (int32_t)d->area[to]);
        area[to] += area[c];
        float way = length[c] + silt_drainage_step(d, c);
        length[to] = way > length[to] ? way : length[to];
    }
    silt_free(place);
    silt_free(area);
    silt_free(length);
}

static void orders_are_walks_down(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {3, 2}, {40, 40}, {331, 270}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint64_t wanted = 0;
        for (int t = 0; t < 3; t++) {
            SiltTerrain *ground;
            SiltDrainage *d = drain(sizes[s][0], sizes[s][1], thread_counts[t], &ground);
            assert_int_equal(d->count, sizes[s][0] * sizes[s][1]);
            check_order(d);
            uint64_t hash = 0;
            for (int32_t k = 0; k < d->count; k++)
                hash = hash * 0x9E3779B97F4A7C15u + (uint64_t)d->order[k];
            assert_true(t == 0 || hash == wanted);
            wanted = hash;
            put_away(d, ground);
        }
    }
}

// Parts follow each other, pieces lie within them and apart, each before the cell it drains to.
static void pieces_lie_apart(void **state)
{
    (void)state;
    SiltTerrain *ground;
    SiltDrainage *d = drain(331, 270, 2, &ground);
    const struct SiltDrainageWork *work = d->work;
    assert_true(work->piece_count > 50);
    int32_t at = 0, inside = 0;
    for (int32_t part = 0; part < d->part_count; part++) {
        assert_true(d->part[part] < d->part[part + 1]);
        for (int32_t p = work->part_piece[part]; p < work->part_piece[part + 1]; p++) {
            SiltOrderPiece piece = work->pieces[p];
            assert_true(piece.begin >= at && piece.begin >= d->part[part] && piece.end > piece.begin);
            assert_true(piece.end < d->part[part + 1]);
            assert_int_equal(d->area[d->order[piece.end]], piece.end - piece.begin + 1);
            inside += piece.end - piece.begin;
            at = piece.end;
        }
    }
    assert_int_equal(work->part_piece[d->part_count], work->piece_count);
    assert_int_equal(d->part[d->part_count], d->count);
    assert_true(inside > d->count / 2);
    put_away(d, ground);
}

typedef struct Waters {
    const SiltDrainage *d;
    double *value;
} Waters;

static void gather_down(void *context, int32_t begin, int32_t end, double *sum)
{
    const Waters *w = context;
    for (int32_t k = begin; k < end; k++) {
        int32_t c = w->d->order[k], to = w->d->receiver[c];
        if (to != c)
            w->value[to] += 0.9 * w->value[c];
        else
            *sum += w->value[c];
    }
}

static void spread_up(void *context, int32_t begin, int32_t end)
{
    const Waters *w = context;
    for (int32_t k = end - 1; k >= begin; k--) {
        int32_t c = w->d->order[k], to = w->d->receiver[c];
        w->value[c] = to == c ? w->value[c] : w->value[c] / (1.0 + w->value[to]);
    }
}

static void set_values(double *value, int32_t count)
{
    for (int32_t k = 0; k < count; k++)
        value[k] = 1.0 / (k % 1000 + 3.0);
}

// In pieces, on any number of threads: the bits of one walk along the whole order.
static void pieces_make_one_walk(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        SiltTerrain *ground;
        SiltDrainage *d = drain(331, 270, thread_counts[t], &ground);
        size_t bytes = (size_t)d->count * sizeof(double);
        Waters whole = {d, silt_alloc(bytes)}, cut = {d, silt_alloc(bytes)};
        double left = 0.0;
        for (int round = 0; round < 5; round++) {
            set_values(whole.value, d->count);
            set_values(cut.value, d->count);
            gather_down(&whole, 0, d->count, &left);
            double sum = silt_order_down(d, gather_down, &cut);
            assert_near(sum, left, 1e-12 * left);
            left = 0.0;
            assert_memory_equal(whole.value, cut.value, bytes);
            spread_up(&whole, 0, d->count);
            silt_order_up(d, spread_up, &cut);
            assert_memory_equal(whole.value, cut.value, bytes);
        }
        silt_free(whole.value);
        silt_free(cut.value);
        put_away(d, ground);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_walks_down),
        cmocka_unit_test(pieces_lie_apart),
        cmocka_unit_test(pieces_make_one_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
