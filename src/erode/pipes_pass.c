// One step of the pipe model in one pass over the rows. When row r comes in, every phase works on the newest
// row that has what it needs: fluxes on r, their limits on r - 1, water and erosion on r - 2, transport on
// r - 3. What lies between waits in rings of four rows, so each cell is read and written once a step.
#include "erode/pipes_rows.h"

void silt_pipes_pass(Pipes *pipes, PipesBand *band)
{
    band->tally = (PipesTally){0};
    silt_supply_loss_row(&pipes->supply, band->rows.heights, pipes->terrain->width, band->rows.loss);
    silt_pipes_wall_row(pipes, &band->rows, band->begin - HALO - 1);
    for (int row = band->begin - HALO; row < band->end + HALO; row++) {
        silt_pipes_add_water(pipes, band, row);
        silt_pipes_update_flux(pipes, band, row);
        if (row - 1 >= band->begin - HALO)
            silt_pipes_limit_outflow(pipes, band, row - 1);
        if (row - 2 >= band->begin - 1)
            silt_pipes_change_cells(pipes, band, row - 2);
        if (row - 3 >= band->begin - 1)
            silt_pipes_carry_sediment(pipes, band, row - 3);
        if (pipes->sampled > 0.0f && owns(band, row - 3))
            silt_pipes_remember(pipes, band, row - 3);
    }
}

// ---- the rows in flight ----

static size_t row_bytes(int width)
{
    return ((size_t)width + 2 * PAD + 15) / 16 * 16 * sizeof(float) +
           64; // a line more: rows must not collide
}

typedef struct Layout {
    char *next;
    size_t bytes;
} Layout;

// The next row, with room for a pad at either side.
static void *place(Layout *layout)
{
    char *row = layout->next;
    layout->next += layout->bytes;
    return row + PAD * sizeof(float);
}

enum { SINGLE_ROWS = 8, RING_ROWS = 13 };

size_t silt_pipes_rows_bytes(int width, int directions)
{
    return row_bytes(width) * (size_t)(SINGLE_ROWS + RING * (RING_ROWS + 4 * directions));
}

// What is read only in the row it was written in and in the next needs two rows, not four: the fewer rows are
// in flight, the wider a map may be before they no longer fit the cache.
static void share_rows(PipesRows *rows, int k, int directions)
{
    rows->surface[k] = rows->surface[k - 2];
    rows->share[k] = rows->share[k - 2];
    rows->dither[k] = rows->dither[k - 2];
    rows->load[k] = rows->load[k - 2];
    rows->load_dither[k] = rows->load_dither[k - 2];
    rows->east_speed[k] = rows->east_speed[k - 2];
    rows->south_speed[k] = rows->south_speed[k - 2];
    for (int d = 0; d < directions; d++)
        rows->carried[k][d] = rows->carried[k - 2][d];
}

void silt_pipes_rows_place(PipesRows *rows, int width, int directions, char *block)
{
    Layout layout = {block, row_bytes(width)};
    rows->buffer = place(&layout);
    rows->heights = place(&layout);
    rows->loss = place(&layout);
    rows->zero = place(&layout);
    rows->erodibility = place(&layout);
    rows->could = place(&layout);
    rows->depth = place(&layout);
    rows->water_after = place(&layout);
    for (int k = 0; k < RING; k++) {
        int32_t **whole[] = {&rows->ground[k], &rows->surface[k], &rows->water[k], &rows->muddy[k],
                             &rows->edge_grains[k]};
        float **real[] = {&rows->around[k],     &rows->share[k],      &rows->dither[k],
                          &rows->edge[k],       &rows->load[k],       &rows->load_dither[k],
                          &rows->east_speed[k], &rows->south_speed[k]};
        for (size_t n = 0; n < sizeof whole / sizeof whole[0]; n++)
            *whole[n] = place(&layout);
        for (size_t n = 0; n < sizeof real / sizeof real[0]; n++)
            *real[n] = place(&layout);
        for (int d = 0; d < directions; d++) {
            rows->flux[k][d] = place(&layout);
            rows->grains[k][d] = place(&layout);
            rows->carried[k][d] = place(&layout);
            rows->slid[k][d] = place(&layout);
        }
        if (k >= 2)
            share_rows(rows, k, directions);
        // beyond both ends of a row stands a wall
        for (int i = -PAD; i < PAD; i++) {
            int end = i < 0 ? i : width + i;
            rows->ground[k][end] = rows->surface[k][end] = SILT_GRAINS_WALL;
        }
    }
}
