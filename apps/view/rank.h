#ifndef SILT_VIEW_RANK_H
#define SILT_VIEW_RANK_H

// How well the letters someone types fit a thing: 0 not at all. Words in any order; beginnings of words count
// more, and in the detail nothing else counts.
int found_rank(const char *wanted, const char *title, const char *detail);

#endif
