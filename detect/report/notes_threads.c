#include "base/degrees.h"
#include "report/notes.h"
#include "sca_phrase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cores of a list such as "0:0-3 1:4" (FORMATS.md); 0: it is none. */
static uint32_t count_cores(const char *text)
{
    uint32_t n = 0;
    while (*text) {
        char *end;
        text = strchr(text, ':');
        if (!text)
            return 0;
        do {
            long first = strtol(text + 1, &end, 10), last = first;
            if (end == text + 1)
                return 0;
            if (*end == '-')
                last = strtol(end + 1, &end, 10);
            n += last >= first ? (uint32_t)(last - first + 1) : 0;
            text = end;
        } while (*text == ',');
        text += strspn(text, " ");
    }
    return n;
}

struct crowd {              /* ranks whose threads share few cores */
    uint32_t nranks, cores; /* of each, at least */
    bool bound;
    double work, takes, needs; /* core-seconds of their threads; theirs; seconds on those cores */
};

/* What all threads of a rank compute, by their samples. */
static double work_of(const struct sca_measure *m, uint32_t rank)
{
    double sum = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++) {
        size_t cell = (size_t)v * m->nranks + rank;
        sum += m->run->comp[cell] - m->run->blocked[cell] + m->run->beside[cell];
    }
    return sum;
}

/* 0: they are not known, or other ranks have them, too. */
static uint32_t cores_of(const struct sca_measure *m, uint32_t rank, bool *bound)
{
    uint32_t cores = count_cores(m->run->profile->ranks[rank].cores);
    uint32_t each = m->cores / m->nranks; /* none, if ranks share them */
    *bound = cores && cores < m->cores;
    return *bound && each ? cores : each;
}

static struct crowd find_crowd(const struct sca_measure *m)
{
    struct crowd c = {0};
    for (uint32_t r = 0; m->run->beside && r < m->nranks; r++) {
        bool bound;
        uint32_t cores = cores_of(m, r, &bound);
        double work = work_of(m, r), takes = m->rank_total[r] - m->rank_blocked[r];
        if (!cores || takes <= 0 || work < SCA_SHARED_CORES * cores * takes)
            continue;
        c.cores = !c.nranks || cores < c.cores ? cores : c.cores;
        c.bound |= bound;
        c.nranks++;
        c.work += work;
        c.takes += takes;
        c.needs += work / cores;
    }
    return c;
}

static const char *phrase_cores(const struct crowd *of, char text[SCA_PHRASE])
{
    snprintf(text, SCA_PHRASE, "each of them %s %u core%s", of->bound ? "is bound to" : "has",
             of->cores, of->cores == 1 ? "" : "s");
    return text;
}

/* In virtual time each thread has a core: what the run loses otherwise is no computation. */
void sca_notes_of_threads(struct sca_analysis *c)
{
    char text[SCA_PHRASE];
    const struct sca_measure *m = &c->measures[c->last];
    struct crowd of = find_crowd(m);
    if (!of.nranks || of.needs - of.takes < c->settings->min_share * c->accounts[c->last].base)
        return;
    sca_notes_add(c,
                  "Threads share cores: on %u of %u ranks %.1f threads compute at a time, and %s. "
                  "On so few cores these ranks' computation takes %.3g core-seconds, with a core "
                  "for each thread %.3g. %s",
                  of.nranks, m->nranks, of.work / of.takes, phrase_cores(&of, text), of.needs,
                  of.takes,
                  of.bound ? "More cores for each rank: --map-by slot:PE=N (Open MPI), -bind-to "
                             "core:N (MPICH), --cpus-per-task (Slurm)."
                           : "Fewer threads in each rank, or fewer ranks on a node, avoid that; "
                             "libraries may start threads of their own.");
}
