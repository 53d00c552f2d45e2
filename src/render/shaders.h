// The shaders of shaders/, put into the program by cmake/embed-shaders.cmake.
#ifndef SILT_RENDER_SHADERS_H
#define SILT_RENDER_SHADERS_H

extern const char silt_shader_common_glsl[], silt_shader_land_vert[], silt_shader_land_frag[];
extern const char silt_shader_skirt_vert[], silt_shader_skirt_frag[];
extern const char silt_shader_screen_vert[], silt_shader_sky_frag[];
extern const char silt_shader_bright_frag[], silt_shader_blur_frag[], silt_shader_finish_frag[];

#endif
