#include "series/interval_share.h"

enum { MOST_PIECES = SCA_INTERVAL_MOMENTS + 1 };

static double part_of(uint64_t part, uint64_t whole)
{
    return part < whole ? (double)part / (double)whole : 1;
}

struct sca_interval_parts sca_interval_parts(uint64_t part_ns, uint64_t part_cpu_ns,
                                             uint64_t wall_ns, uint64_t cpu_ns)
{
    uint64_t off_ns = wall_ns > cpu_ns ? wall_ns - cpu_ns : 0;
    uint64_t part_off_ns = part_ns > part_cpu_ns ? part_ns - part_cpu_ns : 0;
    return (struct sca_interval_parts){part_of(part_cpu_ns, cpu_ns),
                                       off_ns ? part_of(part_off_ns, off_ns) : 1};
}

/* The ends of pieces, rising: the moments, and the interval's end. */
static void sort_ends(const uint64_t *part_ns, uint32_t n, uint64_t wall_ns, double *end)
{
    for (uint32_t i = 0; i < n; i++) {
        double moment = (double)(part_ns[i] < wall_ns ? part_ns[i] : wall_ns);
        uint32_t at = i;
        for (; at && end[at - 1] > moment; at--)
            end[at] = end[at - 1];
        end[at] = moment;
    }
    end[n] = (double)wall_ns;
}

static uint32_t longest(const double *length, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (length[i] > length[best])
            best = i;
    return best;
}

/* What is left of each piece without the stall. */
static void take_stall(double *length, uint32_t n, double stall)
{
    double room = 0;
    for (uint32_t i = 0; i < n; i++)
        room += length[i] >= stall ? length[i] : 0;
    for (uint32_t i = 0; room > 0 && i < n; i++)
        length[i] -= length[i] >= stall ? stall * length[i] / room : 0;
    for (uint32_t i = 0; room <= 0 && i < n && stall > 0; i++) {
        uint32_t at = longest(length, n);
        double part = length[at] < stall ? length[at] : stall;
        length[at] -= part;
        stall -= part;
    }
}

void sca_interval_shares(const uint64_t *part_ns, uint32_t n, uint64_t wall_ns, uint64_t busy_ns,
                         double *share)
{
    double end[MOST_PIECES], own[MOST_PIECES], all = 0;
    sort_ends(part_ns, n, wall_ns, end);
    for (uint32_t i = 0; i <= n; i++)
        own[i] = end[i] - (i ? end[i - 1] : 0);
    take_stall(own, n + 1, wall_ns > busy_ns ? (double)(wall_ns - busy_ns) : 0);
    for (uint32_t i = 0; i <= n; i++)
        all += own[i];
    for (uint32_t i = 0; i < n; i++) {
        double before = 0;
        for (uint32_t k = 0; k <= n && end[k] <= (double)part_ns[i]; k++)
            before += own[k];
        share[i] = all > 0 && part_ns[i] < wall_ns ? before / all : 1;
    }
}
