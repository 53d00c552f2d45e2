// What phases say of fields, and how long rows are needed: see device_lives.h.
#include "grid/device_lives.h"

#include <ctype.h>

#include "grid/device_program.h"

// ---- how a phase uses a field ----

// Whether a word names the field: `flux` is `flux`, and `flux_east` as well.
static bool names(const char *word, size_t length, const char *field)
{
    return strncmp(word, field, length) == 0 && (field[length] == '\0' || field[length] == '_');
}

// How far the phase looks by this word, to which `:0`, `:1`, `:n`, `:s` or `:c` may be added.
static void add_reach(SiltUse *use, const char *word, size_t length, int looks)
{
    char how = word[length] == ':' ? word[length + 1] : '\0';
    int reach = isdigit((unsigned char)how) ? how - '0' : how == '\0' ? looks : 1;
    use->around = reach > use->around ? reach : use->around;
    reach = how == 'c' ? 0 : reach;
    if (how != 's')
        use->north = reach > use->north ? reach : use->north;
    if (how != 'n')
        use->south = reach > use->south ? reach : use->south;
}

SiltUse silt_phase_use(const SiltGridTable *table, int index, int field)
{
    const SiltPhase *phase = &table->phases[index];
    const char *name = table->fields[field].name;
    char word[SILT_NAME_SIZE];
    SiltUse use = {0};
    for (const char *cursor = phase->reads; silt_next_word(&cursor, word, sizeof word);) {
        size_t length = strcspn(word, ":");
        if (names(word, length, name)) {
            use.reads = true;
            add_reach(&use, word, length, phase->looks);
        }
    }
    for (const char *cursor = phase->writes; silt_next_word(&cursor, word, sizeof word);) {
        size_t length = strcspn(word, "!");
        if (names(word, length, name)) {
            use.writes = true;
            use.anew = word[length] == '!' && !use.reads && !phase->skips;
        }
    }
    use.reads = use.reads || (use.writes && table->fields[field].sums); // which are added to
    return use;
}

bool silt_phase_must_wait(const SiltGridTable *table, int first, int second)
{
    for (int f = 0; f < table->field_count; f++) {
        SiltUse one = silt_phase_use(table, first, f), other = silt_phase_use(table, second, f);
        if ((one.writes && other.around > 0) || (other.writes && one.around > 0))
            return true;
    }
    return false;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int reach_of(SiltUse use)
{
    return use.reads ? most(use.around, most(use.north, use.south)) : 0;
}

int silt_phases_look(const SiltGridTable *table, int first, int end, int *needs)
{
    int halo = 0;
    for (int p = first; p < end; p++)
        needs[p] = 0;
    for (int q = end - 1; q >= first; q--)
        for (int f = 0; f < table->field_count; f++) {
            SiltUse use = silt_phase_use(table, q, f);
            if (!use.reads || table->fields[f].at_ends)
                continue;
            int needed = needs[q] + reach_of(use);
            halo = most(halo, needed);
            for (int p = first; p < q; p++)
                if (silt_phase_use(table, p, f).writes)
                    needs[p] = most(needs[p], needed);
        }
    for (int p = first; p < end; p++)
        needs[p] = needs[p] < table->halo ? needs[p] : table->halo;
    return halo < table->halo ? halo : table->halo;
}

// ---- lives ----

static bool has_state(const SiltGridTable *table, int field, uint64_t present)
{
    return table->fields[field].state && (present >> field & 1);
}

static bool is_made_before(const SiltGridTable *table, int field, int first)
{
    for (int p = 0; p < first; p++)
        if (silt_phase_use(table, p, field).writes)
            return true;
    return false;
}

static bool is_needed_behind(const SiltGridTable *table, int field, int end)
{
    for (int p = end; p < table->phase_count; p++) {
        SiltUse use = silt_phase_use(table, p, field);
        if (use.reads || (use.writes && !use.anew))
            return true;
        if (use.anew)
            return false;
    }
    return table->fields[field].state != NULL;
}

// Rings of up to five rows move on by registers (SiltPlaces), others by a mask.
static int rows_held(const SiltTileLife *life)
{
    int rows = life->oldest - life->newest + 1, held = 8;
    if (rows <= 5)
        return rows;
    while (held < rows)
        held *= 2;
    return held;
}

static void begin_life(SiltTileLife *life, int field, int phase, bool loaded)
{
    *life = (SiltTileLife){
        .field = field, .first = phase, .last = phase, .newest = 1000, .oldest = -1000, .loaded = loaded};
}

static void extend_life(SiltTileLife *life, const SiltGridTable *table, int phase, SiltUse use)
{
    int behind = table->phases[phase].behind;
    int newest = behind - (use.reads ? use.south : 0), oldest = behind + (use.reads ? use.north : 0);
    life->last = phase;
    life->newest = newest < life->newest ? newest : life->newest;
    life->oldest = oldest > life->oldest ? oldest : life->oldest;
}

// Whether it is a row that stands for what a run does without: phases would look at more.
static bool is_done_without(const SiltGridTable *table, int field)
{
    int newest = 1000, oldest = -1000;
    for (int p = 0; p < table->phase_count && table->fields[field].rows == 1; p++) {
        SiltUse use = silt_phase_use(table, p, field);
        int behind = table->phases[p].behind;
        if (!use.reads && !use.writes)
            continue;
        newest = behind - use.south < newest ? behind - use.south : newest;
        oldest = most(oldest, behind + use.north);
    }
    return oldest > newest;
}

// The lives of one field in the order of the phases; returns how many.
static int lives_of(const SiltGridTable *table, int f, int first, int end, uint64_t present,
                    SiltTileLife *lives)
{
    bool ring = silt_grid_program_rings(table, f), whole = !ring && (present >> f & 1);
    bool comes = whole || (ring && is_made_before(table, f, first)), around = false, written = false;
    int count = 0;
    if ((!ring && !whole) || (ring && is_done_without(table, f)))
        return 0;
    for (int p = first; p < end; p++) {
        SiltUse use = silt_phase_use(table, p, f);
        if (!use.reads && !use.writes)
            continue;
        if (count == 0 || use.anew) {
            begin_life(&lives[count], f, p, comes && !use.anew && count == 0);
            count++;
            written = around = false;
        }
        extend_life(&lives[count - 1], table, p, use);
        written = written || use.writes;
        around = around || use.around > 0;
        lives[count - 1].brief = lives[count - 1].first == p && !around;
    }
    if (count > 0)
        lives[count - 1].stored =
            written && (ring || has_state(table, f, present)) && is_needed_behind(table, f, end);
    return count;
}

// What nobody has named anything about: the rows of the table, for all phases.
static void plain_life(const SiltGridTable *table, int f, uint64_t present, SiltTileLife *life)
{
    const SiltGridField *field = &table->fields[f];
    bool whole = !silt_grid_program_rings(table, f);
    int behind = 0, rows = field->rows;
    for (int p = 0; p < table->phase_count; p++)
        behind = most(behind, table->phases[p].behind);
    for (; whole && !field->state && rows < behind + 1 + field->newest;)
        rows *= 2;
    *life = (SiltTileLife){.field = f,
                           .last = table->phase_count - 1,
                           .newest = whole ? -field->newest : 0,
                           .loaded = whole,
                           .stored = has_state(table, f, present),
                           .rows = rows};
    life->oldest = life->newest + rows - 1;
}

int silt_phases_lives(const SiltGridTable *table, int first, int end, uint64_t present, SiltTileLife *lives)
{
    int count = 0;
    for (int f = 0; f < table->field_count; f++) {
        bool ring = silt_grid_program_rings(table, f);
        if (count + SILT_GRID_PHASES > SILT_TILE_LIVES || (!ring && !(present >> f & 1)))
            continue;
        if (!table->exact) {
            plain_life(table, f, present, &lives[count]);
            count++;
            continue;
        }
        int found = lives_of(table, f, first, end, present, lives + count);
        for (SiltTileLife *life = lives + count; life < lives + count + found; life++) {
            life->rows = rows_held(life);
            life->brief = life->brief && life->rows == 1;
            life->handed = ring && (life->loaded || life->stored);
            if (life->handed && life->loaded && life->stored) // it would have to be there twice
                return -1;
        }
        count += found;
    }
    return count;
}
