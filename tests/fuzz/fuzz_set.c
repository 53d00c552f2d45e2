// "key=value" against a table with a parameter of every type. What was accepted lies in its range, prints,
// and reads back as the same value.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "silt/param.h"

typedef struct Every {
    double real, open;
    int whole, choice;
    bool flag;
    double two[2], three[3], colour[3];
    char layer[SILT_NAME_SIZE];
    char path[SILT_PATH_SIZE];
    SiltList list;
} Every;

static const SiltParam items[] = {
    SILT_REAL(Every, real, "mm/h", 12.0, -500.0, 500.0, "a number"),
    SILT_REAL(Every, open, "m", NAN, 0.0, 10.0, "a number that may be unset"),
    SILT_INT(Every, whole, "cells", 3, -2147483647, 2147483647, "a whole number"),
    SILT_CHOICE(Every, choice, "open closed half-open", "open", "a choice"),
    SILT_BOOL(Every, flag, true, "yes or no"),
    SILT_VECTOR2(Every, two, "m", 1, 2, -10, 10, "two numbers"),
    SILT_VECTOR3(Every, three, "m", 1, 2, 3, -1e300, 1e300, "three numbers"),
    SILT_COLOUR(Every, colour, "#102030", "a colour"),
    SILT_LAYER(Every, layer, "height", "a layer"),
    SILT_PATH(Every, path, "", "a path"),
    SILT_LIST(Every, list, "x:m y:m rate:m3/s", "1,2,3;4,5,6", "rows"),
};
static const SiltParamTable table = SILT_PARAM_TABLE(Every, items);

static void check_round_trip(const Every *every)
{
    Every again;
    if (silt_params_check(&table, every, "fuzz") != SILT_OK || silt_params_init(&table, &again) != SILT_OK)
        abort();
    for (int k = 0; k < table.count; k++) {
        char *value = silt_params_value(&table, every, k);
        if (silt_params_set(&table, &again, "fuzz", items[k].name, value) != SILT_OK)
            abort();
        char *same = silt_params_value(&table, &again, k);
        if (strcmp(value, same) != 0)
            abort();
        silt_free(value);
        silt_free(same);
    }
    char *json = silt_params_json(&table, every);
    if (!json)
        abort();
    silt_free(json);
    silt_params_free(&table, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    Every every;
    if (silt_params_init(&table, &every) != SILT_OK)
        abort();
    SiltStatus status = silt_params_assign(&table, &every, "fuzz", text);
    if (status == SILT_OK)
        check_round_trip(&every);
    else if (status != SILT_BAD_ARGUMENT || !silt_message()[0])
        abort();
    silt_params_free(&table, &every);
    free(text);
    return 0;
}
