/*
 * The numbers that the verdict decides by, all of them: what counts as most, little, near, certain,
 * enough. A decision in any other file uses these words; what else is a number there bounds time
 * and memory. doc/policy.md has a row for each, with where it comes from.
 */
#ifndef SCA_DETECT_DEGREES_H
#define SCA_DETECT_DEGREES_H

/* Parts of a whole. A part that carries "it" is SCA_MOST; what one half explains, the other cannot.
 */
#define SCA_NEARLY_ALL  0.9  /* all but for what is measured wrong */
#define SCA_MOST        0.8  /* the rest is no thing of its own */
#define SCA_HALF        0.5  /* more than all others together */
#define SCA_QUARTER     0.25 /* also: numbers that differ by less are near each other */
#define SCA_SUBSTANTIAL 0.2  /* worth a word, or what is not SCA_MOST */
#define SCA_RELEVANT    0.1  /* less is not counted */
#define SCA_NEGLIGIBLE  0.05 /* as good as nothing; a loss as large must not pass without a word */

/* Ratios. */
#define SCA_TWICE   2.0  /* far from the usual */
#define SCA_CLEARLY 10.0 /* two kinds, not one that scatters */

/* How many tell something: ranks, runs, instances; samples. */
enum { SCA_SEVERAL = 4 };       /* fewer do not tell how they differ; as a ratio: several times */
#define SCA_ENOUGH_SAMPLES 20.0 /* their number is 22 % off */
#define SCA_MANY_SAMPLES   50.0 /* 14 % off */

/* Chance. */
#define SCA_EVEN_ODDS    0.5  /* probability, where nothing is known */
#define SCA_UNLIKELY     0.05 /* probability that a single thing is chance */
#define SCA_FALSE_ALARMS 0.01 /* expected in a run, over all ranks and places */
#define SCA_TWO_SIGMAS   1.96 /* standard deviations on both sides of an estimate: 95 % */
#define SCA_THREE_SIGMAS 3.0  /* 0.3 % of a normal distribution is beyond */
#define SCA_FIVE_SIGMAS  5.0  /* beyond chance among thousands of ranks and places */

/* Statistics. */
#define SCA_NORMAL_MAD      1.4826 /* standard deviation over median deviation, if normal */
#define SCA_NORMAL_QUARTILE 3.138  /* the same over the lower quartile of deviations */
#define SCA_MEDIAN_VARIANCE 1.57   /* of the median of n, over that of one / n, if normal */
#define SCA_JEFFREYS        0.5    /* counts imagined at each place before any is seen */

/* Machines. */
#define SCA_EQUAL_RANKS     0.02   /* of the time: equal ranks differ by at least that much */
#define SCA_USUAL_OWN       0.08   /* error of a vertex, a core for each rank, before any is seen */
#define SCA_USUAL_SHARED    0.15   /* the same on shared cores */
#define SCA_SHARED_CORES    1.3    /* ratio that sharing cores may make of equal work */
#define SCA_MOST_CORE_SPEED 1.4    /* ratio: the most that cores differ by */
#define SCA_SHARED_HARDWARE 2.2    /* the same where others use a core's hardware and memory */
#define SCA_SAME_CORE       0.03   /* ratio - 1: two measurements of one core differ by less */
#define SCA_OWN_CORE_GAP    0.1e-6 /* seconds, error of an interval: reading the clock */
#define SCA_SHARED_CORE_GAP 2e-6   /* the same on shared cores: caches are cold after a switch */
#define SCA_MESSAGE_S       3e-7   /* seconds to handle a message within a node, at most */
#define SCA_BYTES_PER_S     2e9    /* that are copied within a node, at least */
#define SCA_SMALL_BYTES     8192   /* below, a message costs the same whatever its size */
#define SCA_NO_TIME         1e-9   /* seconds: what is rounded off */
#define SCA_SHOWN_S         5e-4   /* core-seconds: what is less reads 0.000 */

/* Seconds that a run may take longer by chance: a tick, a burst of page faults, a late wake-up;
 * what one sample stands for at the usual rate. A cause must be worth more, however short the run.
 */
#define SCA_BY_CHANCE 5e-3

/* What times on the run's line may be off by: on one clock, on clocks whose drift is taken to be
 * even, and where nothing is known but that all ranks left MPI_Init at about the same time. */
#define SCA_CLOCK_SLACK_NS   20e3
#define SCA_CLOCKS_SLACK_NS  1e6
#define SCA_UNKNOWN_SLACK_NS 100e6

#endif
