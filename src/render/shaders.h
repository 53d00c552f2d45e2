// The shaders of shaders/, put into the program by cmake/embed-shaders.cmake.
#ifndef SILT_RENDER_SHADERS_H
#define SILT_RENDER_SHADERS_H

extern const char silt_shader_common_glsl[], silt_shader_land_glsl[], silt_shader_shade_glsl[],
    silt_shader_cut_glsl[], silt_shader_box_glsl[], silt_shader_sea_glsl[], silt_shader_sea_frag[],
    silt_shader_rock_glsl[], silt_shader_bricks_glsl[];
extern const char silt_shader_land_vert[], silt_shader_land_frag[], silt_shader_water_glsl[],
    silt_shader_wash_frag[];
extern const char silt_shader_slopes_frag[];
extern const char silt_shader_skirt_vert[], silt_shader_skirt_frag[];
extern const char silt_shader_screen_vert[], silt_shader_sky_frag[];
extern const char silt_shader_bright_frag[], silt_shader_blur_frag[], silt_shader_finish_frag[],
    silt_shader_film_glsl[];
extern const char silt_shader_mark_vert[], silt_shader_mark_frag[], silt_shader_sticker_vert[],
    silt_shader_sticker_frag[];
extern const char silt_shader_cast_vert[], silt_shader_cast_frag[];
extern const char silt_shader_solid_vert[], silt_shader_solid_frag[], silt_shader_rays_frag[],
    silt_shader_trace_glsl[], silt_shader_veil_frag[];
extern const char silt_shader_drop_vert[], silt_shader_ball_glsl[], silt_shader_ball_frag[],
    silt_shader_sprite_frag[];
extern const char silt_shader_drop_cast_vert[], silt_shader_drop_cast_frag[];
extern const char silt_shader_drop_depth_frag[], silt_shader_drop_smooth_frag[],
    silt_shader_drop_thick_frag[], silt_shader_fluid_frag[];

#endif
