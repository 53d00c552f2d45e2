// How files are read and written, as parameters.
#include <math.h>

#include "silt/io.h"

static const SiltParam read_items[] = {
    SILT_VECTOR2(SiltReadOptions, heights, "m", NAN, NAN, -1e9, 1e9,
                 "metres of the lowest and highest integer of files that record none: PNG, PGM, RAW, NPY"),
    SILT_REAL(SiltReadOptions, cell, "m", NAN, 1e-6, 1e6, "size of a cell; none: as recorded in the file"),
    SILT_REAL(SiltReadOptions, nodata, "", NAN, -3.4028235e38, 3.4028235e38,
              "a further value that marks cells without data"),
    SILT_INT(SiltReadOptions, raw_width, "", 0, 0, SILT_MAX_SIDE,
             "columns of a RAW file; 0: from its .hdr or square"),
    SILT_INT(SiltReadOptions, raw_height, "", 0, 0, SILT_MAX_SIDE,
             "rows of a RAW file; 0: from its .hdr or square"),
    SILT_CHOICE(SiltReadOptions, raw_type, "auto u8 u16 i16 f32", "auto",
                "samples of a RAW file; auto is by its .hdr or ending, else u16"),
    SILT_CHOICE(SiltReadOptions, raw_order, "little big", "little",
                "byte order of a RAW file that has no .hdr"),
    SILT_LAYER(
        SiltReadOptions, holds, "",
        "the layer its values are, as drainage; empty: as the file says, else heights, which lie within "
        "1e7 m"),
    SILT_REAL(SiltReadOptions, scale, "", NAN, 1e-3, 1e9,
              "of STL and 3MF, which are in millimetres: 1 to how many, as 25000 or 1:25000; none: as "
              "recorded, else "
              "1000",
              .flags = SILT_RATIO),
};
const SiltParamTable silt_read_params = SILT_PARAM_TABLE(SiltReadOptions, read_items);

static const SiltParam write_items[] = {
    SILT_LAYER(SiltWriteOptions, layer, "height",
               "which layer a file of one layer holds; all: every layer, as channels of an EXR"),
    SILT_CHOICE(SiltWriteOptions, bits, "auto 8 16 32", "auto",
                "bits of a sample; auto is 32-bit float where the format has it, else 16"),
    SILT_VECTOR2(SiltWriteOptions, heights, "m", NAN, NAN, -1e9, 1e9,
                 "metres of the lowest and highest integer value; none: the layer's own range"),
    SILT_CHOICE(SiltWriteOptions, compression, "deflate zstd lzw none", "deflate",
                "how TIFF samples are packed"),
    SILT_INT(SiltWriteOptions, tile, "pixels", 0, 0, 4096,
             "side of a TIFF's tiles, a multiple of 16; 0 for strips"),
    SILT_CHOICE(SiltWriteOptions, raw_order, "little big", "little", "byte order of RAW samples"),
    SILT_REAL(SiltWriteOptions, error, "m", 0.0, 0.0, 1e5,
              "how far a mesh of heights may lie from them at any cell, for fewer triangles; 0: two a cell"),
    SILT_REAL(
        SiltWriteOptions, scale, "", 1000.0, 1e-3, 1e9,
        "of STL and 3MF, which are in millimetres: 1 to how many, as 25000 or 1:25000; 1000: a metre is a "
        "millimetre",
        .flags = SILT_RATIO),
    SILT_REAL(SiltWriteOptions, skirt, "m", 0.0, 0.0, 1e5,
              "close a mesh with walls and a floor this far below its lowest point; 0 leaves it open"),
    SILT_REAL(SiltWriteOptions, snow, "m", NAN, -1e5, 1e5,
              "colours of a glb: height above which snow lies; by the relief if not given"),
    SILT_REAL(SiltWriteOptions, arid, "1", 0.0, 0.0, 1.0,
              "colours of a glb: 0: grass and trees grow; 1: a desert"),
};
const SiltParamTable silt_write_params = SILT_PARAM_TABLE(SiltWriteOptions, write_items);
