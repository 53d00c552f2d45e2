// A window led by lines of text, for tests and for the pictures of the documentation.
#ifndef SILT_VIEW_SCRIPT_H
#define SILT_VIEW_SCRIPT_H

#include "view.h"

// Does what the lines of a file say ('-': of standard input), one after the other while the window lives on.
// Words in angle brackets are numbers or names.
//     wait <seconds>              rest [<seconds>]: until nothing is cooked any more
//     settle [<seconds>]          the same, and until the picture is drawn in full
//     action <name>               as by its key or menu
//     pick <terrain|stages|outputs> <index>
//     set <parameter> <text>      of the picked entry, as typed;   default <parameter>
//     slide <parameter> <share>   its slider, 0 to 1, as a drag does
//     paint <x> <y> <x> <y>       the chosen tool, in shares of the land's width and height
//     orbit <dx> <dy>             pixels;  zoom <factor>
//     fingers <dx> <dy> <factor> <degrees>  two of them, from the middle of the land: how far they move
//                                 together, how far apart they come, and how far they turn, clockwise
//     pen <pressure> <x> <y> <x> <y>  the same as paint, with a pen that is pressed so hard, 0 to 1
//     gaze                        prints where the camera looks
//     where <name>                prints the middle of a widget: land, or a parameter's row
//     say                         prints the last sentence;  state: prints what plays
//     warned                      prints the last warning that was shown
//     notice                      prints what stands over the land
//     times                       prints seconds: of a clock, until the first picture, of the window's work
//     and of all;
//                                 and how many pictures, previews and steps there have been
//     hash                        prints the hash of the heights that are shown
//     save <path>, export <path>, open <path>, picture <path>
//     try <path>                  opens it where that can be done
//     window <path>               the window itself as a PNG
//     size <width> <height>       expect <word> in the last sentence
//     press <name>                a button by its name, or what a parameter's row has to press
//     drop <path>                 as though the file had been dropped on the window
//     lose                        the card forgets all it was given, and its context is another
//     names                       prints controls that have no name for those who do not see (GTK_A11Y=test)
//     quit                        without asking
void script_run(View *view, const char *path);
void script_times(View *view); // prints what `times` says
void script_names(View *view); // and `names`
void script_fingers(View *view, const double move[2], double factor, double degrees);
bool script_paint(View *view, const double line[4], double pressure); // false: no tool takes it
int script_status(void);                                              // 0, or 1 when a line could not be done

#endif
