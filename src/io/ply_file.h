// PLY files element by element: what readers of meshes and of particles share.
#ifndef SILT_IO_PLY_FILE_H
#define SILT_IO_PLY_FILE_H

#include "silt/base.h"

enum { SILT_PLY_ELEMENTS = 16, SILT_PLY_PROPERTIES = 64 };

typedef enum SiltPlyType {
    SILT_PLY_NONE,
    SILT_PLY_I8,
    SILT_PLY_U8,
    SILT_PLY_I16,
    SILT_PLY_U16,
    SILT_PLY_I32,
    SILT_PLY_U32,
    SILT_PLY_F32,
    SILT_PLY_F64
} SiltPlyType;

typedef struct SiltPlyProperty {
    char name[32];
    SiltPlyType count_type; // of a list's length; SILT_PLY_NONE for a plain number
    SiltPlyType type;
    int role; // the reader's own
} SiltPlyProperty;

typedef struct SiltPlyElement {
    char name[32];
    uint64_t count;
    SiltPlyProperty properties[SILT_PLY_PROPERTIES];
    int property_count;
} SiltPlyElement;

typedef struct SiltPly {
    const char *path;
    char *text;           // the whole file
    const char *at, *end; // what is left of it
    const char *body;     // behind the header
    bool is_text, big_endian;
    SiltPlyElement elements[SILT_PLY_ELEMENTS];
    int element_count;
} SiltPly;

// Whether a file that begins like this is PLY.
bool silt_ply_recognise(const unsigned char *head, size_t bytes);

// Reads the file and its header; `ply->at` stands before the first number. silt_ply_close frees what it
// holds, after a failure too.
SiltStatus silt_ply_open(const char *path, SiltPly *ply);
void silt_ply_close(SiltPly *ply);

SiltStatus silt_ply_bad_header(const SiltPly *ply, const char *what);
SiltStatus silt_ply_ends_early(const SiltPly *ply, const char *what, uint64_t index);

// Numbers of a comment "comment silt WORD a b c"; false when there is none.
bool silt_ply_comment(const SiltPly *ply, const char *word, int count, double *out);

bool silt_ply_number(SiltPly *ply, SiltPlyType type, double *out);
// The length of a list, checked against what is left of the file.
SiltStatus silt_ply_list(SiltPly *ply, const SiltPlyProperty *property, uint64_t item, uint64_t *length);
// Refuses a count no file could hold, before memory is asked for.
SiltStatus silt_ply_check_count(const SiltPly *ply, const SiltPlyElement *element);

#endif
