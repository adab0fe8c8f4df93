#include "base/select.h"

#include <math.h>

/* Part of the list, and the places asked for that lie in it. */
struct stretch {
    int64_t low, high; /* inclusive */
    const uint32_t *places;
    uint32_t nplaces;
};

/* The value in the middle of three: a good one to divide by, whatever order they are in. */
static double divider(const double *x, const struct stretch *s)
{
    double a = x[s->low], b = x[s->low + (s->high - s->low) / 2], c = x[s->high];
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Afterwards none up to *left is larger than any from *right on, and those between are equal. */
static void divide(double *x, const struct stretch *s, int64_t *left, int64_t *right)
{
    double by = divider(x, s);
    int64_t i = s->low, k = s->high;
    while (i <= k) {
        for (; x[i] < by; i++)
            ;
        for (; x[k] > by; k--)
            ;
        if (i <= k) {
            double c = x[i];
            x[i++] = x[k];
            x[k--] = c;
        }
    }
    *left = k;
    *right = i;
}

static struct stretch part_of(const struct stretch *s, int64_t low, int64_t high)
{
    struct stretch part = {low, high, s->places, s->nplaces};
    for (; part.nplaces && *part.places < low; part.nplaces--)
        part.places++;
    while (part.nplaces && part.places[part.nplaces - 1] > high)
        part.nplaces--;
    return part;
}

/* Quickselect (Hoare, CACM 1961) for several places; the shorter side first, so that few calls are
 * open at a time. */
static void select_in(double *x, struct stretch s)
{
    while (s.nplaces && s.low < s.high) {
        int64_t left, right;
        divide(x, &s, &left, &right);
        struct stretch lower = part_of(&s, s.low, left), upper = part_of(&s, right, s.high);
        if (left - s.low < s.high - right) {
            select_in(x, lower);
            s = upper;
        } else {
            select_in(x, upper);
            s = lower;
        }
    }
}

void sca_select_places(double *x, uint32_t n, const uint32_t *places, uint32_t nplaces)
{
    select_in(x, (struct stretch){0, (int64_t)n - 1, places, nplaces});
}
