#include "views/correlate.h"
#include "views/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONE_IN_20  1.959964 /* standard deviations, two-sided */
#define OFF        3.5      /* robust standard deviations */
#define ROBUST     1.4826   /* median absolute deviation of a normal distribution: 1 of that */
#define LEAST_PART 0.01     /* of the greatest value */

enum { FEWEST = 4, MOST_POINTS = 256 };

/* ---- Spearman ---- */

static int by_value_of(const void *a, const void *b, void *values)
{
    const double *v = values;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return v[x] != v[y] ? (v[x] < v[y] ? -1 : 1) : (x > y) - (x < y);
}

/* Equal values share their positions. */
static double *positions_of(struct sca_workspace *space, const double *values, uint32_t n)
{
    uint32_t *order = sca_workspace_alloc(space, n, sizeof *order);
    double *positions = sca_workspace_alloc(space, n, sizeof *positions);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_value_of, (void *)(uintptr_t)values);
    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && values[order[end]] == values[order[first]];)
            end++;
        for (uint32_t i = first; i < end; i++)
            positions[order[i]] = (first + end - 1) / 2.0;
    }
    return positions;
}

/* ---- Kendall ---- */

struct value_pair {
    double x, y;
};

static int by_both(const void *a, const void *b)
{
    const struct value_pair *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static double pairs_among(double n)
{
    return n * (n - 1) / 2;
}

/* Of sorted pairs: those equal in x, and in both. */
static void count_ties(const struct value_pair *pairs, uint32_t n, double *of_x, double *of_both)
{
    uint32_t x = 0, both = 0;
    for (uint32_t i = 1; i <= n; i++) {
        bool other = i == n || pairs[i].x != pairs[x].x;
        if (other || pairs[i].y != pairs[both].y) {
            *of_both += pairs_among(i - both);
            both = i;
        }
        if (other) {
            *of_x += pairs_among(i - x);
            x = i;
        }
    }
}

static double count_equal(const double *sorted, uint32_t n)
{
    double ties = 0;
    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && sorted[end] == sorted[first];)
            end++;
        ties += pairs_among(end - first);
    }
    return ties;
}

/* Sorts by merging; returns how many neighbours had to change places. */
static double sort_counting(double *y, double *other, uint32_t n)
{
    double swaps = 0;
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t left = 0; left < n; left += 2 * width) {
            uint32_t middle = left + width < n ? left + width : n;
            uint32_t end = middle + width < n ? middle + width : n;
            for (uint32_t i = left, j = middle, to = left; to < end; to++) {
                bool right = i == middle || (j < end && y[j] < y[i]);
                swaps += right ? middle - i : 0;
                other[to] = right ? y[j++] : y[i++];
            }
        }
        memcpy(y, other, n * sizeof *y);
    }
    return swaps;
}

static double kendall(struct sca_workspace *space, const double *x, const double *y, uint32_t n)
{
    struct value_pair *pairs = sca_workspace_alloc(space, n, sizeof *pairs);
    double *seconds = sca_workspace_alloc(space, n, sizeof *seconds);
    double *other = sca_workspace_alloc(space, n, sizeof *other);
    double all = pairs_among(n), of_x = 0, of_both = 0;
    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct value_pair){x[i], y[i]};
    qsort(pairs, n, sizeof *pairs, by_both);
    count_ties(pairs, n, &of_x, &of_both);
    for (uint32_t i = 0; i < n; i++)
        seconds[i] = pairs[i].y;
    double swaps = sort_counting(seconds, other, n), of_y = count_equal(seconds, n);
    return (all - of_x - of_y + of_both - 2 * swaps) / sqrt((all - of_x) * (all - of_y));
}

/* ---- coefficients ---- */

double sca_correlate(struct sca_workspace *space, enum sca_method method, const double *x,
                     const double *y, uint32_t n)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double r = sca_figures_correlation(x, y, n);
    if (isnan(r) || method == SCA_METHOD_PEARSON)
        return r;
    if (method == SCA_METHOD_KENDALL)
        r = kendall(&scratch, x, y, n);
    else
        r = sca_figures_correlation(positions_of(&scratch, x, n), positions_of(&scratch, y, n), n);
    sca_workspace_free(&scratch);
    return r;
}

/* Standard deviation by chance: of atanh(r), of Kendall's r itself. */
static double by_chance(enum sca_method method, double n)
{
    if (method == SCA_METHOD_KENDALL)
        return sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)));
    return sqrt((method == SCA_METHOD_SPEARMAN ? 1.06 : 1.0) / (n - 3));
}

double sca_correlate_chance(enum sca_method method, double r, uint32_t n)
{
    if (isnan(r) || n < FEWEST)
        return (double)NAN;
    double size = fmin(fabs(r), 1);
    double z = method == SCA_METHOD_KENDALL ? size : atanh(size);
    return erfc(z / by_chance(method, n) / sqrt(2));
}

double sca_correlate_limit(enum sca_method method, uint32_t n)
{
    if (n < FEWEST)
        return 1;
    double z = ONE_IN_20 * by_chance(method, n);
    return method == SCA_METHOD_KENDALL ? fmin(z, 1) : tanh(z);
}

/* ---- a line ---- */

static double middle_of(double *values, uint32_t n)
{
    sca_figures_sort(values, n);
    return sca_figures_quantile(values, n, 0.5);
}

/* NAN: x does not vary. */
static double slope_of(struct sca_workspace *space, const double *x, const double *y, uint32_t n)
{
    uint32_t m = n < MOST_POINTS ? n : MOST_POINTS, used = 0;
    double *slopes = sca_workspace_alloc(space, (size_t)m * m / 2 + 1, sizeof *slopes);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = i + 1; j < m; j++) {
            uint32_t a = (uint32_t)((uint64_t)i * n / m), b = (uint32_t)((uint64_t)j * n / m);
            if (fabs(x[b] - x[a]) > 1e-9 * fmax(fabs(x[a]), fabs(x[b])))
                slopes[used++] = (y[b] - y[a]) / (x[b] - x[a]);
        }
    return used ? middle_of(slopes, used) : (double)NAN;
}

double sca_correlate_distance(const struct sca_line *line, double x, double y)
{
    return y - line->intercept - (isnan(line->slope) ? 0 : line->slope * x);
}

void sca_correlate_line(struct sca_workspace *space, const double *x, const double *y, uint32_t n,
                        struct sca_line *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *rest = sca_workspace_alloc(&scratch, n, sizeof *rest), most = 0;
    *out = (struct sca_line){.slope = slope_of(&scratch, x, y, n)};
    for (uint32_t i = 0; i < n; i++) {
        rest[i] = sca_correlate_distance(out, x[i], y[i]);
        most = fmax(most, fabs(y[i]));
    }
    out->intercept = middle_of(rest, n);
    for (uint32_t i = 0; i < n; i++)
        rest[i] = fabs(rest[i] - out->intercept);
    out->usual = n < FEWEST ? HUGE_VAL : fmax(OFF * ROBUST * middle_of(rest, n), LEAST_PART * most);
    sca_workspace_free(&scratch);
}
