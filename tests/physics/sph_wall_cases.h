CASE(silt_wall_drag, 1, PUT_F(0, silt_wall_drag(ANY(0), ANY(1), ANY(2))))
