#include "rank.h"

#include <glib.h>
#include <string.h>

// Where a word stands in a text: 4 it is all of it, 3 at its beginning, 2 at that of one of its words, 1
// inside, 0 nowhere.
static int word_rank(const char *word, const char *text)
{
    const char *at = strstr(text, word);
    if (!at)
        return 0;
    if (at == text)
        return strlen(word) == strlen(text) ? 4 : 3;
    for (; at; at = strstr(at + 1, word))
        if (!g_unichar_isalnum(g_utf8_get_char(g_utf8_prev_char(at))))
            return 2;
    return 1;
}

int found_rank(const char *wanted, const char *title, const char *detail)
{
    char *in_title = g_utf8_strdown(title, -1), *in_detail = g_utf8_strdown(detail, -1);
    char *lower = g_utf8_strdown(wanted, -1);
    char **words = g_strsplit_set(lower, " _", 0);
    int rank = 1;
    for (int k = 0; words[k] && rank > 0; k++) {
        if (!words[k][0])
            continue;
        int here = 10 * word_rank(words[k], in_title);
        if (here == 0) // 'rain' is not meant where a sentence speaks of terrain
            here = word_rank(words[k], in_detail) > 1 ? 1 : 0;
        rank = here == 0 ? 0 : rank + here;
    }
    g_strfreev(words);
    g_free(lower);
    g_free(in_title);
    g_free(in_detail);
    return rank;
}
