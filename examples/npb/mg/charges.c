/* The right-hand side: a number is drawn for each point of the finest grid;
 * the ten largest mark the +1 charges, the ten smallest the -1 charges. */
#include "mg.h"

enum { CHARGES = 10 };

struct candidate {
    double value;
    ptrdiff_t at;
};

/* Candidates in falling order; the last one makes place. */
static void keep_largest(struct candidate *list, double value, ptrdiff_t at)
{
    int i = CHARGES - 1;

    if (value <= list[i].value)
        return;
    for (; i > 0 && value > list[i - 1].value; i--)
        list[i] = list[i - 1];
    list[i] = (struct candidate){value, at};
}

static void draw_line(struct candidate *largest, struct candidate *smallest, uint64_t seed,
                      ptrdiff_t at, int count)
{
    for (int i = 0; i < count; i++) {
        double drawn = npb_random(&seed, NPB_MULTIPLIER);
        keep_largest(largest, drawn, at + i);
        keep_largest(smallest, -drawn, at + i);
    }
}

static void draw_points(const struct mg *mg, struct candidate *largest, struct candidate *smallest)
{
    const struct mg_level *level = &mg->level[mg->finest];
    const int *count = level->count, *at = mg->at;
    uint64_t points = level->points;

    for (int k = 0; k < count[2]; k++)
        for (int j = 0; j < count[1]; j++) {
            uint64_t line = (uint64_t)(at[2] * count[2] + k) * points + at[1] * count[1] + j;
            uint64_t before = line * points + at[0] * count[0];
            draw_line(largest, smallest, npb_random_skip(314159265, NPB_MULTIPLIER, before),
                      1 + (j + 1) * level->box.stride[1] + (k + 1) * level->box.stride[2],
                      count[0]);
        }
}

/* The ranks agree on one charge after the other: who has the largest left? */
static void place_charges(struct mg *mg, const struct candidate *list, double charge)
{
    int next = 0;

    for (int placed = 0; placed < CHARGES; placed++) {
        double largest;
        MPI_Allreduce(&list[next].value, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (list[next].value == largest)
            mg->v[list[next++].at] = charge;
    }
}

void mg_make_charges(struct mg *mg)
{
    struct candidate largest[CHARGES + 1], smallest[CHARGES + 1];

    for (int i = 0; i <= CHARGES; i++)
        largest[i] = smallest[i] = (struct candidate){.value = -2}; /* below all drawn */
    draw_points(mg, largest, smallest);
    place_charges(mg, smallest, -1);
    place_charges(mg, largest, 1);
    mg_exchange(mg, &mg->level[mg->finest], mg->v);
}
