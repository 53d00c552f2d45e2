// Reads the bytes as a recipe and never runs it. Either there is one, or there is a sentence.
#include "fuzz.h"

#include "silt/recipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int descriptor = fuzz_open(data, size, path);
    SiltRecipe *recipe;
    if (silt_recipe_read(path, NULL, 0, &recipe) == SILT_OK)
        silt_recipe_destroy(recipe);
    else if (recipe || !silt_message()[0])
        abort();
    close(descriptor);
    return 0;
}
