#include "base/degrees.h"
#include "report/notes.h"
#include "sca_series.h"

/* The point that took longer than all others of its loop together; SCA_NONE. */
static uint32_t find_longest(const struct sca_series *s, const struct sca_series_section *section)
{
    double all = 0;
    uint32_t longest = section->first;
    for (uint32_t i = section->first; i < section->first + section->npoints; i++) {
        all += s->points[i].span;
        if (s->points[i].span > s->points[longest].span)
            longest = i;
    }
    return section->npoints > 1 && s->points[longest].span > all / 2 ? longest : SCA_NONE;
}

/* Next to nothing of it was spent outside MPI, by any rank: there, programs sleep and do I/O. */
static bool stood(const struct sca_series_point *p)
{
    return p->own.max < SCA_NEGLIGIBLE * p->span;
}

void sca_notes_of_standstill(struct sca_analysis *c)
{
    const struct sca_series *s = c->ppg->runs[c->last].profile->series;
    for (uint32_t i = 0; s && i < s->nsections; i++) {
        uint32_t longest = find_longest(s, &s->sections[i]);
        if (longest == SCA_NONE || !stood(&s->points[longest]))
            continue;
        const struct sca_series_point *p = &s->points[longest];
        sca_notes_add(c,
                      "The program stood still until second %.0f: one of the iterations up to %llu "
                      "took about %.3g s. No rank computed for more than %.2g s of it. The job was "
                      "stopped, the machine slept, its clock jumped, or messages did not arrive. "
                      "This time is in the wall time, in no cause.",
                      p->end, (unsigned long long)p->number, p->span, p->own.max);
    }
}
