#include "threads/phase.h"
#include "base/float_flags.h"
#include "clock/clock.h"
#include "sampling/threads.h"

enum { PATHS = 64 }; /* regions told apart, by the low bits of their number */

struct sca_phase sca_phases[2];

static struct lately {
    double work, both;          /* without waits for locks, and with them */
} lately[PATHS][SCA_TEAM_MOST]; /* what each had in the region, the earlier the less */

static uint64_t beyond(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

struct share { /* of what a team had lately */
    double all, most;
};

static void add_share(struct share *to, double *part, uint64_t ns)
{
    *part = *part * SCA_THREADS_REMEMBERED + (double)ns;
    to->all += *part;
    to->most = *part > to->most ? *part : to->most;
}

/* What the busiest has of it: this time, or on shared cores as it was lately. */
static uint64_t longest_of(uint64_t all_ns, uint64_t longest_ns, const struct share *share)
{
    if (!sca_clock_is_crowded() || share->all <= 0)
        return longest_ns;
    return (uint64_t)((double)all_ns * share->most / share->all);
}

struct sums {
    uint64_t work_ns, longest_ns;      /* of all members; of the busiest one */
    uint64_t both_ns, longest_both_ns; /* the same with waits for locks */
    struct share work, both;
    struct sca_pieces_times pieces;
};

/* What a member did of its part before the first thread left MPI, which intervals have: as much as
 * that one computed, and no less than its share of the time if it went on evenly. */
static uint64_t done_before(const struct sca_phase_member *m, const struct sca_phase_team *team)
{
    uint64_t all_ns = beyond(m->arrived_ns, team->began_ns);
    uint64_t before_ns = beyond(team->left_ns, team->began_ns);
    double part = before_ns < all_ns ? (double)before_ns / (double)all_ns : before_ns != 0;
    uint64_t done_ns = (uint64_t)(part * (double)m->work_ns);
    return done_ns > team->told_ns ? done_ns : team->told_ns;
}

static struct sums add_up(const struct sca_phase *phase, const struct sca_phase_team *team)
{
    struct lately *of = lately[team->site % PATHS];
    struct sums p = {0};
    for (unsigned i = 0; i < SCA_TEAM_MOST; i++) {
        const struct sca_phase_member *m = &phase->members[i];
        if (!(team->members >> i & 1))
            continue;
        uint64_t worked = beyond(m->work_ns, i ? done_before(m, team) : team->told_ns);
        uint64_t took = worked + m->waited_ns;
        p.work_ns += worked;
        p.both_ns += took;
        p.longest_ns = worked > p.longest_ns ? worked : p.longest_ns;
        p.longest_both_ns = took > p.longest_both_ns ? took : p.longest_both_ns;
        add_share(&p.work, &of[i].work, worked);
        add_share(&p.both, &of[i].both, took);
    }
    return p;
}

/* A schedule is of all that was handed out: of that, what is left behind the first thread's call of
 * MPI, as of the work. */
static void leave_what_is_left(struct sca_pieces_times *all, uint64_t worked_ns, uint64_t all_ns)
{
    double left = worked_ns < all_ns ? (double)worked_ns / (double)all_ns : 1;
    all->longest_ns = (uint64_t)(left * (double)all->longest_ns);
    all->chain_ns = (uint64_t)(left * (double)all->chain_ns);
}

/* Where who takes a piece is chance, or threads wait for what a task depends on, the schedule says
 * how long the team takes. Waits for locks are nobody's in particular then. */
static void hand_out(const struct sca_phase *phase, const struct sca_phase_team *team,
                     struct sums *p)
{
    uint64_t busy_ns[SCA_TEAM_MOST], all_ns = 0;
    unsigned n = 0;
    for (unsigned i = 0; i < SCA_TEAM_MOST; i++) {
        const struct sca_phase_member *m = &phase->members[i];
        if (!(team->members >> i & 1))
            continue;
        all_ns += m->work_ns;
        busy_ns[n++] = beyond(m->work_ns, m->pieces_ns);
    }
    p->pieces = sca_pieces_schedule(&phase->pieces, busy_ns, n);
    leave_what_is_left(&p->pieces, p->work_ns, all_ns);
    if (!phase->pieces.ndepends && !team->shares_cores)
        return;
    p->longest_ns = p->pieces.longest_ns;
    p->longest_both_ns = p->longest_ns + (p->both_ns - p->work_ns) / (n ? n : 1);
    p->work = p->both = (struct share){0};
}

/* ---- regions inside ---- */

void sca_phase_add_inside(struct sca_phase_inside to[SCA_PHASE_INSIDE],
                          const struct sca_phase_inside *of)
{
    for (unsigned i = 0; of->threads && i < SCA_PHASE_INSIDE; i++) {
        if (to[i].threads && to[i].site != of->site)
            continue;
        to[i].site = of->site;
        to[i].threads = of->threads > to[i].threads ? of->threads : to[i].threads;
        to[i].ns += of->ns;
        to[i].uneven_ns += of->uneven_ns;
        return;
    }
}

static uint64_t uneven_of(const struct sca_phase_member *m)
{
    uint64_t ns = 0;
    for (unsigned i = 0; i < SCA_PHASE_INSIDE; i++)
        ns += m->inside[i].uneven_ns;
    return ns;
}

/* The member that takes longest decides, until another one would. */
struct longest {
    const struct sca_phase_member *member;
    uint64_t ns, even_ns; /* as it is; of any, if the threads of regions inside computed evenly */
};

static struct longest longest_member(const struct sca_phase *phase, uint64_t members)
{
    struct longest most = {0};
    for (unsigned i = 0; i < SCA_TEAM_MOST; i++) {
        const struct sca_phase_member *m = &phase->members[i];
        if (!(members >> i & 1))
            continue;
        uint64_t ns = m->work_ns + m->waited_ns, even_ns = beyond(ns, uneven_of(m));
        if (!most.member || ns > most.ns)
            most.member = m;
        most.ns = ns > most.ns ? ns : most.ns;
        most.even_ns = even_ns > most.even_ns ? even_ns : most.even_ns;
    }
    return most;
}

/* `phase_ns`: what the phase counts, which may be a part of what its threads did. */
static void add_regions_inside(const struct sca_phase *phase, uint64_t members, uint64_t phase_ns,
                               struct sca_phase_times *to)
{
    struct longest most = longest_member(phase, members);
    if (!most.ns)
        return;
    uint64_t uneven_ns = uneven_of(most.member);
    double counts = phase_ns < most.ns ? (double)phase_ns / (double)most.ns : 1;
    double saved = uneven_ns ? counts * (double)(most.ns - most.even_ns) / (double)uneven_ns : 0;
    for (unsigned i = 0; i < SCA_PHASE_INSIDE; i++) {
        struct sca_phase_inside part = most.member->inside[i];
        part.ns = (uint64_t)(counts * (double)part.ns);
        part.uneven_ns = (uint64_t)(saved * (double)part.uneven_ns);
        sca_phase_add_inside(to->inside, &part);
    }
}

/* ---- tasks that take longer than each thread's part ---- */

/* The fifth place counts for the first. */
static void add_chain(struct sca_phase_chain to[SCA_PHASE_CHAINS], const struct sca_phase_chain *of)
{
    unsigned i = 0;
    while (i < SCA_PHASE_CHAINS && to[i].ns && (to[i].site != of->site || to[i].alone != of->alone))
        i++;
    i = i < SCA_PHASE_CHAINS ? i : 0;
    uint64_t ns = to[i].ns + of->ns;
    to[i] = to[i].ns ? to[i] : *of;
    to[i].ns = ns;
}

/* One that is longer makes all of the difference, whenever it was taken. */
static struct sca_phase_chain chain_of(const struct sums *p, uint64_t busy_ns, uint64_t even_ns)
{
    uint64_t chain_ns = p->pieces.chain_ns;
    bool decides = chain_ns > even_ns && busy_ns > even_ns;
    bool all = p->pieces.alone || chain_ns > busy_ns;
    return (struct sca_phase_chain){.site = p->pieces.site,
                                    .alone = p->pieces.alone,
                                    .ns = decides ? (all ? busy_ns : chain_ns) - even_ns : 0};
}

/* Threads that wait for each other by turns do not compute unevenly. */
void sca_phase_add(struct sca_phase *phase, const struct sca_phase_team *team,
                   struct sca_phase_times *to)
{
    uint32_t float_flags = sca_float_flags_keep();
    struct sums p = add_up(phase, team);
    if (phase->pieces.ntasks || (phase->pieces.n && team->shares_cores))
        hand_out(phase, team, &p);
    sca_pieces_clear(&phase->pieces);
    uint64_t phase_ns = longest_of(p.both_ns, p.longest_both_ns, &p.both);
    add_regions_inside(phase, team->members, phase_ns, to);
    uint64_t busy_ns = longest_of(p.work_ns, p.longest_ns, &p.work);
    uint64_t even_ns = p.work_ns / (team->size ? team->size : 1);
    struct sca_phase_chain chain = chain_of(&p, busy_ns, even_ns);
    if (chain.ns)
        add_chain(to->chains, &chain);
    to->phases_ns += phase_ns;
    to->busy_ns += busy_ns;
    to->even_ns += even_ns + chain.ns;
    to->own_ns += beyond(phase->members[0].work_ns, team->told_ns);
    sca_float_flags_return(float_flags);
}
