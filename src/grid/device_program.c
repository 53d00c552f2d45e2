// Writes the kernels of a grid's phases from its table: a phase is its row code on one column.
#include "grid/device_program.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

static bool is_none(const char *name)
{
    return !name || strcmp(name, "NULL") == 0;
}

static const SiltTallyMember *find_member(const SiltGridProgram *program, const char *name)
{
    for (int k = 0; k < program->member_count; k++)
        if (strcmp(program->members[k].name, name) == 0)
            return &program->members[k];
    return NULL;
}

bool silt_grid_program_rings(const SiltGridTable *table, int field)
{
    if (table->fields[field].state)
        return false;
    for (int k = 0; k < table->program->layer_count; k++)
        if (table->program->layers[k] == field)
            return false;
    for (int k = 0; k < table->program->made_count; k++)
        if (table->program->made[k] == field)
            return false;
    return true;
}

// A pointer argument for every field, at the cell (0, 0).
static void add_fields(SiltText *text, const SiltGridTable *table)
{
    for (int f = 0; f < table->field_count; f++)
        silt_text_addf(text, ", __global char *restrict f%d", f);
}

// What the items of a group have added, all members at once.
static void add_folds(SiltText *text, const SiltGridProgram *program, const char *adds, int *slot)
{
    char name[SILT_NAME_SIZE];
    int count = 0, maxima = 0;
    SiltText values = {0};
    for (const char *cursor = adds; silt_next_word(&cursor, name, sizeof name); count++) {
        maxima |= find_member(program, name)->most ? 1 << count : 0;
        silt_text_addf(&values, "    scratch[%d * SILT_GROUP + get_local_id(0)] = (long)tally.%s;\n", count,
                       name);
    }
    silt_text_addf(text, "    __local long scratch[%d * SILT_GROUP], part[%d * SILT_GROUP_LANES];\n%s", count,
                   count, values.data ? values.data : "");
    silt_text_addf(text,
                   "    silt_group_fold(scratch, part, %d, %d, partials + (long)%d * shape.groups + "
                   "first_group + get_group_id(1) * "
                   "get_num_groups(0) + get_group_id(0), shape.groups);\n",
                   count, maxima, *slot);
    *slot += count;
    text->failed = text->failed || values.failed;
    silt_text_free(&values);
}

// The rows of one item, of a group that lies inside the map with all that it looks at, or of another. Inside
// there are no ends, as in tiles: every item's column is column one of a band of its own.
static void add_rows(SiltText *text, const SiltGridTable *table, const SiltPhase *phase, bool inside)
{
    silt_text_addf(
        text, "    if (%sinside) {\n        SiltBand band = silt_device_band(shape, SILT_STEP_OF, &tally);\n",
        inside ? "" : "!");
    if (inside)
        silt_text_add(text, "        int west = (int)get_global_id(0) - 1;\n"
                            "        band.inside = true;\n        band.column = 1;\n"
                            "        band.width = 1 << 20;\n        band.height = 1 << 29;\n"
                            "        band.west = west;\n        band.region.i += west;\n"
                            "        band.region.west = -west;\n"
                            "        band.region.east = band.width - (shape.width - west);\n");
    for (int f = 0; f < table->field_count; f++)
        silt_text_addf(
            text, "        band.fields[%d] = f%d + (shape.origin%s);\n        band.masks[%d] = %s;\n", f, f,
            inside ? " + 4 * (long)west" : "", f, silt_grid_program_rings(table, f) ? "shape.ring" : "-1");
    silt_text_addf(
        text,
        "#pragma unroll 1\n        for (int row = first; %srow < first + SILT_ROWS_EACH; row++) {\n"
        "            %s job;\n            if (%s!%s(&band, row, &job))\n"
        "                continue;\n",
        inside ? "" : "band.column < band.width && ", phase->job_type ? phase->job_type : "int",
        inside ? "" : "row < -1 || row > band.height || ", phase->begin_name);
    if (!is_none(phase->cells_name))
        silt_text_addf(
            text, "            %s(&job, silt_span(band.column, band.column + 1, %s));\n", phase->cells_name,
            inside ? "true"
                   : "band.column >= band.region.west && band.column < band.width - band.region.east");
    if (!is_none(phase->end_name))
        silt_text_addf(text, "            %s(&band, row, &job);\n", phase->end_name);
    silt_text_add(text, "        }\n    }\n");
}

static void add_phase(SiltText *text, const SiltGridTable *table, int index, int *slot)
{
    const SiltGridProgram *program = table->program;
    const SiltPhase *phase = &table->phases[index];
    silt_text_addf(text,
                   "\n// %s\n__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void "
                   "phase_%d_%s(SILT_STEPS, int which, SiltGridShape shape, "
                   "int first_row, int first_group, __global long *partials",
                   phase->name, index, phase->name);
    add_fields(text, table);
    silt_text_addf(
        text,
        ")\n{\n    %s tally = {0};\n"
        "    int first = first_row + (int)get_group_id(1) * SILT_ROWS_EACH;\n"
        "    int from = (int)get_group_id(0) * SILT_GROUP, halo = %d;\n"
        "    bool inside = from > halo && from + SILT_GROUP + halo < shape.width && first > halo &&\n"
        "        first + SILT_ROWS_EACH + halo < shape.height;\n",
        program->tally_type, table->halo);
    add_rows(text, table, phase, true);
    add_rows(text, table, phase, false);
    if (phase->adds)
        add_folds(text, program, phase->adds, slot);
    silt_text_add(text, "}\n");
}

// Some cells of any fields, for the processor to look at.
static void add_gather(SiltText *text, const SiltGridTable *table)
{
    silt_text_add(text,
                  "\n__kernel void silt_gather(SiltGridShape shape, __global const int *places, int count, "
                  "__global uint *out");
    add_fields(text, table);
    silt_text_add(
        text,
        ")\n{\n    int at = get_global_id(0);\n    if (at >= count)\n        return;\n"
        "    long cell = shape.origin + (long)places[3 * at + 2] * shape.pitch + 4 * places[3 * at + 1];\n"
        "    switch (places[3 * at]) {\n");
    for (int f = 0; f < table->field_count; f++)
        silt_text_addf(
            text, "    case %d:\n        out[at] = *(__global const uint *)(f%d + cell);\n        break;\n",
            f, f);
    silt_text_add(text, "    }\n}\n");
}

int silt_grid_program_slots(const SiltGridTable *table, SiltGridSlot *slots)
{
    int count = 0;
    char name[SILT_NAME_SIZE];
    for (int p = 0; p < table->phase_count; p++)
        for (const char *cursor = table->phases[p].adds ? table->phases[p].adds : "";
             count < SILT_GRID_SLOTS && silt_next_word(&cursor, name, sizeof name); count++) {
            const SiltTallyMember *member = find_member(table->program, name);
            slots[count] = (SiltGridSlot){p, member->most, member->offset, member->name};
        }
    return count;
}

int silt_grid_program_members(const SiltGridTable *table, int first, int end, SiltGridSlot *slots)
{
    SiltGridSlot all[SILT_GRID_SLOTS];
    int count = 0, found = silt_grid_program_slots(table, all);
    for (int k = 0; k < found; k++) {
        bool known = all[k].phase < first || all[k].phase >= end;
        for (int n = 0; n < count; n++)
            known = known || slots[n].offset == all[k].offset;
        if (!known)
            slots[count++] = all[k];
    }
    return count;
}

void silt_grid_program_settings(const SiltGridProgram *program, const void *step, char *out)
{
    memset(out, 0xFF, program->step_bytes); // no number that anybody could take for one
    for (int k = 0; k < program->setting_count; k++) {
        SiltGridSetting at = program->settings[k];
        memcpy(out + at.offset, (const char *)step + at.offset, at.bytes);
    }
}

// A step of which only the settings are there, as words: compilers read through it.
static void add_settings(SiltText *text, const SiltGridProgram *program, const char *settings)
{
    silt_text_add(text,
                  "#define SILT_KNOWS 1\n__constant uint silt_settings[] __attribute__((aligned(8))) = {");
    for (size_t at = 0; at < program->step_bytes; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, settings + at, sizeof word);
        silt_text_addf(text, "0x%xu,", (unsigned)word);
    }
    silt_text_add(text, "};\n");
}

void silt_grid_program_begin(SiltText *text, const SiltGridTable *table, const char *settings)
{
    const SiltGridProgram *program = table->program;
    if (settings)
        add_settings(text, program, settings);
    silt_text_addf(text, "#define SILT_STEP_TYPE struct %s\n#define SILT_TALLY_TYPE struct %s\n",
                   program->step_type, program->tally_type);
    silt_text_addf(text, "struct %s;\nstruct %s;\n", program->step_type, program->tally_type);
    // the first argument of a kernel: the step itself, or several of which the next argument says one
    silt_text_add(text, settings ? "#define SILT_STEPS SILT_STEP_TYPE step\n#define SILT_STEP_OF &step\n"
                                 : "#define SILT_STEPS __constant const SILT_STEP_TYPE *steps\n#define "
                                   "SILT_STEP_OF steps + which\n");
    char file[64];
    // structs of pointers to rows stay in registers only where nothing is called
    silt_text_add(text, "#define static static __attribute__((always_inline))\n");
    for (const char *cursor = program->files; silt_next_word(&cursor, file, sizeof file);)
        silt_text_addf(text, "#include \"%s\"\n", file);
    silt_text_add(text, "#undef static\n#include \"grid/device_fold.h\"\n");
}

void silt_grid_program_phases(SiltText *text, const SiltGridTable *table)
{
    int slot = 0;
    for (int p = 0; p < table->phase_count; p++)
        add_phase(text, table, p, &slot);
}

void silt_grid_program_end(SiltText *text, const SiltGridTable *table)
{
    add_gather(text, table);
}
