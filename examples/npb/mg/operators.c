/*
 * The four operators of the specification, on 27 points each. The points of a
 * plane across a line fall in two groups: four next to the line, four at its
 * corners. Their sums serve three results along the line.
 */
#include "mg.h"

#include <math.h>

static const double centre_weight = -8.0 / 3, edge_weight = 1.0 / 6, corner_weight = 1.0 / 12;

static void sum_around_line(struct mg *mg, const struct mg_level *level, const double *line)
{
    ptrdiff_t row = level->box.stride[1], plane = level->box.stride[2];
    double *near_sum = mg->near_sum, *far_sum = mg->far_sum;

    for (int i = 0; i < level->box.size[0]; i++) {
        near_sum[i] = line[i - row] + line[i + row] + line[i - plane] + line[i + plane];
        far_sum[i] = line[i - row - plane] + line[i + row - plane] + line[i - row + plane] +
                     line[i + row + plane];
    }
}

static ptrdiff_t line_at(const struct mg_level *level, int j, int k)
{
    return j * level->box.stride[1] + k * level->box.stride[2];
}

/* r = v - A u; v may be r itself. */
void mg_residual(struct mg *mg, const struct mg_level *level, const double *v)
{
    const double *near_sum = mg->near_sum, *far_sum = mg->far_sum;

    if (!level->active)
        return;
    for (int k = 1; k <= level->count[2]; k++)
        for (int j = 1; j <= level->count[1]; j++) {
            ptrdiff_t at = line_at(level, j, k);
            const double *u = level->u + at;
            double *r = level->r + at;
            sum_around_line(mg, level, u);
            for (int i = 1; i <= level->count[0]; i++)
                r[i] = v[at + i] - centre_weight * u[i] -
                       edge_weight * (far_sum[i] + near_sum[i - 1] + near_sum[i + 1]) -
                       corner_weight * (far_sum[i - 1] + far_sum[i + 1]);
        }
    mg_exchange(mg, level, level->r);
}

/* u = u + S r */
void mg_smooth(struct mg *mg, const struct mg_level *level)
{
    const double *weight = mg->problem->smoother;
    const double *near_sum = mg->near_sum, *far_sum = mg->far_sum;

    if (!level->active)
        return;
    for (int k = 1; k <= level->count[2]; k++)
        for (int j = 1; j <= level->count[1]; j++) {
            double *u = level->u + line_at(level, j, k);
            const double *r = level->r + line_at(level, j, k);
            sum_around_line(mg, level, r);
            for (int i = 1; i <= level->count[0]; i++)
                u[i] += weight[0] * r[i] + weight[1] * (r[i - 1] + r[i + 1] + near_sum[i]) +
                        weight[2] * (far_sum[i] + near_sum[i - 1] + near_sum[i + 1]);
        }
    mg_exchange(mg, level, level->u);
}

/* The finer point on which the coarse point lies. Of a single fine point per
 * rank, the rank that is alive on the coarse grid has the right one. */
static int finer(const struct mg_level *fine, int axis, int coarse_index)
{
    return fine->count[axis] == 1 ? 1 : 2 * coarse_index;
}

/* coarse r = weighted mean of the 27 fine points around */
void mg_restrict(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse)
{
    const double *near_sum = mg->near_sum, *far_sum = mg->far_sum;

    if (!coarse->active)
        return;
    for (int k = 1; k <= coarse->count[2]; k++)
        for (int j = 1; j <= coarse->count[1]; j++) {
            const double *from = fine->r + line_at(fine, finer(fine, 1, j), finer(fine, 2, k));
            double *to = coarse->r + line_at(coarse, j, k);
            sum_around_line(mg, fine, from);
            for (int c = 1; c <= coarse->count[0]; c++) {
                int i = finer(fine, 0, c);
                to[c] = 0.5 * from[i] + 0.25 * (from[i - 1] + from[i + 1] + near_sum[i]) +
                        0.125 * (near_sum[i - 1] + near_sum[i + 1] + far_sum[i]) +
                        0.0625 * (far_sum[i - 1] + far_sum[i + 1]);
            }
        }
    mg_exchange(mg, coarse, coarse->r);
}

/* A fine point lies on a coarse one or between two: both have the same index
 * in the first case. */
struct between {
    int low, high;
};

static struct between coarse_around(const struct mg_level *fine, const struct mg_level *coarse,
                                    int axis, int fine_index)
{
    int shift = fine->count[axis] == 1 && coarse->alive[axis];

    return (struct between){(fine_index + shift) / 2, (fine_index + shift + 1) / 2};
}

static void sum_coarse_lines(struct mg *mg, const struct mg_level *coarse, struct between j,
                             struct between k)
{
    const double *a = coarse->u + line_at(coarse, j.low, k.low);
    const double *b = coarse->u + line_at(coarse, j.high, k.low);
    const double *c = coarse->u + line_at(coarse, j.low, k.high);
    const double *d = coarse->u + line_at(coarse, j.high, k.high);

    for (int i = 0; i < coarse->box.size[0]; i++)
        mg->near_sum[i] = a[i] + b[i] + c[i] + d[i];
}

/* fine u = fine u + the mean of the coarse points around, outer layer included */
void mg_interpolate(struct mg *mg, const struct mg_level *fine, const struct mg_level *coarse)
{
    mg_spread(mg, fine, coarse);
    if (!fine->active)
        return;
    for (int k = 0; k < fine->box.size[2]; k++)
        for (int j = 0; j < fine->box.size[1]; j++) {
            double *u = fine->u + line_at(fine, j, k);
            sum_coarse_lines(mg, coarse, coarse_around(fine, coarse, 1, j),
                             coarse_around(fine, coarse, 2, k));
            for (int i = 0; i < fine->box.size[0]; i++) {
                struct between c = coarse_around(fine, coarse, 0, i);
                u[i] += 0.125 * (mg->near_sum[c.low] + mg->near_sum[c.high]);
            }
        }
}

double mg_norm(const struct mg_level *level)
{
    double sum = 0, points = (double)level->points * level->points * level->points;

    for (int k = 1; k <= level->count[2]; k++)
        for (int j = 1; j <= level->count[1]; j++) {
            const double *r = level->r + line_at(level, j, k);
            for (int i = 1; i <= level->count[0]; i++)
                sum += r[i] * r[i];
        }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(sum / points);
}
