// The judge of scripts/landform-judge: reads the names of measures on one line and tiles on the others
// ("kind,group,number,..."; kind `real` or that of a preset, group a DEM or a seed), learns to tell made
// tiles from real ones, and prints how often it is right about tiles of a DEM and a seed that it has not
// seen.
//
// Logistic regression on the measures z, brought to mean 0 and deviation 1 by the real tiles, and on z^2 - 1,
// with both sides weighing the same and a penalty of RIDGE / 2 |b|^2, by Newton's steps: (X' W X + R) db = X'
// (y - p) - R b.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEASURES = 21,
    COLUMNS = 2 * MEASURES + 1,
    MOST = 20000,
    GROUPS = 256,
    WORD = 64,
    STEPS = 8,
    FEWEST = 3
};
static const double RIDGE = 4.0, WEIGHT = 100.0, FURTHEST = 4.0;

typedef struct Tile {
    int group;
    double x[COLUMNS]; // 1, measures, their squares
} Tile;

static char names[MEASURES][WORD];
static Tile tiles[MOST];
static int side[MOST]; // 1 made, 0 real, -1 not shown
static int tile_count, group_count, size_of[GROUPS];
static char kind[GROUPS][WORD], label[GROUPS][WORD];
static double beta[COLUMNS];

static double score(const Tile *tile)
{
    double sum = 0.0;
    for (int k = 0; k < COLUMNS; k++)
        sum += beta[k] * tile->x[k];
    return sum;
}

// h d = g for symmetric, positive h; g becomes d.
static void solve(double h[COLUMNS][COLUMNS], double *g)
{
    for (int k = 0; k < COLUMNS; k++)
        for (int l = 0; l <= k; l++) {
            double sum = h[k][l];
            for (int n = 0; n < l; n++)
                sum -= h[k][n] * h[l][n];
            h[k][l] = k == l ? sqrt(fmax(sum, 1e-12)) : sum / h[l][l];
        }
    for (int k = 0; k < COLUMNS; k++) {
        for (int n = 0; n < k; n++)
            g[k] -= h[k][n] * g[n];
        g[k] /= h[k][k];
    }
    for (int k = COLUMNS - 1; k >= 0; k--) {
        for (int n = k + 1; n < COLUMNS; n++)
            g[k] -= h[n][k] * g[n];
        g[k] /= h[k][k];
    }
}

static bool learn(void)
{
    static double h[COLUMNS][COLUMNS];
    int shown[2] = {0, 0};
    for (int t = 0; t < tile_count; t++)
        if (side[t] >= 0)
            shown[side[t]]++;
    if (shown[0] == 0 || shown[1] == 0)
        return false;
    memset(beta, 0, sizeof beta);
    for (int step = 0; step < STEPS; step++) {
        double g[COLUMNS];
        memset(h, 0, sizeof h);
        for (int k = 0; k < COLUMNS; k++) {
            g[k] = k ? -RIDGE * beta[k] : 0.0;
            h[k][k] = k ? RIDGE : 1e-6;
        }
        for (int t = 0; t < tile_count; t++) {
            if (side[t] < 0)
                continue;
            const double *x = tiles[t].x;
            double p = 1.0 / (1.0 + exp(-fmax(-30.0, fmin(30.0, score(&tiles[t]))))),
                   n = WEIGHT / shown[side[t]];
            for (int k = 0; k < COLUMNS; k++) {
                g[k] += n * (side[t] - p) * x[k];
                for (int l = 0; l <= k; l++)
                    h[k][l] += n * p * (1.0 - p) * x[k] * x[l];
            }
        }
        solve(h, g);
        for (int k = 0; k < COLUMNS; k++)
            beta[k] += g[k];
    }
    return true;
}

// How often a tile of the group `made` scores above one of the group `real`.
static double auc(int made, int real)
{
    double wins = 0.0;
    for (int t = 0; t < tile_count; t++)
        for (int u = 0; u < tile_count && tiles[t].group == made; u++)
            if (tiles[u].group == real) {
                double a = score(&tiles[t]), b = score(&tiles[u]);
                wins += a > b ? 1.0 : a == b ? 0.5 : 0.0;
            }
    return wins / size_of[made] / size_of[real];
}

static bool is_real(int group)
{
    return strcmp(kind[group], "real") == 0;
}

// Mean and deviation of real tiles become 0 and 1; a number that is missing becomes an average one.
static void standardise(void)
{
    for (int k = 1; k <= MEASURES; k++) {
        double n = 0.0, sum = 0.0, square = 0.0;
        for (int t = 0; t < tile_count; t++)
            if (is_real(tiles[t].group) && !isnan(tiles[t].x[k])) {
                n += 1.0;
                sum += tiles[t].x[k];
                square += tiles[t].x[k] * tiles[t].x[k];
            }
        double mean = sum / n, deviation = sqrt(square / n - mean * mean);
        for (int t = 0; t < tile_count; t++) {
            double z = isnan(tiles[t].x[k]) ? 0.0 : (tiles[t].x[k] - mean) / deviation;
            z = fmax(-FURTHEST, fmin(FURTHEST, z));
            tiles[t].x[0] = 1.0;
            tiles[t].x[k] = z;
            tiles[t].x[k + MEASURES] = (z * z - 1.0) / 1.5;
        }
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const char *of, int k)
{
    static double values[MOST];
    int count = 0;
    for (int t = 0; t < tile_count; t++)
        if (strcmp(kind[tiles[t].group], of) == 0)
            values[count++] = tiles[t].x[k];
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static void print_detail(const char *of)
{
    double off[MEASURES + 1];
    for (int k = 1; k <= MEASURES; k++)
        off[k] = median(of, k) - median("real", k);
    for (int n = 0; n < 5; n++) {
        int best = 1;
        for (int k = 2; k <= MEASURES; k++)
            if (fabs(off[k]) > fabs(off[best]))
                best = k;
        printf("%s %s %+.1f", n ? "," : "", names[best - 1], off[best]);
        off[best] = 0.0;
    }
    printf(" |");
}

static void judge_kind(const char *of, bool detail)
{
    double sum = 0.0, parts = 0.0;
    for (int d = 0; d < group_count; d++)
        for (int s = 0; s < group_count; s++) {
            if (!is_real(d) || size_of[d] < FEWEST || strcmp(kind[s], of) != 0)
                continue;
            for (int t = 0; t < tile_count; t++) {
                int group = tiles[t].group;
                side[t] = group == d || group == s       ? -1
                          : is_real(group)               ? 0
                          : strcmp(kind[group], of) == 0 ? 1
                                                         : -1;
            }
            if (learn()) {
                sum += auc(s, d);
                parts += 1.0;
            }
        }
    printf("| %s | %.2f |", of, parts > 0.0 ? sum / parts : NAN);
    if (detail)
        print_detail(of);
    printf("\n");
}

// What presets have in common: a judge who has learned from all presets but one is asked about that one.
static void judge_unseen(bool detail)
{
    double sum = 0.0, parts = 0.0;
    int home = group_count; // of all tiles of the preset that is asked about
    for (int first = 0; first < group_count; first++) {
        bool again = is_real(first);
        for (int before = 0; before < first; before++)
            again = again || strcmp(kind[before], kind[first]) == 0;
        for (int d = 0; d < group_count && !again; d++) {
            if (!is_real(d) || size_of[d] < FEWEST)
                continue;
            static int own[MOST];
            size_of[home] = 0;
            for (int t = 0; t < tile_count; t++) {
                own[t] = tiles[t].group;
                bool asked = strcmp(kind[own[t]], kind[first]) == 0;
                side[t] = own[t] == d || asked ? -1 : !is_real(own[t]);
                tiles[t].group = asked ? home : own[t];
                size_of[home] += asked;
            }
            if (learn()) {
                sum += auc(home, d);
                parts += 1.0;
            }
            for (int t = 0; t < tile_count; t++)
                tiles[t].group = own[t];
        }
    }
    if (parts > 0.0)
        printf("| a preset, by a judge who knows the others | %.2f |%s\n", sum / parts, detail ? " |" : "");
}

// One real DEM against the others, as if it were a preset and the halves of its list of tiles two seeds: what
// a land with a character of its own gets.
static void judge_dem(int own, bool detail)
{
    double sum = 0.0, parts = 0.0;
    int home = group_count; // of the half that is asked about
    for (int half = 0; half < 2; half++)
        for (int d = 0; d < group_count; d++) {
            if (!is_real(d) || d == own || size_of[d] < FEWEST)
                continue;
            int seen = 0, asked = 0, whole = size_of[own];
            for (int t = 0; t < tile_count; t++) {
                int group = tiles[t].group;
                side[t] = group == d || !is_real(group) ? -1 : group == own;
                if (group == own && (2 * seen++ >= whole) == half) {
                    side[t] = -1;
                    tiles[t].group = home;
                    asked++;
                }
            }
            size_of[home] = asked;
            if (asked > 0 && learn()) {
                sum += auc(home, d);
                parts += 1.0;
            }
            for (int t = 0; t < tile_count; t++)
                tiles[t].group = tiles[t].group == home ? own : tiles[t].group;
        }
    if (parts > 0.0)
        printf("| real: %s | %.2f |%s\n", label[own], sum / parts, detail ? " |" : "");
}

// Half of the real DEMs against the other half, for each way to part them.
static void judge_real(bool detail)
{
    int dem[GROUPS], count = 0;
    bool other[GROUPS] = {false}, used[GROUPS] = {false};
    double sum = 0.0, parts = 0.0;
    for (int d = 0; d < group_count; d++)
        if (is_real(d) && size_of[d] >= FEWEST && count < 16) {
            used[d] = true;
            dem[count++] = d;
        }
    for (unsigned way = 0; way < 1u << (count > 0 ? count - 1 : 0); way++) {
        int others = 0;
        for (int d = 0; d < count; d++)
            others += other[dem[d]] = way >> d & 1u;
        for (int d = 0; d < count && others == count / 2; d++)
            for (int s = 0; s < count; s++) {
                if (other[dem[d]] || !other[dem[s]])
                    continue;
                for (int t = 0; t < tile_count; t++) {
                    int group = tiles[t].group;
                    side[t] = !used[group] || group == dem[d] || group == dem[s] ? -1 : other[group];
                }
                if (learn()) {
                    sum += auc(dem[s], dem[d]);
                    parts += 1.0;
                }
            }
    }
    printf("| real land against real land | %.2f |%s\n", parts > 0.0 ? sum / parts : NAN, detail ? " |" : "");
}

static int group_named(const char *of, const char *which)
{
    for (int g = 0; g < group_count; g++)
        if (strcmp(kind[g], of) == 0 && strcmp(label[g], which) == 0)
            return g;
    if (group_count == GROUPS)
        return -1;
    snprintf(kind[group_count], WORD, "%.63s", of);
    snprintf(label[group_count], WORD, "%.63s", which);
    return group_count++;
}

// The field up to the next comma; `*rest` goes behind it.
static char *field(char **rest)
{
    char *begin = *rest, *end = begin + strcspn(begin, ",\n");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return begin;
}

static bool read_tiles(void)
{
    static char line[8192];
    for (bool first = true; fgets(line, sizeof line, stdin); first = false) {
        char *rest = line;
        if (first) {
            for (int k = 0; k < MEASURES; k++)
                snprintf(names[k], WORD, "%.63s", field(&rest));
            continue;
        }
        char *of = field(&rest), *which = field(&rest);
        int group = group_named(of, which);
        if (group < 0 || tile_count == MOST)
            return false;
        Tile *tile = &tiles[tile_count++];
        tile->group = group;
        size_of[group]++;
        for (int k = 1; k <= MEASURES; k++) {
            char *text = field(&rest);
            tile->x[k] = *text ? strtod(text, NULL) : NAN;
        }
    }
    return tile_count > 0;
}

int main(int count, char **words)
{
    bool detail = count > 1 && strcmp(words[1], "detail") == 0;
    if (!read_tiles()) {
        fprintf(stderr, "landform-judge: no tiles, or too many\n");
        return 1;
    }
    standardise();
    printf("| land | AUC |%s\n|---|---|%s\n", detail ? " differs most |" : "", detail ? "---|" : "");
    for (int g = 0; g < group_count; g++) {
        bool done = is_real(g);
        for (int before = 0; before < g; before++)
            done = done || strcmp(kind[before], kind[g]) == 0;
        if (!done)
            judge_kind(kind[g], detail);
    }
    if (group_count < GROUPS)
        judge_unseen(detail);
    for (int g = 0; g < group_count && group_count < GROUPS; g++)
        if (is_real(g) && size_of[g] >= FEWEST)
            judge_dem(g, detail);
    judge_real(detail);
    return 0;
}
