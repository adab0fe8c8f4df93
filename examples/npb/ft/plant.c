/* The planted defects of FT. Their results go to the sink, not to the field. */
#include "ft.h"

void ft_plant_init(struct ft *ft)
{
    const struct npb_run *run = ft->run;
    const struct ft_class *c = ft->problem;
    double all_points = (double)ft->points * run->size;
    int stages = npb_log2(c->nx) + npb_log2(c->ny) + npb_log2(c->nz);

    if (npb_plant_here(run, NPB_PLANT_DELAY, run->rank == run->size / 2))
        ft->delay_butterflies = npb_plant_share(run, all_points * stages / 2);
    if (run->plant.kind == NPB_PLANT_MEMORY)
        ft->memory_reads = npb_plant_share(run, all_points);
    ft->memory_stride = 1;
    if (npb_plant_here(run, NPB_PLANT_MEMORY, run->rank % 2 == 1))
        ft->memory_stride = 5 * 4096 / sizeof *ft->field + 1;
}

/* One rank computes butterflies that nobody asked for. */
static double butterflies_in_vain(const struct ft *ft)
{
    const struct ft_complex *u = ft->field;
    struct ft_complex root = ft->root[1];
    double sum = 0;

    for (long term = 0, i = 0; term < ft->delay_butterflies; term++) { /* PLANT delay */
        double re = u[i].re - u[i + 1].re, im = u[i].im - u[i + 1].im;
        sum += re * root.re - im * root.im + (re * root.im + im * root.re);
        i = i + 2 < (long)ft->points - 1 ? i + 2 : 0;
    }
    return sum;
}

/* As many reads on every rank. Where memory is slow, each is on another page. */
static double read_field(const struct ft *ft)
{
    double sum = 0;
    size_t at = 0;

    for (long read = 0; read < ft->memory_reads; read++) { /* PLANT memory */
        sum += ft->field[at].re;
        at = (at + ft->memory_stride) % ft->points;
    }
    return sum;
}

void ft_plant_step(struct ft *ft)
{
    if (ft->delay_butterflies > 0)
        ft->run->plant.sink = butterflies_in_vain(ft);
    if (ft->memory_reads > 0)
        ft->run->plant.sink = read_field(ft);
}
