// Writes the kernel of a pass: see device_tiles.h.
#include "grid/device_tiles.h"

#include <stdio.h>
#include <string.h>

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

// ---- the kernel ----

// Where a tile lies: its own columns, and with those around it.
static const char place[] =
    "    int own = (int)get_group_id(0) * OWN, own_end = min(own + OWN, shape.width);\n"
    "    int base = max(own - HALO, 0), width = min(own_end + HALO, shape.width) - base;\n";

// Where the rows of rings lie that a round works on: those of as many rows alike.
static void add_places(SiltText *text, int pass)
{
    silt_text_addf(text,
                   "\nstatic inline __attribute__((always_inline)) SiltPlaces silt_tile_places_%d(int round, "
                   "int column)\n{\n    SiltPlaces at = {.round = round, .column = column};\n",
                   pass);
    static const char *const names[] = {"two", "three", "four", "five"};
    for (int rows = 2; rows <= 5; rows++)
        for (int k = 0; k < rows; k++)
            silt_text_addf(text, "    at.%s[%d] = column + (int)((uint)(round + %d) %% %d) * PITCH;\n",
                           names[rows - 2], k, k + 60000, rows);
    silt_text_addf(text,
                   "    return at;\n}\n"
                   "\nstatic inline __attribute__((always_inline)) SiltPlaces silt_tile_next_%d(SiltPlaces "
                   "at)\n{\n    SiltPlaces next = {.round = at.round, .column = at.column};\n",
                   pass);
    for (int rows = 2; rows <= 5; rows++)
        for (int k = 0; k < rows; k++)
            silt_text_addf(text, "    next.%s[%d] = at.%s[%d];\n", names[rows - 2], k, names[rows - 2],
                           (k + 1) % rows);
    silt_text_add(text, "    return next;\n}\n");
}

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
static void add_band(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int pass)
{
    silt_text_addf(text,
                   "\n#define OWN %d\n#define HALO %d\n#define ITEMS %d\n#define ITEM_BITS %d\n#define PITCH "
                   "%d\n",
                   tiles->own, tiles->halo, tiles->items, power_of_two(tiles->items) - 1, tiles->cells * 4);
    add_places(text, pass);
    silt_text_addf(
        text,
        "\nstatic inline __attribute__((always_inline)) SiltBand silt_tile_band_%d(SiltGridShape shape, "
        "SILT_STEP const SILT_STEP_TYPE *step, %s *tally, __local char *held, int tile_rows, "
        "SiltPlaces places, bool inside)\n{\n"
        "    SiltBand band = silt_device_band(shape, step, tally);\n%s"
        "    int item = get_local_id(0) & ITEM_BITS, west = inside ? base + item - 1 : base;\n"
        "    band.places = places;\n"
        "    band.inside = inside;\n    band.column = inside ? 1 : silt_tile_column(item, width);\n"
        "    band.width = inside ? 1 << 20 : width;\n    band.height = inside ? 1 << 29 : shape.height;\n"
        "    band.pitch = PITCH;\n",
        pass, table->program->tally_type, place);
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
                  "    return band;\n}\n");
}

// The rows that a phase finds; of fields that it does not name one that nobody reads.
static void add_fields(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int phase,
                       bool inside)
{
    const SiltTileLife *lives[SILT_GRID_FIELDS] = {NULL};
    for (int k = 0; k < tiles->life_count; k++)
        if (tiles->lives[k].first <= phase && phase <= tiles->lives[k].last)
            lives[tiles->lives[k].field] = &tiles->lives[k];
    for (int f = 0; f < table->field_count; f++)
        silt_text_addf(
            text,
            "            band.fields[%d] = (__local char *)held + %d;\n            band.masks[%d] = "
            "%d;\n",
            f, 4 * (lives[f] ? lives[f]->at : 0) * tiles->cells + (inside ? 0 : 4), f,
            lives[f] ? lives[f]->rows - 1 : 0);
}

// Words of a group's rows: some items look beyond the last one.
static size_t words_of(const SiltTiles *tiles)
{
    return silt_tiles_bytes(tiles) / 8 + 1;
}

size_t silt_tiles_given(const SiltTiles *tiles)
{
    return (words_of(tiles) + (size_t)tiles->items) * 8;
}

static void add_head(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int pass)
{
    silt_text_addf(text,
                   "\n__kernel __attribute__((reqd_work_group_size(%d, 1, 1))) void silt_tile_%d(SILT_STEPS, "
                   "int which, SiltGridShape shape, int tile_rows, uint skipped, ulong unused, "
                   "__global long *partials",
                   tiles->items, pass);
    for (int f = 0; f < table->field_count; f++) {
        if (bit(tiles->loaded | tiles->stored, f))
            silt_text_addf(text, ", __global char *restrict f%d", f);
        if (bit(tiles->twice, f))
            silt_text_addf(text, ", __global char *restrict g%d", f);
    }
    size_t words = words_of(tiles);
    if (tiles->is_given)
        silt_text_addf(text, ", __local long *held)\n{\n    __local long *added = held + %zu;\n", words);
    else
        silt_text_addf(text, ")\n{\n    __local long held[%zu], added[ITEMS];\n", words);
    silt_text_add(text, place);
    silt_text_addf(
        text,
        "    int item = get_local_id(0) & ITEM_BITS, begin = TILE_J * tile_rows;\n"
        "    int end = min(begin + tile_rows, shape.height);\n"
        "    for (int k = item; k < %zu; k += ITEMS)\n        held[k] = 0;\n"
        "    %s tally = {0};\n"
        "    long at = shape.origin + 4L * (base + item);\n"
        "    bool inside = own > HALO && own + OWN + HALO < shape.width && begin > %d && end + %d < "
        "shape.height && begin >= shape.region.north && end <= shape.height - shape.region.south;\n",
        words, table->program->tally_type, tiles->halo + most_behind(table) + 1, tiles->late + 2);
}

// A condition on the field or phase k that a program knows, or is given as bits.
static void add_unless(SiltText *text, const char *bits, int k)
{
    silt_text_addf(text, " && !(%s >> %d & 1)", bits, k);
}

// What of a field is read in a round. Inside the map there is a row to read in every round.
static void add_read(SiltText *text, const SiltTileLife *life, const char *round, bool inside)
{
    int f = life->field, beyond = life->handed ? 1 : 0;
    if (!inside) // beyond the map there is nothing
        silt_text_addf(text, "        new%d = 0;\n", f);
    silt_text_add(text, "        if (true");
    if (!inside)
        silt_text_addf(text,
                       " && %s - %d >= max(begin - HALO, %d) && %s - %d < min(end + HALO, shape.height + %d)",
                       round, life->newest, -beyond, round, life->newest, beyond);
    add_unless(text, "unused", f);
    silt_text_addf(text,
                   ")\n            new%d = *(__global const uint *)(f%d + (Offset)(%s_at - %d * pitch));\n",
                   f, f, round, life->newest);
}

// Where the cell of a row lies, `age` rows behind the newest.
static void add_place(SiltText *text, const SiltTiles *tiles, const SiltTileLife *life, int age, bool inside)
{
    static const char *const names[] = {"two", "three", "four", "five"};
    int rows = life->rows;
    silt_text_addf(text, "(__local uint *)((__local char *)held + (%d + ", 4 * (life->at * tiles->cells + 1));
    if (rows == 1)
        silt_text_add(text, "places.column");
    else if (rows <= 5)
        silt_text_addf(text, "places.%s[%d]", names[rows - 2], (60 - age) % rows);
    else
        silt_text_addf(text, "places.column + (round - %d & %d) * PITCH", age, rows - 1);
    silt_text_add(text, inside ? "))" : " + 4 * column))");
}

// Beside the ends of the map.
static void add_beside(SiltText *text, const char *to, const char *from)
{
    silt_text_addf(text, "            if (base + item == 0)\n                *(%s - 1) = *(%s - 1);\n", to,
                   from);
    silt_text_addf(
        text, "            if (base + item == shape.width - 1)\n                *(%s + 1) = *(%s + 1);\n", to,
        from);
}

// A row comes in that was read.
static void add_take(SiltText *text, const SiltTiles *tiles, const SiltTileLife *life, bool inside)
{
    char from[96];
    silt_text_add(text, "        {\n            __local uint *held_at = ");
    add_place(text, tiles, life, life->newest, inside);
    silt_text_addf(text, ";\n            *held_at = new%d;\n", life->field);
    if (life->handed && !inside) {
        snprintf(from, sizeof from, "((__global const uint *)(f%d + (Offset)(round_at - %d * pitch)))",
                 life->field, life->newest);
        silt_text_addf(text,
                       "            if (round - %d >= max(begin - HALO, -1) && round - %d < min(end + HALO, "
                       "shape.height + 1)) {\n",
                       life->newest, life->newest);
        add_beside(text, "held_at", from);
        silt_text_add(text, "            }\n");
    }
    silt_text_add(text, "        }\n");
}

// The row goes out that lies `back` behind the newest, as far as it is the tile's own.
static void add_write(SiltText *text, const SiltTiles *tiles, const SiltTileLife *life, int back, bool inside)
{
    int f = life->field;
    char to[96];
    snprintf(to, sizeof to, "((__global uint *)(%c%d + (Offset)(round_at - %d * pitch)))",
             bit(tiles->twice, f) ? 'g' : 'f', f, back);
    if (life->handed && !inside)
        silt_text_addf(
            text,
            "        if (is_own && round - %d >= (begin == 0 ? -1 : begin) && round - %d < (end == "
            "shape.height ? end + 1 : end)",
            back, back);
    else
        silt_text_addf(text, "        if (is_own && (uint)(round - %d - begin) < rows", back);
    add_unless(text, "unused", f);
    silt_text_add(text, ") {\n            __local uint *held_at = ");
    add_place(text, tiles, life, back, inside);
    silt_text_addf(text, ";\n            *%s = *held_at;\n", to);
    if (life->handed && !inside)
        add_beside(text, to, "held_at");
    silt_text_add(text, "        }\n");
}

static bool comes(const SiltTiles *tiles, const SiltTileLife *life, bool inside)
{
    return life->loaded && !(inside && bit(tiles->at_ends, life->field));
}

// A row of every field comes in, in the place of the one that has been in use for longest, which goes out.
static void add_rows(SiltText *text, const SiltTiles *tiles, bool inside)
{
    const SiltTileLife *end = tiles->lives + tiles->life_count;
    for (const SiltTileLife *life = tiles->lives; life < end && !tiles->ahead; life++)
        if (comes(tiles, life, inside)) {
            silt_text_addf(text, "        uint new%d = 0;\n", life->field);
            add_read(text, life, "round", inside);
        }
    for (const SiltTileLife *life = tiles->lives; life < end; life++)
        if (life->stored && !life->brief)
            add_write(text, tiles, life, life->newest + life->rows, inside);
    for (const SiltTileLife *life = tiles->lives; life < end; life++)
        if (comes(tiles, life, inside) && !life->brief)
            add_take(text, tiles, life, inside);
}

// What the next round will work on.
static void add_ahead(SiltText *text, const SiltTiles *tiles, const char *round, bool brief, bool inside)
{
    for (const SiltTileLife *life = tiles->lives; life < tiles->lives + tiles->life_count; life++)
        if (comes(tiles, life, inside) && life->brief == brief)
            add_read(text, life, round, inside);
}

static void add_phase(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int pass, int index,
                      bool inside)
{
    const SiltPhase *phase = &table->phases[index];
    const SiltTileLife *lives_end = tiles->lives + tiles->life_count;
    bool has_cells = phase->cells_name && strcmp(phase->cells_name, "NULL") != 0;
    bool has_end = phase->end_name && strcmp(phase->end_name, "NULL") != 0;
    for (const SiltTileLife *life = tiles->lives; life < lives_end; life++)
        if (life->brief && life->first == index && comes(tiles, life, inside)) {
            add_take(text, tiles, life, inside);
            if (tiles->ahead)
                add_read(text, life, "next", inside);
        }
    silt_text_addf(text, "        if (round < end + %d", tiles->lasts);
    if (phase->skips)
        add_unless(text, "skipped", index);
    silt_text_addf(text,
                   ") { // %s\n"
                   "            SiltBand band = silt_tile_band_%d(shape, SILT_STEP_OF, &tally, (__local char "
                   "*)held, tile_rows, places, %d);\n",
                   phase->name, pass, inside);
    add_fields(text, table, tiles, index, inside);
    silt_text_addf(text,
                   "            int row = round - %d;\n            %s job;\n"
                   "            if (%s%s(&band, row, &job)) {\n",
                   phase->behind, phase->job_type ? phase->job_type : "int",
                   inside ? "" : "row >= -1 && row <= shape.height && ", phase->begin_name);
    if (has_cells)
        silt_text_addf(text, "                %s(&job, silt_span(band.column, band.column + 1, is_own));\n",
                       phase->cells_name);
    if (has_end)
        silt_text_addf(text, "                %s(&band, row, &job);\n", phase->end_name);
    silt_text_add(text, "            }\n        }\n");
    for (const SiltTileLife *life = tiles->lives; life < lives_end; life++)
        if (life->brief && life->first == index && life->stored)
            add_write(text, tiles, life, phase->behind, inside);
}

static bool looks_around(const SiltGridTable *table, int phase)
{
    for (int f = 0; f < table->field_count; f++)
        if (silt_phase_use(table, phase, f).around > 0)
            return true;
    return false;
}

static void add_phases(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int pass,
                       bool inside)
{
    int since = -1; // the first phase behind the last barrier; -1: rows came in
    for (int p = tiles->first; p < tiles->end; p++) {
        bool waits = since < 0 && looks_around(table, p);
        for (int k = since < 0 ? tiles->first : since; k < p; k++)
            waits = waits || silt_phase_must_wait(table, k, p);
        if (waits) {
            silt_text_add(text, "        barrier(CLK_LOCAL_MEM_FENCE);\n");
            since = p;
        }
        add_phase(text, table, tiles, pass, p, inside);
    }
}

// All rounds of a tile that lies inside the map, or of one at its ends.
static void add_rounds(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int pass,
                       bool inside)
{
    silt_text_add(text, inside ? "    if (inside) {\n"
                                 "    bool is_own = item >= HALO && item < HALO + OWN;\n"
                               : "    if (!inside) {\n    int column = silt_tile_column(item, width);\n"
                                 "    bool is_own = base + item >= own && base + item < own_end;\n");
    silt_text_addf(text,
                   "    uint rows = end - begin;\n    Offset pitch = shape.pitch;\n"
                   "    Offset round_at = at + (begin - (%d)) * (long)shape.pitch;\n"
                   "    SiltPlaces places = silt_tile_places_%d(begin - (%d), %s);\n",
                   tiles->lead, pass, tiles->lead, inside ? "4 * item" : "0");
    for (int k = 0; k < tiles->life_count && tiles->ahead; k++)
        if (tiles->lives[k].loaded)
            silt_text_addf(text, "    uint new%d = 0;\n", tiles->lives[k].field);
    if (tiles->ahead) {
        silt_text_addf(text, "    {\n        int round = begin - (%d);\n", tiles->lead);
        add_ahead(text, tiles, "round", false, inside);
        add_ahead(text, tiles, "round", true, inside);
        silt_text_add(text, "    }\n");
    }
    silt_text_addf(text,
                   "#pragma unroll 1\n    for (int round = begin - (%d); round < end + %d; round++) {\n"
                   "        places.round = round;\n        barrier(CLK_LOCAL_MEM_FENCE);\n",
                   tiles->lead, tiles->late);
    add_rows(text, tiles, inside);
    if (tiles->ahead) {
        silt_text_add(text, "        int next = round + 1;\n        Offset next_at = round_at + pitch;\n");
        add_ahead(text, tiles, "next", false, inside);
    }
    add_phases(text, table, tiles, pass, inside);
    silt_text_addf(text,
                   "        round_at += pitch;\n        places = silt_tile_next_%d(places);\n    }\n    }\n",
                   pass);
}

// What all items of the group have added, member by member.
static void add_books(SiltText *text, const SiltGridTable *table, const SiltTiles *tiles, int slot)
{
    SiltGridSlot slots[SILT_GRID_SLOTS];
    int count = silt_grid_program_members(table, tiles->first, tiles->end, slots);
    for (int k = 0; k < count; k++)
        silt_text_addf(text,
                       "    silt_tile_fold(added, (long)tally.%s, %d, ITEMS, partials + (long)%d * "
                       "shape.groups + TILE_J * get_num_groups(0) + get_group_id(0));\n",
                       slots[k].name, slots[k].most, slot + k);
}

void silt_tiles_add(SiltText *text, const SiltGridTable *table, const SiltTilePlan *plan, int pass, int slot,
                    const SiltTilesWork *known)
{
    const SiltTiles *tiles = &plan->passes[pass];
    // tiles at the ends of the map take longer: the southern ones come first
    if (pass == 0)
        silt_text_addf(text,
                       "#define TILE_J (get_group_id(1) == 0 ? (int)get_num_groups(1) - 1 : "
                       "(int)get_group_id(1) - 1)\ntypedef %s Offset;\n"
                       "static inline __attribute__((always_inline)) int silt_tile_column(int item, int "
                       "width)\n{\n    return item < width ? item : item + 1;\n}\n",
                       tiles->is_large ? "ulong" : "uint");
    add_band(text, table, tiles, pass);
    add_head(text, table, tiles, pass);
    if (known)
        silt_text_addf(text, "    skipped = 0x%xu;\n    unused = 0x%llxul;\n", (unsigned)known->skipped,
                       (unsigned long long)known->unused);
    add_rounds(text, table, tiles, pass, true);
    add_rounds(text, table, tiles, pass, false);
    add_books(text, table, tiles, slot);
    silt_text_add(text, "}\n#undef OWN\n#undef HALO\n#undef ITEMS\n#undef ITEM_BITS\n#undef PITCH\n");
}
