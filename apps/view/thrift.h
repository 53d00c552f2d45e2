// How often the window takes pictures of a run that plays. Where no graphics card draws them, they take the
// processor's time from the model: then they may cost a small share of it, unless a hand moves something.
#ifndef SILT_VIEW_THRIFT_H
#define SILT_VIEW_THRIFT_H

#include <stdbool.h>

typedef struct Thrift {
    double measured;   // when, s
    double spent;      // by this thread and those that draw, up to then, s
    double all;        // by all threads up to then, s
    double cores;      // that this program is given: others may work on the machine, too
    int frames;        // drawn up to then
    double cost;       // of a frame, s of one core; 0: not known
    bool draws_itself; // there are threads that draw: no card does
    double last;       // when a frame was taken, s
} Thrift;

// Seconds that this thread and those that draw in place of a card have worked.
double thrift_spent(bool *draws_itself);
// Once in a while while a run plays, with how many frames have been drawn.
void thrift_measure(Thrift *thrift, double now, int frames);
// Frames a second that can be afforded beside a run that takes so many steps in one.
double thrift_rate(const Thrift *thrift, double steps);
// Seconds until the next frame may be taken; 0: now, and it is taken.
double thrift_wait(Thrift *thrift, double now, double steps);

#endif
