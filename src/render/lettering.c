#include "render/lettering.h"

#include <math.h>
#include <string.h>

// Polylines on a grid of 5 columns and 9 rows, a pair of digits a corner: capitals and digits stand on row 6
// and reach row 0, small letters row 2, tails row 8.
typedef struct Glyph {
    char letter;
    const char *strokes;
} Glyph;

static const Glyph glyphs[] = {
    {'0', "103041453616050110"},
    {'1', "112026 1636"},
    {'2', "011030414206 0646"},
    {'3', "01103041423323 3344453616 1605"},
    {'4', "36300444"},
    {'5', "4000023243453606"},
    {'6', "30100105163645443303"},
    {'7', "004016"},
    {'8', "13020110304142331304051636454433"},
    {'9', "43130201103041453616"},
    {'.', "1616"},
    {',', "1607"},
    {'-', "1434"},
    {'+', "0444 2226"},
    {'/', "4006"},
    {'_', "0747"},
    {'%', "4006 0101 4545"},
    {'(', "30212536"},
    {')', "10212516"},
    {':', "1313 1616"},
    {'=', "0343 0545"},
    {'A', "062046 1434"},
    {'B', "00063645443303 0030414233"},
    {'C', "4130100105163645"},
    {'D', "00062644422000"},
    {'E', "40000646 0333"},
    {'F', "400006 0333"},
    {'G', "41301001051636454323"},
    {'H', "0006 4046 0343"},
    {'I', "1030 2026 1636"},
    {'J', "4045361605"},
    {'K', "0006 400346"},
    {'L', "000646"},
    {'M', "0600234046"},
    {'N', "06004640"},
    {'O', "103041453616050110"},
    {'P', "06003041423303"},
    {'Q', "103041453616050110 2446"},
    {'R', "06003041423303 2346"},
    {'S', "413010010213334445361605"},
    {'T', "0040 2026"},
    {'U', "000516364540"},
    {'V', "002640"},
    {'W', "0016233640"},
    {'X', "0046 4006"},
    {'Y', "002340 2326"},
    {'Z', "00400646"},
    {'a', "4332120305163645 4246"},
    {'b', "0006 0312324345361605"},
    {'c', "4332120305163645"},
    {'d', "4046 4332120305163645"},
    {'e', "04444332120305163645"},
    {'f', "30201116 0232"},
    {'g', "42473818 4332120305163645"},
    {'h', "0006 0312324346"},
    {'i', "2226 2020"},
    {'j', "222718 2020"},
    {'k', "0006 320436"},
    {'l', "202536"},
    {'m', "0206 03122326 23324346"},
    {'n', "0206 0312324346"},
    {'o', "123243453616050312"},
    {'p', "0208 0312324345361605"},
    {'q', "4248 4332120305163645"},
    {'r', "0206 042232"},
    {'s', "42120314344536 3606"},
    {'t', "10152636 0232"},
    {'u', "0205163645 4246"},
    {'v', "022642"},
    {'w', "0216233642"},
    {'x', "0246 4206"},
    {'y', "0226 4218"},
    {'z', "02420646"},
};

static const char *strokes_of(char letter)
{
    for (size_t k = 0; k < sizeof glyphs / sizeof glyphs[0]; k++)
        if (glyphs[k].letter == letter)
            return glyphs[k].strokes;
    return "";
}

static bool is_raised(const char *text, size_t k, bool unit)
{
    bool digit = text[k] >= '0' && text[k] <= '9';
    return unit && digit && k > 0 && text[k - 1] >= 'a' && text[k - 1] <= 'z';
}

// The columns that a letter takes, and the first of them.
static double extent(char letter, double *first)
{
    const char *strokes = strokes_of(letter);
    double low = 4.0, high = 0.0;
    for (; *strokes; strokes++) {
        if (*strokes == ' ')
            continue;
        low = fmin(low, *strokes - '0');
        high = fmax(high, *strokes - '0');
        strokes++;
    }
    *first = low < 4.0 ? low : 0.0;
    return letter >= '0' && letter <= '9' ? 4.0 : high > low ? high - low : letter == ' ' ? 1.5 : 0.0;
}

double silt_text_width(const char *text, double size, bool unit)
{
    double width = 0.0, first;
    for (size_t k = 0; text[k]; k++)
        width += (extent(text[k], &first) + 2.0) * size / 6.0 * (is_raised(text, k, unit) ? 0.6 : 1.0);
    return width - 2.0 * size / 6.0;
}

static void blend(uint8_t *rgba, SiltColour colour, double cover)
{
    const float channels[3] = {colour.r, colour.g, colour.b};
    double under = rgba[3] / 255.0, alpha = cover + under * (1.0 - cover);
    for (int c = 0; c < 3 && alpha > 0.0; c++) {
        double value = (255.0 * channels[c] * cover + rgba[c] * under * (1.0 - cover)) / alpha;
        rgba[c] = (uint8_t)(value + 0.5);
    }
    rgba[3] = (uint8_t)(255.0 * alpha + 0.5);
}

static double distance_to(double x, double y, const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0.0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

// Distance of a point on a glyph's grid from its strokes.
static double distance_from(const char *strokes, double x, double y)
{
    double nearest = INFINITY, last[2] = {0.0, 0.0};
    bool begun = false;
    for (; *strokes; strokes++) {
        if (*strokes == ' ') {
            begun = false;
            continue;
        }
        double corner[2] = {strokes[0] - '0', strokes[1] - '0'};
        strokes++;
        if (begun)
            nearest = fmin(nearest, distance_to(x, y, last, corner));
        memcpy(last, corner, sizeof last);
        begun = true;
    }
    return nearest;
}

static void draw_glyph(const SiltImage *image, const char *strokes, double x, double y, double unit,
                       SiltColour colour)
{
    double half = fmax(0.42 * unit, 0.6) / unit; // half a stroke's width on the grid
    int left = (int)floor(x - unit), right = (int)ceil(x + 5.0 * unit);
    int top = (int)floor(y - 7.0 * unit), bottom = (int)ceil(y + 3.0 * unit);
    for (int j = top < 0 ? 0 : top; j < bottom && j < image->height; j++)
        for (int i = left < 0 ? 0 : left; i < right && i < image->width; i++) {
            double away = distance_from(strokes, (i + 0.5 - x) / unit, (j + 0.5 - y) / unit + 6.0);
            double cover = 0.5 + (half - away) * unit;
            if (cover > 0.0)
                blend(image->rgba + ((size_t)j * (size_t)image->width + (size_t)i) * 4, colour,
                      fmin(cover, 1.0));
        }
}

void silt_text_draw(const SiltImage *image, const char *text, double x, double y, double size, bool unit,
                    SiltColour colour)
{
    for (size_t k = 0; text[k]; k++) {
        bool raised = is_raised(text, k, unit);
        double grid = size / 6.0 * (raised ? 0.6 : 1.0), first, wide = extent(text[k], &first);
        bool digit = text[k] >= '0' && text[k] <= '9'; // which are all as wide as each other
        draw_glyph(image, strokes_of(text[k]), digit ? x : x - first * grid, raised ? y - 0.55 * size : y,
                   grid, colour);
        x += (wide + 2.0) * grid;
    }
}

void silt_image_fill(const SiltImage *image, double x, double y, double width, double height,
                     SiltColour colour, double cover)
{
    int left = (int)floor(x + 0.5), right = (int)floor(x + width + 0.5);
    int top = (int)floor(y + 0.5), bottom = (int)floor(y + height + 0.5);
    for (int j = top < 0 ? 0 : top; j < bottom && j < image->height; j++)
        for (int i = left < 0 ? 0 : left; i < right && i < image->width; i++)
            blend(image->rgba + ((size_t)j * (size_t)image->width + (size_t)i) * 4, colour, cover);
}
