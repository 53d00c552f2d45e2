// What the files of `silt help` share.
#ifndef SILT_CLI_HELP_H
#define SILT_CLI_HELP_H

#include "cli.h"

// ---- page.c ----

// What is said from here on is about this thing: a name may stand for several.
void begin_part(const char *kind, const char *name);
// For programs, beside the text.
void add_fact(const char *key, const char *value); // none where it is NULL or empty
void add_facts(const char *key, char *json);       // is freed
// Parameters, for people and under this key for programs.
void tell_params(const char *key, const SiltParamTable *params);
// Gives the page; the exit status.
int end_page(int status);

// ---- lookup.c: each of these is false where there is nothing of that name ----

bool help_parameter(const char *name);
bool help_layer(const char *name);
// "K" of a parameter whose help begins with "K: ", as papers write it.
bool help_symbol(const char *symbol);
// "unreal" of the parameter that has it as a choice.
bool help_choice(const char *choice);
// "sketch" of the recipes that define such a name.
bool help_define(const char *name);
// "resume" of the option --resume.
bool help_option(const char *name);
// Units, and what goes through everything.
bool help_topic(const char *name);
// Everything whose name or summary has the word in it.
bool help_search(const char *word);

#endif
