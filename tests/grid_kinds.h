// The grid models with settings that bring every phase to work, for laws that hold ways of running them
// against each other.
#ifndef SILT_GRID_KINDS_H
#define SILT_GRID_KINDS_H

typedef struct Kind {
    const char *model, *settings;
} Kind;

static const Kind kinds[] = {
    {"thermal", ""},
    {"thermal", "neighbours=eight talus=10"},
    {"cells", "rain=200"},
    {"cells", "neighbours=four spread=even rain=200 north=closed east=closed"},
    {"cells", "rain_pattern=drops drop_radius=30 rain=2000 sources=5,5,30,20,0,0,0.2 strata=4,1,0;3,0.1,12"},
    {"pipes", "rain=200"},
    {"pipes", "neighbours=eight rain=2000 bank_angle=20 north=closed west=closed"},
    {"pipes", "transport=semi-lagrangian rain=200 pipe_area=30"},
    {"pipes", "neighbours=eight transport=semi-lagrangian time_scaling=paper rain=200 south=closed"},
    {"pipes", "rain_altitude=1e-3 evaporation_kind=altitude sources=5,5,30,20,0,0,0.2 strata=4,1,0;3,0.1,12"},
    {"pipes", "paper=on rain=2000 south=open"},
    {"pipes", "outflows=two neighbours=eight rain=2000"},
    {"newton", "rain=2000"},
    {"newton", "averaging=all time_scaling=paper rain=2000 south=closed west=closed"},
    {"newton",
     "rain_altitude=1e-3 evaporation_kind=altitude sources=5,5,30,20,0,0,0.2 strata=4,1,0;3,0.1,12"},
    {"newton", "reach=40 rain=2000 strata=4,1,0;3,0.1,12"},
    {"newton", "rain_pattern=hammersley drop_spacing=15 drop_radius=60 drop_interval=0.01 rain=2000"},
};
enum { GRID_KINDS = sizeof kinds / sizeof kinds[0] };

static inline uint64_t mix_books(uint64_t hash, const SiltReport *report)
{
    const double books[] = {report->ledger.water.added, report->ledger.water.removed,
                            report->ledger.rock.added, report->ledger.rock.removed};
    for (int k = 0; k < 4; k++) {
        uint64_t bits;
        memcpy(&bits, &books[k], sizeof bits);
        hash = hash * 0x9E3779B97F4A7C15u + bits;
    }
    return hash;
}

#endif
