// Who draws random numbers. Each user has a stream of its own, so that no two ever see the same numbers.
#ifndef SILT_CORE_STREAMS_H
#define SILT_CORE_STREAMS_H

enum SiltStream {
    SILT_STREAM_TEST = 1,
    SILT_STREAM_NOISE,
    SILT_STREAM_DIAMOND_SQUARE,
    SILT_STREAM_FAULT,
    SILT_STREAM_RMP,
    SILT_STREAM_RANGE,
    SILT_STREAM_PLATES,
    SILT_STREAM_RAIN,
    SILT_STREAM_MOUNTAIN,
    SILT_STREAM_RENDER,
    SILT_STREAM_PYRAMID,
    SILT_STREAM_ROCK,
    SILT_STREAM_DROPS,
    SILT_STREAM_SPRINGS,
    SILT_STREAM_SLOPES,
};

#endif
