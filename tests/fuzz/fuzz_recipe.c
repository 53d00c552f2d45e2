// Reads the bytes as a recipe and never runs it. Either there is one, or there is a sentence.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "silt/recipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int descriptor = memfd_create("recipe", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    SiltRecipe *recipe;
    if (silt_recipe_read(path, NULL, 0, &recipe) == SILT_OK)
        silt_recipe_destroy(recipe);
    else if (recipe || !silt_message()[0])
        abort();
    close(descriptor);
    return 0;
}
