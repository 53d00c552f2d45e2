// What people do with each command, for help and the man page.
#include "cli.h"

static const Example examples[] = {
    {"new", "silt new noise --size 1024 --cell 10 --seed 7 -o hills.tif", "hills of 10 km from noise"},
    {"new", "silt help noise", "what noise can be told with --set"},
    {"erode",
     "silt erode rivers dem.tif --time 100kyr --set uplift=0.5mm/year -o later.tif --report run.json",
     "a DEM after 100,000 years, and a report that says how"},
    {"erode", "silt erode pipes hills.tif --steps 2000 -o worn.tif --maps maps", "with a map of every layer"},
    {"erode", "silt erode rivers dem.tif --time 1Myr --frames f --statistics -o later.tif",
     "fifty frames on the way, and their drainage in f/statistics.csv"},
    {"rivers", "silt rivers dem.tif -o rivers.gpkg --maps maps --concavity 0.45",
     "rivers and lakes for QGIS; chi, ksn, flow direction and filled heights as maps"},
    {"rivers", "silt rivers dem.tif -o rivers.geojson --lakes lakes.geojson", "each in a file of its own"},
    {"profile", "silt profile dem.tif --river largest -o river.svg --against chi_m",
     "the longest profile of the largest river over chi"},
    {"profile", "silt profile dem.tif --from 500,200 --to 9000,4000 --swath 1km -o swath.csv",
     "a line with what lies half a kilometre on both sides"},
    {"profile", "silt profile dem.tif --hypsometry", "how much of the land lies higher than what, as CSV"},
    {"render", "silt render later.tif --before dem.tif -o both.png", "before and after in the same light"},
    {"run", "silt run alpine -D seed=3 -D size=512", "a preset with other values"},
    {"run", "silt run scene.yaml --watch",
     "again whenever the file is saved, from the first stage that changed"},
    {"sweep", "silt sweep steady.yaml -D K=1e-5,2e-5,4e-5 -D U=1e-4:1e-3:log5 -o sweep --plot U:relief_m",
     "fifteen runs: a table, a contact sheet and a plot; the same command goes on if it was stopped"},
    {"again", "silt again run.json", "the same run, and whether its files have the same bytes"},
    {"info", "silt info dem.tif --drainage --json", "size, range and what tells land from noise"},
    {"convert", "silt convert dem.tif half.tif --size 512", "fewer cells over the same ground"},
    {"list", "silt list presets", "land that is ready to be made"},
    {"help", "silt help ksn",
     "a layer; 'silt help K' is a symbol, 'silt help overhang' finds all that speaks of it"},
};

const Example *example_at(int index)
{
    return index < (int)(sizeof examples / sizeof examples[0]) ? &examples[index] : NULL;
}
