/*
 * The planted defects of CG other than the delay, which is in conj_grad.c.
 * Each is a loop that does real but needless work, and each result goes to
 * the sink, so that no compiler removes it. None changes a number of CG.
 */
#include "cg.h"

#include <stdlib.h>

enum {
    TABLE_DOUBLES = 1 << 21, /* 16 MiB: past any second-level cache */
    PIECES = 16,             /* of the vector, for each rank */
    STEPS_PER_TERM = 4       /* of a search, in the time of a term of the matrix */
};

static bool on_left_edge(const struct cg *cg)
{
    return cg->grid.col == 0;
}

static bool strikes(const struct cg *cg)
{
    const struct npb_run *run = cg->run;

    switch (run->plant.kind) {
    case NPB_PLANT_DELAY:
        return npb_plant_here(run, NPB_PLANT_DELAY, run->rank == run->size / 2);
    case NPB_PLANT_BOUNDARY:
        return npb_plant_here(run, NPB_PLANT_BOUNDARY, on_left_edge(cg));
    case NPB_PLANT_MEMORY:
        return npb_plant_here(run, NPB_PLANT_MEMORY, run->rank % 2 == 1);
    case NPB_PLANT_SERIAL:
        return npb_plant_here(run, NPB_PLANT_SERIAL, run->rank == 0);
    default:
        return npb_plant_here(run, run->plant.kind, true);
    }
}

/* On the ranks with slow memory, each access is on another page. The others
 * make as many accesses, one after the other. */
static void prepare_memory(struct cg_plant *plant, bool here)
{
    plant->stride = here ? 4096 / sizeof(double) * 5 + 1 : 1;
    plant->table = npb_alloc(TABLE_DOUBLES, sizeof *plant->table);
    for (int i = 0; i < TABLE_DOUBLES; i++)
        plant->table[i] = i;
}

static void prepare_search(struct cg *cg)
{
    int pieces = cg->run->size * PIECES;

    cg->plant.piece_first = npb_alloc(pieces, sizeof *cg->plant.piece_first);
    for (int piece = 0; piece < pieces; piece++)
        cg->plant.piece_first[piece] = (int)((long)cg->problem->n * piece / pieces);
}

void cg_plant_init(struct cg *cg)
{
    const struct npb_run *run = cg->run;

    if (run->plant.kind == NPB_PLANT_NONE)
        return;
    bool here = strikes(cg);
    /* Of the whole matrix, not of this rank's block: more ranks do not make it less. */
    long terms = npb_plant_share(run, (double)cg->a.start[cg->a.rows] * run->size);

    if (run->plant.kind == NPB_PLANT_DELAY && here)
        cg->plant.delay_terms = terms;
    else if (here || run->plant.kind == NPB_PLANT_MEMORY)
        cg->plant.terms = terms;
    if (run->plant.kind == NPB_PLANT_MEMORY)
        prepare_memory(&cg->plant, here);
    if (run->plant.kind == NPB_PLANT_SEARCH)
        prepare_search(cg);
}

void cg_plant_free(struct cg *cg)
{
    free(cg->plant.table);
    free(cg->plant.piece_first);
}

/* Zeus-MP: the ranks at the edge treat a boundary strip for every rank there is. */
static double treat_boundary(const struct cg *cg)
{
    const struct cg_matrix *a = &cg->a;
    double flux = 0;

    for (long term = 0, k = 0; term < cg->plant.terms; term++) { /* PLANT boundary */
        flux += a->value[k] * cg->p[a->column[k]];
        k = k + 1 < a->start[a->rows] ? k + 1 : 0;
    }
    return flux;
}

/* SST: who owns an element is looked up by walking the list of all pieces from its start. The
 * further up the rank, the further back are its own. */
static double search_owners(const struct cg *cg)
{
    const int *first = cg->plant.piece_first;
    int pieces = cg->run->size * PIECES;
    long lookups = cg->plant.terms * STEPS_PER_TERM / pieces;
    long owners = 0;

    for (long i = 0; i < lookups; i++) {
        int wanted = first[cg->run->rank * PIECES + (int)(i % PIECES)];
        int piece = 0;
        while (piece + 1 < pieces && first[piece + 1] <= wanted) /* PLANT search */
            piece++;
        owners += piece / PIECES;
    }
    return (double)owners;
}

/* Nekbone: as many instructions on every rank, but some wait for memory. */
static double read_table(const struct cg_plant *plant)
{
    double sum = 0;
    long at = 0;

    for (long i = 0; i < plant->terms; i++) { /* PLANT memory */
        sum += plant->table[at];
        at = (at + plant->stride) % TABLE_DOUBLES;
    }
    return sum;
}

/* One rank works on what belongs to all; the others wait for its result. */
static double serial_section(const struct cg *cg)
{
    const struct cg_matrix *a = &cg->a;
    int worker = cg->run->plant.rank == NPB_KIND_DECIDES ? 0 : cg->run->plant.rank;
    double sum = 0;

    for (long term = 0, k = 0; term < cg->plant.terms; term++) { /* PLANT serial */
        sum += a->value[k] * cg->p[a->column[k]];
        k = k + 1 < a->start[a->rows] ? k + 1 : 0;
    }
    MPI_Bcast(&sum, 1, MPI_DOUBLE, worker, MPI_COMM_WORLD);
    return sum;
}

/* Every rank goes over the shares of all ranks, not just over its own. */
static double undivided_loop(const struct cg *cg)
{
    const struct cg_matrix *a = &cg->a;
    double sum = 0;

    for (long term = 0, k = 0; term < cg->plant.terms; term++) { /* PLANT undivided */
        sum += a->value[k] * cg->p[a->column[k]];
        k = k + 1 < a->start[a->rows] ? k + 1 : 0;
    }
    return sum;
}

void cg_plant_step(struct cg *cg)
{
    volatile double *sink = &cg->run->plant.sink;

    switch (cg->run->plant.kind) {
    case NPB_PLANT_BOUNDARY:
        *sink = treat_boundary(cg);
        break;
    case NPB_PLANT_SEARCH:
        *sink = search_owners(cg);
        break;
    case NPB_PLANT_MEMORY:
        *sink = read_table(&cg->plant);
        break;
    case NPB_PLANT_SERIAL:
        *sink = serial_section(cg);
        break;
    case NPB_PLANT_UNDIVIDED:
        *sink = undivided_loop(cg);
        break;
    default:
        break;
    }
}
