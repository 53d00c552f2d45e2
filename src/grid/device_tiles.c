// Plans which rows of a grid a group holds, and writes the kernel: see device_tiles.h.
#include "grid/device_tiles.h"

#include <stdlib.h>
#include <string.h>

// ---- the plan ----

static int power_of_two(int least)
{
    int power = 1;
    while (power < least)
        power *= 2;
    return power;
}

static bool bit(uint64_t set, int k)
{
    return set >> k & 1;
}

// The furthest that a phase stays behind.
static int most_behind(const SiltGridTable *table)
{
    int behind = 0;
    for (int p = 0; p < table->phase_count; p++)
        behind = table->phases[p].behind > behind ? table->phases[p].behind : behind;
    return behind;
}

// Rows of a field that a group holds.
static int rows_of(const SiltGridTable *table, int field, uint64_t present)
{
    if (silt_grid_program_rings(table, field))
        return table->fields[field].rows;
    if (!bit(present, field))
        return 0;
    return table->fields[field].state ? table->fields[field].rows
                                      : power_of_two(most_behind(table) + 1 + table->fields[field].newest);
}

int silt_device_tile_items;

// The widest group that fits. A row has a cell before its first and one behind its last.
static void choose_width(SiltTiles *tiles, int halo, size_t local_bytes, size_t most_items)
{
    static const int widths[] = {128, 96, 64};
    const char *asked = getenv("SILT_DEVICE_ITEMS"); // for who measures: docs/gpu.md
    int wanted = asked ? atoi(asked) : silt_device_tile_items;
    size_t kept = 2048; // for what a group adds to the books
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        tiles->items = wanted > 0 ? wanted : widths[k];
        tiles->own = tiles->items - 2 * halo;
        tiles->cells = tiles->items + 2;
        if (tiles->own >= 16 && silt_tiles_bytes(tiles) + kept <= local_bytes &&
            (size_t)tiles->items <= most_items)
            return;
    }
    tiles->items = 0;
}

SiltTiles silt_tiles_plan(const SiltGridTable *table, uint64_t present, size_t local_bytes, size_t most_items)
{
    SiltTiles tiles = {.row_count = 1}; // the first is of fields that are not there
    for (int f = 0; f < table->field_count; f++) {
        const SiltGridField *field = &table->fields[f];
        tiles.rows[f] = rows_of(table, f, present);
        tiles.newest[f] = field->newest;
        tiles.at[f] = tiles.rows[f] ? tiles.row_count : 0;
        tiles.row_count += tiles.rows[f];
        bool whole = bit(present, f) && !silt_grid_program_rings(table, f);
        tiles.loaded |= (uint64_t)whole << f;
        tiles.at_ends |= (uint64_t)(whole && field->at_ends) << f;
        tiles.stored |= (uint64_t)(whole && field->state) << f;
        tiles.twice |= (uint64_t)(whole && field->state && !field->sums) << f;
    }
    choose_width(&tiles, table->halo, local_bytes, most_items);
    return tiles;
}

SiltTilesWork silt_tiles_work(const SiltGridTable *table, const void *step)
{
    SiltTilesWork work = {0};
    for (int p = 0; p < table->phase_count; p++)
        work.skipped |= (uint32_t)(table->phases[p].skips && table->phases[p].skips(step)) << p;
    for (int f = 0; f < table->field_count; f++)
        work.unused |= (uint64_t)(table->needs && !table->needs(step, f)) << f;
    return work;
}

size_t silt_tiles_bytes(const SiltTiles *tiles)
{
    return (size_t)tiles->row_count * (size_t)tiles->cells * 4;
}

// ---- the kernel ----

// Where a tile lies: its own columns, and with those around it.
static const char place[] =
    "    int own = (int)get_group_id(0) * OWN, own_end = min(own + OWN, shape.width);\n"
    "    int base = max(own - HALO, 0), width = min(own_end + HALO, shape.width) - base;\n";

// The band of a column in its tile, which is a region of the map of its own: so columns are counted
// from its west, and what lies beyond its ends counts for nothing. It is made anew for every phase: what
// lasts from one to the next is little, most of all the places of rows.
//
// Inside the map, where all of the tile and of what it looks at is, there are no ends: every item's column is
// column one of a band of its own, width and height are larger than any, and the compiler leaves out what
// happens at ends. Where a tile is narrower than its group, the items that are left over work all the same,
// on what counts nowhere, beyond the cell behind the last: where all items go the same way, compilers need
// half the registers. Inside, where a cell lies is one of the round's places and a number that the compiler
// knows.
static void add_band(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles)
{
    silt_text_addf(text, "\nenum { OWN = %d, HALO = %d, ITEMS = %d, ITEM_BITS = %d, PITCH = %d };\n",
                   tiles->own, table->halo, tiles->items, power_of_two(tiles->items) - 1, tiles->cells * 4);
    silt_text_add(text,
                  "\nstatic inline __attribute__((always_inline)) SiltPlaces silt_tile_places(int round, "
                  "int column)\n{\n"
                  "    SiltPlaces at = {.round = round, .column = column};\n"
                  "    at.two[0] = column + (round & 1) * PITCH;\n"
                  "    at.two[1] = column + (round + 1 & 1) * PITCH;\n"
                  "    at.four[0] = column + (round & 3) * PITCH;\n"
                  "    at.four[1] = column + (round + 1 & 3) * PITCH;\n"
                  "    at.four[2] = column + (round + 2 & 3) * PITCH;\n"
                  "    at.four[3] = column + (round + 3 & 3) * PITCH;\n"
                  "    return at;\n}\n"
                  "\nstatic inline __attribute__((always_inline)) int silt_tile_column(int item, int "
                  "width)\n{\n    return item < width ? item : item + 1;\n}\n"
                  "\nstatic inline __attribute__((always_inline)) SiltPlaces silt_tile_next(SiltPlaces "
                  "at)\n{\n"
                  "    SiltPlaces next = {.round = at.round, .column = at.column};\n"
                  "    next.two[0] = at.two[1];\n    next.two[1] = at.two[0];\n"
                  "    next.four[0] = at.four[1];\n    next.four[1] = at.four[2];\n"
                  "    next.four[2] = at.four[3];\n    next.four[3] = at.four[0];\n"
                  "    return next;\n}\n");
    silt_text_addf(
        text,
        "\nstatic inline __attribute__((always_inline)) SiltBand silt_tile_band(SiltGridShape shape, "
        "SILT_STEP const SILT_STEP_TYPE *step, %s *tally, __local char *held, int tile_rows, "
        "SiltPlaces places, bool inside)\n{\n"
        "    SiltBand band = silt_device_band(shape, step, tally);\n%s"
        "    int item = get_local_id(0) & ITEM_BITS, west = inside ? base + item - 1 : base;\n"
        "    band.places = places;\n"
        "    band.inside = inside;\n    band.column = inside ? 1 : silt_tile_column(item, width);\n"
        "    band.width = inside ? 1 << 20 : width;\n    band.height = inside ? 1 << 29 : shape.height;\n"
        "    band.pitch = PITCH;\n",
        table->program->tally_type, place);
    silt_text_add(text,
                  "    band.begin = band.first = TILE_J * tile_rows;\n"
                  "    band.end = band.last = min(band.begin + tile_rows, shape.height);\n"
                  "    band.counted_begin = inside ? band.begin : max(band.begin, shape.region.north);\n"
                  "    band.counted_end =\n"
                  "        inside ? band.end : min(band.end, shape.height - shape.region.south);\n"
                  "    if (inside) { // rows beyond may be worked on: nothing that counts looks at them\n"
                  "        band.first = -(1 << 29);\n        band.last = 1 << 29;\n    }\n"
                  "    band.west = west;\n    band.region.i += west;\n"
                  "    band.region.west = own - west;\n"
                  "    band.region.east = band.width - (own_end - west);\n"
                  "    held += inside ? 0 : 4;\n");
    for (int f = 0; f < table->field_count; f++)
        silt_text_addf(text, "    band.fields[%d] = held + %d;\n    band.masks[%d] = %d;\n", f,
                       4 * tiles->at[f] * tiles->cells, f, tiles->rows[f] ? tiles->rows[f] - 1 : 0);
    silt_text_add(text, "    return band;\n}\n");
}

static void add_head(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int late)
{
    silt_text_addf(text,
                   "\n__kernel __attribute__((reqd_work_group_size(%d, 1, 1))) void silt_tile(SILT_STEPS, "
                   "int which, SiltGridShape shape, int tile_rows, uint skipped, ulong unused, "
                   "__global long *partials",
                   tiles->items);
    for (int f = 0; f < table->field_count; f++)
        silt_text_addf(text, ", __global char *restrict f%d", f);
    for (int f = 0; f < table->field_count; f++)
        if (bit(tiles->twice, f))
            silt_text_addf(text, ", __global char *restrict g%d", f);
    size_t words = silt_tiles_bytes(tiles) / 8 + 1; // some items look beyond the last row
    silt_text_addf(text, ")\n{\n    __local long held[%zu], added[ITEMS];\n%s", words, place);
    silt_text_addf(
        text,
        "    int item = get_local_id(0) & ITEM_BITS, begin = TILE_J * tile_rows;\n"
        "    int end = min(begin + tile_rows, shape.height);\n"
        "    for (int k = item; k < %zu; k += ITEMS)\n        held[k] = 0;\n"
        "    %s tally = {0};\n"
        "    long at = shape.origin + 4L * (base + item);\n"
        "    bool inside = own > HALO && own + OWN + HALO < shape.width && begin > %d && end + %d < "
        "shape.height && begin >= shape.region.north && end <= shape.height - shape.region.south;\n",
        words, table->program->tally_type, table->halo + most_behind(table), late + 2);
}

// A condition on the field or phase k that a program knows, or is given as bits.
static void add_unless(SiltText *text, const char *bits, int k)
{
    silt_text_addf(text, " && !(%s >> %d & 1)", bits, k);
}

// What of a field is read in a round. Inside the map there is a row to read in every round.
static void add_read(SiltText *text, const SiltTiles *tiles, int f, const char *round, bool inside)
{
    int newest = tiles->newest[f];
    if (!inside) // beyond the map there is nothing
        silt_text_addf(text, "        new%d = 0;\n", f);
    silt_text_add(text, "        if (true");
    if (!inside)
        silt_text_addf(text, " && %s + %d >= first && %s + %d < last", round, newest, round, newest);
    add_unless(text, "unused", f);
    silt_text_addf(text,
                   ")\n            new%d = *(__global const uint *)(f%d + (Offset)(%s_at + %d * pitch));\n",
                   f, f, round, newest);
}

// Where the row of a field lies that comes in: that of the one that has been in use for longest.
static void add_place(SiltText *text, const SiltTiles *tiles, int f, bool inside)
{
    int rows = tiles->rows[f], newest = tiles->newest[f];
    silt_text_addf(text, "        __local uint *held%d = (__local uint *)((__local char *)held + (%d + ", f,
                   4 * (tiles->at[f] * tiles->cells + 1));
    if (rows == 2)
        silt_text_addf(text, "places.two[%d]", newest & 1);
    else if (rows == 4)
        silt_text_addf(text, "places.four[%d]", newest & 3);
    else
        silt_text_addf(text, "places.column + (round + %d & %d) * PITCH", newest, rows - 1);
    silt_text_add(text, inside ? "));\n" : " + 4 * column));\n");
}

// The rows that lie `back` behind the newest go out.
static void add_writes(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int back)
{
    silt_text_addf(text, "        if (is_own && (uint)(round - %d - begin) < rows) {\n", back);
    for (int f = 0; f < table->field_count; f++)
        if (bit(tiles->stored, f) && tiles->rows[f] - tiles->newest[f] == back) {
            silt_text_add(text, "            if (true");
            add_unless(text, "unused", f);
            silt_text_addf(text,
                           ")\n                *(__global uint *)(%c%d + (Offset)(round_at - %d * pitch)) = "
                           "*held%d;\n",
                           bit(tiles->twice, f) ? 'g' : 'f', f, back, f);
        }
    silt_text_add(text, "        }\n");
}

// A row of every field comes in, in the place of the one that has been in use for longest, which goes out.
static void add_rows(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int late,
                     bool inside)
{
    bool ahead = tiles->ahead;
    uint64_t loaded = inside ? tiles->loaded & ~tiles->at_ends : tiles->loaded;
    for (int f = 0; f < table->field_count; f++) {
        if (!bit(loaded, f))
            continue;
        if (!ahead) {
            silt_text_addf(text, "        uint new%d = 0;\n", f);
            add_read(text, tiles, f, "round", inside);
        }
        add_place(text, tiles, f, inside);
    }
    for (int back = 0; back <= late; back++) {
        bool any = false;
        for (int f = 0; f < table->field_count; f++)
            any = any || (bit(tiles->stored, f) && tiles->rows[f] - tiles->newest[f] == back);
        if (any)
            add_writes(text, table, tiles, back);
    }
    for (int f = 0; f < table->field_count; f++)
        if (bit(loaded, f))
            silt_text_addf(text, "        *held%d = new%d;\n", f, f);
    if (!ahead)
        return;
    silt_text_add(text, "        int next = round + 1;\n        Offset next_at = round_at + pitch;\n");
    for (int f = 0; f < table->field_count; f++)
        if (bit(loaded, f))
            add_read(text, tiles, f, "next", inside);
}

static bool is_named(const char *names, const char *name)
{
    char word[SILT_NAME_SIZE];
    for (const char *cursor = names; silt_next_word(&cursor, word, sizeof word);)
        if (strcmp(word, name) == 0)
            return true;
    return false;
}

static bool share_a_name(const char *one, const char *other)
{
    char word[SILT_NAME_SIZE];
    for (const char *cursor = one; silt_next_word(&cursor, word, sizeof word);)
        if (is_named(other, word))
            return true;
    return false;
}

// Whether the items of a group must have done the one phase, all of them, before any begins the other: where
// what one looks at around its cell the other writes.
static bool must_wait(const SiltPhase *first, const SiltPhase *second)
{
    return (first->looks > 0 || second->looks > 0) &&
           (share_a_name(first->writes, second->reads) || share_a_name(first->writes, second->writes) ||
            share_a_name(first->reads, second->writes));
}

static void add_phase(SiltText *text, const SiltGridTable *table, int index, bool inside)
{
    const SiltPhase *phase = &table->phases[index];
    bool has_cells = phase->cells_name && strcmp(phase->cells_name, "NULL") != 0;
    bool has_end = phase->end_name && strcmp(phase->end_name, "NULL") != 0;
    silt_text_addf(text, "        if (round < end + %d", table->halo);
    if (phase->skips)
        add_unless(text, "skipped", index);
    silt_text_addf(text,
                   ") { // %s\n"
                   "            SiltBand band = silt_tile_band(shape, SILT_STEP_OF, &tally, (__local char "
                   "*)held, tile_rows, places, %d);\n"
                   "            int row = round - %d;\n            %s job;\n"
                   "            if (%s%s(&band, row, &job)) {\n",
                   phase->name, inside, phase->behind, phase->job_type ? phase->job_type : "int",
                   inside ? "" : "row >= -1 && row <= shape.height && ", phase->begin_name);
    if (has_cells)
        silt_text_addf(text, "                %s(&job, silt_span(band.column, band.column + 1, is_own));\n",
                       phase->cells_name);
    if (has_end)
        silt_text_addf(text, "                %s(&band, row, &job);\n", phase->end_name);
    silt_text_add(text, "            }\n        }\n");
}

static void add_phases(SiltText *text, const SiltGridTable *table, bool inside)
{
    int since = -1; // the first phase behind the last barrier; -1: rows came in
    for (int p = 0; p < table->phase_count; p++) {
        bool waits = since < 0 && table->phases[p].looks > 0;
        for (int k = since < 0 ? 0 : since; k < p; k++)
            waits = waits || must_wait(&table->phases[k], &table->phases[p]);
        if (waits) {
            silt_text_add(text, "        barrier(CLK_LOCAL_MEM_FENCE);\n");
            since = p;
        }
        add_phase(text, table, p, inside);
    }
}

// All rounds of a tile that lies inside the map, or of one at its ends.
static void add_rounds(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int late,
                       bool inside)
{
    silt_text_add(text, inside ? "    if (inside) {\n"
                                 "    bool is_own = item >= HALO && item < HALO + OWN;\n"
                               : "    if (!inside) {\n    int column = silt_tile_column(item, width);\n"
                                 "    bool is_own = base + item >= own && base + item < own_end;\n");
    silt_text_addf(text,
                   "    uint rows = end - begin;\n    Offset pitch = shape.pitch;\n"
                   "    Offset round_at = at + (begin - %d) * (long)shape.pitch;\n"
                   "    SiltPlaces places = silt_tile_places(begin - %d, %s);\n",
                   table->halo, table->halo, inside ? "4 * item" : "0");
    for (int f = 0; f < table->field_count && tiles->ahead; f++)
        if (bit(tiles->loaded, f))
            silt_text_addf(text, "    uint new%d = 0;\n", f);
    if (tiles->ahead) {
        silt_text_addf(text, "    {\n        int round = begin - %d;\n", table->halo);
        for (int f = 0; f < table->field_count; f++)
            if (bit(inside ? tiles->loaded & ~tiles->at_ends : tiles->loaded, f))
                add_read(text, tiles, f, "round", inside);
        silt_text_add(text, "    }\n");
    }
    silt_text_addf(text,
                   "#pragma unroll 1\n    for (int round = begin - %d; round < end + %d; round++) {\n"
                   "        places.round = round;\n        barrier(CLK_LOCAL_MEM_FENCE);\n",
                   table->halo, late);
    add_rows(text, table, tiles, late, inside);
    add_phases(text, table, inside);
    silt_text_add(text,
                  "        round_at += pitch;\n        places = silt_tile_next(places);\n    }\n    }\n");
}

// What all items of the group have added, member by member.
static void add_books(SiltText *text, const SiltGridTable *table)
{
    SiltGridSlot slots[SILT_GRID_SLOTS];
    int count = silt_grid_program_members(table, slots);
    for (int k = 0; k < count; k++)
        silt_text_addf(text,
                       "    silt_tile_fold(added, (long)tally.%s, %d, ITEMS, partials + (long)%d * "
                       "shape.groups + TILE_J * get_num_groups(0) + get_group_id(0));\n",
                       slots[k].name, slots[k].most, k);
}

void silt_tiles_add(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles,
                    const SiltTilesWork *known)
{
    int late = table->halo;
    for (int f = 0; f < table->field_count; f++)
        if (bit(tiles->stored, f) && tiles->rows[f] - tiles->newest[f] > late)
            late = tiles->rows[f] - tiles->newest[f];
    // tiles at the ends of the map take longer: the southern ones come first
    silt_text_add(
        text,
        "#define TILE_J (get_group_id(1) == 0 ? (int)get_num_groups(1) - 1 : (int)get_group_id(1) - 1)\n");
    silt_text_addf(text, "typedef %s Offset;\n", tiles->is_large ? "ulong" : "uint");
    add_band(text, table, tiles);
    add_head(text, table, tiles, late);
    if (known)
        silt_text_addf(text, "    skipped = 0x%xu;\n    unused = 0x%llxul;\n", (unsigned)known->skipped,
                       (unsigned long long)known->unused);
    silt_text_addf(text, "    int first = max(begin - %d, 0), last = min(end + %d, shape.height);\n",
                   table->halo, table->halo);
    add_rounds(text, table, tiles, late, true);
    add_rounds(text, table, tiles, late, false);
    add_books(text, table);
    silt_text_add(text, "}\n");
}
