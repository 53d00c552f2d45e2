// A small recipe that several tests of stacks hold.
#ifndef SILT_TESTS_STACK_HELP_H
#define SILT_TESTS_STACK_HELP_H

#include "recipe_help.h"

#include "silt/stack.h"

#define VALLEY                                                                                               \
    "# a valley\n"                                                                                           \
    "about: \"Valley: with a dollar, $$5, and größe\"\n"                                                   \
    "define:\n"                                                                                              \
    "  size: 24   # cells\n"                                                                                 \
    "  amount: 0.5\n"                                                                                        \
    "\n"                                                                                                     \
    "terrain: {new: noise, size: $size, cell: 20, seed: 3}\n"                                                \
    "stages:\n"                                                                                              \
    "  # scree\n"                                                                                            \
    "  - erode: thermal   # by angle\n"                                                                      \
    "    steps: 20\n"                                                                                        \
    "    set:\n"                                                                                             \
    "      talus: 30      # degrees\n"                                                                       \
    "      rate: 0.25\n"                                                                                     \
    "  - {scale: height, by: $amount}\n"                                                                     \
    "\n"                                                                                                     \
    "  # water\n"                                                                                            \
    "  - erode: pipes\n"                                                                                     \
    "    steps: 10\n"                                                                                        \
    "    set: {rain: 20, sources: [[100, 100, 2, 40, 0, 0, 0]]}\n"                                           \
    "outputs:\n"                                                                                             \
    "  - write: out/height.pgm # the land\n"

static inline SiltStack *open_valley(void)
{
    SiltStack *stack;
    assert_ok(silt_stack_read_text("valley.yaml", VALLEY, &stack));
    return stack;
}

static inline void assert_text(const SiltStack *stack, const char *wanted)
{
    char *text = silt_stack_text(stack);
    assert_string_equal(text, wanted);
    silt_free(text);
}

static inline void assert_says(const SiltStack *stack, const char *words)
{
    char *text = silt_stack_text(stack);
    if (!strstr(text, words))
        fail_msg("the recipe does not say '%s':\n%s", words, text);
    silt_free(text);
}

#endif
