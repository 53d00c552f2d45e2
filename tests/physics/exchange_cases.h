#define RATES(slot)                                                                                          \
    SiltRates rates;                                                                                         \
    rates.dissolve = UNIT(slot);                                                                             \
    rates.settle = UNIT(slot + 1);                                                                           \
    rates.loose = 1.0f + POSITIVE(slot + 2, 6);                                                              \
    rates.per_loose = 1.0f / rates.loose;                                                                    \
    rates.dither = UNIT(slot + 3);                                                                           \
    rates.none = 0.0f;                                                                                       \
    rates.most = SILT_GRAINS_CHANGE
#define EXCHANGE(function)                                                                                   \
    RATES(0);                                                                                                \
    SiltExchange change = function(POSITIVE(4, 40), POSITIVE(5, 40), AMOUNT(6, 29), AMOUNT(7, 30),           \
                                   AMOUNT(8, 30), AMOUNT(9, 30), REAL(10, 7), FLAG(11), rates);              \
    PUT_I(0, change.ground);                                                                                 \
    PUT_I(1, change.deposit);                                                                                \
    PUT_I(2, change.wear)
CASE(silt_exchange_rock, 3, EXCHANGE(silt_exchange_rock))
#define EVENING(slot)                                                                                        \
    SiltEvening evening;                                                                                     \
    evening.keep = UNIT(slot);                                                                               \
    evening.blend = UNIT(slot + 1);                                                                          \
    evening.spread = UNIT(slot + 2)
CASE(silt_exchange_even, 1, EVENING(3); PUT_F(0, silt_exchange_even(ANY(0), ANY(1), ANY(2), evening)))
CASE(silt_exchange_beside, 1, PUT_F(0, silt_exchange_beside(GRAINS(0), ANY(1), ANY(2))))
CASE(silt_exchange_evened, 3, EVENING(7); SiltAround p; p.here = ANY(0); p.east = ANY(1); p.west = ANY(2);
     p.south = ANY(3); p.north = ANY(4); SiltEvened evened = silt_exchange_evened(p, ANY(5), ANY(6), evening);
     PUT_F(0, evened.even); PUT_F(1, evened.digs_for); PUT_F(2, evened.holds))
