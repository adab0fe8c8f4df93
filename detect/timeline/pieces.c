#include "timeline/pieces.h"

/* Of the window with that number; SCA_NONE: the rank did not keep it. */
static uint32_t index_of(const struct sca_rank *rank, const struct sca_window *like)
{
    for (uint32_t w = 0; w < rank->nwindows; w++)
        if (rank->windows[w].iteration == like->iteration &&
            rank->windows[w].iterations == like->iterations)
            return w;
    return SCA_NONE;
}

/* Whether all ranks have both windows, the second right behind the first. */
static bool go_on(const struct sca_profile *p, const struct sca_window *a,
                  const struct sca_window *b)
{
    if (b->begin_ns > a->end_ns + SCA_CLOSE_NS)
        return false;
    for (uint32_t r = 0; r < p->nranks; r++)
        if (index_of(&p->ranks[r], b) != index_of(&p->ranks[r], a) + 1)
            return false;
    return true;
}

static bool all_kept(const struct sca_profile *p, const struct sca_window *w)
{
    for (uint32_t r = 0; r < p->nranks; r++)
        if (index_of(&p->ranks[r], w) == SCA_NONE)
            return false;
    return true;
}

static struct sca_piece *begin_piece(struct sca_workspace *space, const struct sca_profile *p,
                                     const struct sca_window *w, struct sca_pieces *out)
{
    const struct sca_rank *first = &p->ranks[0];
    struct sca_piece *piece = &out->of[out->count++];
    *piece = (struct sca_piece){
        .slices = sca_workspace_alloc(space, p->nranks, sizeof(struct sca_slice))};
    piece->window = w->iteration;
    piece->begin_ns =
        first->clock_known ? (uint64_t)sca_rank_time(first, w->begin_ns) : w->begin_ns;
    for (uint32_t r = 0; r < p->nranks; r++)
        piece->slices[r].first = index_of(&p->ranks[r], w);
    return piece;
}

void sca_pieces_find(struct sca_workspace *space, const struct sca_ppg_run *run, bool join,
                     struct sca_pieces *out)
{
    const struct sca_profile *p = run->profile;
    const struct sca_rank *first = &p->ranks[0];
    const struct sca_window *before = NULL;
    struct sca_piece *piece = NULL;
    *out = (struct sca_pieces){0};
    out->of = sca_workspace_alloc(space, first->nwindows, sizeof *out->of);
    for (uint32_t i = 0; i < first->nwindows; i++) {
        const struct sca_window *w = &first->windows[i];
        if (!all_kept(p, w) || (!join && !sca_window_stands(w)))
            continue;
        if (!join || !before || !go_on(p, before, w))
            piece = begin_piece(space, p, w, out);
        for (uint32_t r = 0; r < p->nranks; r++)
            piece->slices[r].nevents += p->ranks[r].windows[index_of(&p->ranks[r], w)].nevents;
        piece->stands_for = piece->stands_for ? piece->stands_for : w->class_total;
        piece->windows++;
        piece->iterations += w->iterations;
        before = w;
    }
}
