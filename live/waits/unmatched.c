#include "waits/unmatched.h"

/* Of several requests one may have come, and is taken when the call ends. */
static bool is_alone(const struct sca_rank_now *rank)
{
    return rank->nawaited == 1;
}

/* No network of today that is slower is in use, with all that a job sends at a time. */
#define SLOWEST_BYTES_PER_S 5e7

static bool is_inside(const struct sca_rank_now *rank, double s)
{
    bool inside = rank->doing == SCALANA_IN_MPI_CALL || rank->doing == SCALANA_IN_FINALIZE;
    return rank->known && inside && rank->since_s >= s;
}

static bool get(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a,
                uint32_t from, struct scalana_under_way *out)
{
    return a->kind == SCALANA_AWAITS_SENDER && a->group != SCALANA_NONE && from != SCALANA_NONE &&
           !scalana_under_way_get(look->runs, 0, a->group, from, rank, out, sizeof *out) &&
           out->messages > 0;
}

bool sca_unmatched_is(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a,
                      uint32_t from, double least_s)
{
    struct scalana_under_way way;
    if (!is_alone(&look->ranks[rank]) || !is_inside(&look->ranks[rank], least_s) ||
        !is_inside(&look->ranks[from], least_s) || !get(look, rank, a, from, &way))
        return false;
    double s = least_s + (way.bytes > 0 ? (double)way.bytes / SLOWEST_BYTES_PER_S : 0);
    return is_inside(&look->ranks[rank], s) && is_inside(&look->ranks[from], s);
}

bool sca_unmatched_one(const struct sca_look *look, uint32_t rank, const struct scalana_awaited *a,
                       struct scalana_under_way *out)
{
    return is_alone(&look->ranks[rank]) && a->tag != SCALANA_ANY_TAG &&
           get(look, rank, a, a->location, out) && out->context != SCALANA_NONE &&
           out->tag != a->tag;
}
