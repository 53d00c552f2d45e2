CASE(silt_decay, 1, PUT_F(0, silt_decay(ANY(0))))
