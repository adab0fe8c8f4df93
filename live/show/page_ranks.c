/* The page's table of ranks: those that others wait for, then who waits longest. */
#include "show/page.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <stdlib.h>
#include <string.h>

struct order {
    uint32_t rank;
    uint32_t waiting; /* ranks that wait for it */
    int state;
    double since_s;
};

static int by_order(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    if (x->waiting != y->waiting)
        return x->waiting < y->waiting ? 1 : -1;
    if (x->state != y->state)
        return x->state - y->state;
    if (x->since_s != y->since_s)
        return x->since_s < y->since_s ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct order *ordered(const struct sca_shown *s)
{
    struct order *all = sca_must(calloc(s->look->nranks, sizeof *all));
    for (uint32_t r = 0; r < s->look->nranks; r++) {
        bool waits = s->hangs->clauses.standing[r] != SCA_MOVES;
        all[r] = (struct order){r, 0,
                                s->hangs->stuck[r] ? 0
                                : waits            ? 1
                                                   : 2,
                                waits ? s->look->ranks[r].since_s : 0};
    }
    for (uint32_t i = 0; i < s->hangs->nfinals; i++)
        all[s->hangs->finals[i].rank].waiting = s->hangs->finals[i].nwaiting;
    qsort(all, s->look->nranks, sizeof *all, by_order);
    return all;
}

/* Of the second last column: as wide as the ranks need, so that the last one is seen on narrow
 * screens. */
static int width_of(const struct sca_shown *s, const uint32_t *ranks, uint32_t n)
{
    enum { LEAST = 14, MOST = 44 };
    size_t width = LEAST;
    for (uint32_t i = 0; i < n && width < MOST; i++) {
        char *doing = sca_tell_doing(s->look, ranks[i]);
        width = doing && strlen(doing) > width ? strlen(doing) : width;
        free(doing);
    }
    return width < MOST ? (int)width : MOST;
}

static void say_head(int width, struct sca_page *page)
{
    sca_page_say(page, SCA_PAGE_HEADER, "%6s  %-9s %8s  %-*s  %s", "RANK", "STATE", "SINCE", width,
                 "WHERE", "WAITS FOR");
}

static void say_rank(const struct sca_shown *s, uint32_t r, int width, struct sca_page *page)
{
    char since[32] = "";
    char *doing = sca_tell_doing(s->look, r), *awaited = sca_tell_awaited(s->look, s->hangs, r);
    if (s->look->ranks[r].known)
        sca_tell_duration(s->look->ranks[r].since_s, since, sizeof since);
    enum sca_page_style style = s->hangs->stuck[r] ? SCA_PAGE_ALARM : SCA_PAGE_PLAIN;
    sca_page_say(page, style, "%6u  %-9s %8s  %-*s  %s", r, sca_tell_state(s->look, s->hangs, r),
                 since, width, doing, awaited);
    free(doing);
    free(awaited);
}

static void say_path(const struct sca_shown *s, uint32_t context, const char *what,
                     struct sca_page *page)
{
    uint32_t depth = 0, path[64];
    for (uint32_t c = context; c && depth < 64; c = s->look->contexts[c].parent)
        if (s->look->contexts[c].kind == SCALANA_CALL || s->look->contexts[c].kind == SCALANA_MPI ||
            s->look->contexts[c].kind == SCALANA_LOOP)
            path[depth++] = c;
    sca_page_say(page, SCA_PAGE_PLAIN, "  %s", what);
    while (depth--) {
        const struct scalana_context *at = &s->look->contexts[path[depth]];
        char *place = sca_tell_place(s->look, path[depth]);
        sca_page_say(page, SCA_PAGE_PLAIN, "    %s %s", place,
                     at->kind == SCALANA_LOOP ? "loop" : at->name);
        free(place);
    }
}

static void say_one(const struct sca_shown *s, struct sca_page *page)
{
    const struct sca_rank_now *rank = &s->look->ranks[s->follow];
    int width = width_of(s, &s->follow, 1);
    say_head(width, page);
    say_rank(s, s->follow, width, page);
    sca_page_say(page, SCA_PAGE_PLAIN, "  computed %.1f s, in MPI %.1f s", rank->compute_s,
                 rank->mpi_s);
    if (!rank->known)
        return;
    say_path(s, rank->context,
             rank->doing == SCALANA_IN_MPI_CALL || rank->doing == SCALANA_WAITS_FOR_LOCK
                 ? "call path:"
                 : "call path of the last MPI call:",
             page);
    if (rank->doing == SCALANA_COMPUTES && rank->sampled != SCALANA_NONE &&
        rank->sampled_s <= rank->since_s)
        say_path(s, rank->sampled, "call path of the last sample:", page);
}

void sca_page_ranks(const struct sca_shown *s, uint32_t most, struct sca_page *page)
{
    if (s->follow < s->look->nranks) {
        say_one(s, page);
        return;
    }
    struct order *all = ordered(s);
    uint32_t first = s->scroll < s->look->nranks ? s->scroll : s->look->nranks - 1;
    uint32_t n = s->look->nranks - first < most ? s->look->nranks - first : most;
    uint32_t *shown = sca_must(calloc(n + 1ul, sizeof *shown));
    for (uint32_t i = 0; i < n; i++)
        shown[i] = all[first + i].rank;
    int width = width_of(s, shown, n);
    say_head(width, page);
    for (uint32_t i = 0; i < n; i++)
        say_rank(s, shown[i], width, page);
    free(shown);
    free(all);
}
