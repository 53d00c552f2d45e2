CASE(silt_smoothstep, 1, PUT_F(0, silt_smoothstep(REAL(0, 10), REAL(1, 10), REAL(2, 10))))
CASE(silt_voxel_capacity, 1, PUT_F(0, silt_voxel_capacity(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_voxel_strike, 1, PUT_F(0, silt_voxel_strike(ANY(0), ANY(1), ANY(2))))
CASE(silt_voxel_dissolved, 1, PUT_F(0, silt_voxel_dissolved(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(silt_voxel_dropped, 1, PUT_F(0, silt_voxel_dropped(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4))))
CASE(silt_voxel_phase, 1, PUT_F(0, silt_voxel_phase(ANY(0), ANY(1))))
CASE(silt_voxel_sinking, 1,
     PUT_F(0, silt_voxel_sinking(POSITIVE(0, 39), REAL(1, 1), REAL(2, 2), POSITIVE(3, 2), POSITIVE(4, 2),
                                 UNIT(5), POSITIVE(6, 30), UNIT(7))))
CASE(silt_voxel_area, 1, PUT_F(0, silt_voxel_area(ANY(0))))
CASE(silt_voxel_area_of_part, 1, PUT_F(0, silt_voxel_area_of_part(ANY(0), ANY(1))))
CASE(silt_voxel_spread, 1, PUT_F(0, silt_voxel_spread(ANY(0), ANY(1))))
