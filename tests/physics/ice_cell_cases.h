CASE(ice_drop, 1, PUT_F(0, ice_drop(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(ice_fall, 1, PUT_F(0, ice_fall(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(ice_sliding_share, 1, PUT_F(0, ice_sliding_share(ANY(0), ANY(1), ANY(2), ANY(3))))
CASE(ice_pace, 1, PUT_F(0, ice_pace(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), ANY(5))))
CASE(ice_link, 3, IceLink link = ice_link(ANY(0), ANY(1), ANY(2), ANY(3), UNIT(4)); PUT_F(0, link.flow);
     PUT_F(1, link.from_a); PUT_F(2, link.from_b))
CASE(ice_balance, 1, PUT_F(0, ice_balance(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4))))
CASE(ice_wear, 1, PUT_F(0, ice_wear(ANY(0), ANY(1), ANY(2), ANY(3), ANY(4), ANY(5), ANY(6))))
CASE(ice_rockfall, 1, PUT_F(0, ice_rockfall(ANY(0), ANY(1), ANY(2), UNIT(3))))
