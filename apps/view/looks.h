// How the land is shown: looks, overlays and light, one key each.
#ifndef SILT_VIEW_LOOKS_H
#define SILT_VIEW_LOOKS_H

#include "actions.h"
#include "cut.h"

// The options of pictures a window opens with.
void looks_init(View *view);
// A button whose popover holds looks, light, and the values of both.
GtkWidget *looks_button(View *view);
// A button whose menu lays a layer over the land.
GtkWidget *overlay_button(View *view);
void looks_refresh(View *view);
void looks_follow(View *view); // view->look has changed: land, popover and player follow

const char *overlay_name_at(int index); // in the order of their keys; NULL behind the last
bool look_is(const View *view, int look);
bool overlay_is(const View *view, int index);
bool overlay_is_there(const View *view, int index);
bool toggle_is(const View *view, int what);
bool air_is(const View *view, int what);

#define LOOK_ACTIONS(G)                                                                                        \
    {G, "look-land", "Land: grass, rock, snow", "1", act_look, SILT_LOOK_LAND, look_is, NULL},                 \
        {G, "look-hillshade", "Hillshade", "2", act_look, SILT_LOOK_HILLSHADE, look_is, NULL},                 \
        {G, "look-grey", "Grey: form alone", "3", act_look, SILT_LOOK_GREY, look_is, NULL},                    \
        {G, "look-contours", "Contour lines", "4", act_look, SILT_LOOK_CONTOURS, look_is, NULL},               \
        {G, "look-tint", "Heights as colours", "5", act_look, SILT_LOOK_TINT, look_is, NULL},                  \
        {G, "look-soil", "Bare soil", "<Shift>b", act_look, SILT_LOOK_SOIL, look_is, NULL},                    \
        {G, "shadows", "Shadows", "<Shift>s", act_toggle, TOGGLE_SHADOWS, toggle_is, NULL},                    \
        {G, "show-water", "Water", "<Shift>w", act_toggle, TOGGLE_WATER, toggle_is, NULL},                     \
        {G, "show-ice", "Ice", "<Shift>i", act_toggle, TOGGLE_ICE, toggle_is, NULL},                           \
        {G,   "show-sediment", "Sediment in the water", "<Shift>m", act_toggle, TOGGLE_SEDIMENT, toggle_is,    \
         NULL},                                                                                                \
        {G, "legend", "Legend of the overlay", "<Shift>l", act_toggle, TOGGLE_LEGEND, toggle_is, NULL},        \
        {G, "haze", "Haze in the air", "<Shift>z", act_air, AIR_HAZE, air_is, NULL},                           \
        {G, "glow", "Glow of bright places", "<Shift>y", act_air, AIR_GLOW, air_is, NULL},                     \
        {G,   "particles-next", "Particles: the next look", "<Shift>p", act_next_choice, NEXT_PARTICLES, NULL, \
         NULL},                                                                                                \
        {G,                                                                                                    \
         "particles-colours",                                                                                  \
         "Particles: the next colours",                                                                        \
         "<Shift>k",                                                                                           \
         act_next_choice,                                                                                      \
         NEXT_COLOURS,                                                                                         \
         NULL,                                                                                                 \
         NULL},                                                                                                \
        {G,    "worn-next", "Rock that was worn: the next look", "<Shift>v", act_next_choice, NEXT_WORN,       \
         NULL, NULL},                                                                                          \
        {G, "cut", "Cut rock open", "<Shift>c", act_cut, 0, is_cut, NULL},                                     \
        {G, "sun-left", "Sun to the left", "bracketleft", act_sun, SUN_LEFT, NULL, NULL},                      \
        {G, "sun-right", "Sun to the right", "bracketright", act_sun, SUN_RIGHT, NULL, NULL},                  \
        {G, "sun-up", "Sun higher", "braceright", act_sun, SUN_UP, NULL, NULL},                                \
        {G, "sun-down", "Sun lower", "braceleft", act_sun, SUN_DOWN, NULL, NULL},

#define OVERLAY_ACTIONS(G)                                                                                     \
    {G, "overlay-none", "No overlay", "0", act_overlay, 0, overlay_is, NULL},                                  \
        {G, "overlay-flow", "Flow of water", "6", act_overlay, 1, overlay_is, overlay_is_there},               \
        {G, "overlay-change", "Change of the ground", "7", act_overlay, 2, overlay_is, overlay_is_there},      \
        {G, "overlay-water", "Depth of water", "8", act_overlay, 3, overlay_is, overlay_is_there},             \
        {G, "overlay-speed", "Speed of water", "9", act_overlay, 4, overlay_is, overlay_is_there},             \
        {G, "overlay-sediment", "Sediment carried", "<Shift>j", act_overlay, 5, overlay_is, overlay_is_there}, \
        {G, "overlay-deposit", "What was laid down", "<Shift>o", act_overlay,                                  \
         6, overlay_is,        overlay_is_there},                                                              \
        {G, "overlay-wear", "What was worn away", "<Shift>x", act_overlay, 7, overlay_is, overlay_is_there},   \
        {G,          "overlay-erodibility", "How soft the rock is", "<Shift>h", act_overlay, 8,                \
         overlay_is, overlay_is_there},                                                                        \
        {G, "overlay-uplift", "Uplift", "<Shift>u", act_overlay, 9, overlay_is, overlay_is_there},             \
        {G, "overlay-ice", "Thickness of ice", "<Shift>g", act_overlay, 10, overlay_is, overlay_is_there},     \
        {G, "overlay-next", "The next layer there is", "o", act_overlay, -1, NULL, NULL},

#endif
