/* A loop whose schedule is set as the program runs: its chunks are pieces if they are handed out.
 */
#include "threads/phase.h"
#include "recording.h"
#include "sampling/threads.h"
#include "threads/team.h"

enum { STATIC = 1, DYNAMIC = 2, GUIDED = 3, AUTO = 4, MONOTONIC = (int)0x80000000, ITERATIONS = 4 };

void omp_set_schedule(int kind, int chunk);
bool GOMP_loop_runtime_start(long first, long end, long step, long *from, long *to);
bool GOMP_loop_runtime_next(long *from, long *to);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, unsigned long long first,
                                                    unsigned long long end, unsigned long long step,
                                                    unsigned long long *from,
                                                    unsigned long long *to);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(unsigned long long *from,
                                                   unsigned long long *to);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

static unsigned run_loop(void)
{
    long from, to, chunks = 0;
    for (bool any = GOMP_loop_runtime_start(0, ITERATIONS, 1, &from, &to); any;
         any = GOMP_loop_runtime_next(&from, &to))
        chunks++;
    GOMP_loop_end_nowait();
    return (unsigned)chunks;
}

static unsigned run_unsigned_loop(void)
{
    unsigned long long from, to, chunks = 0;
    for (bool any =
             GOMP_loop_ull_maybe_nonmonotonic_runtime_start(true, 0, ITERATIONS, 1, &from, &to);
         any; any = GOMP_loop_ull_maybe_nonmonotonic_runtime_next(&from, &to))
        chunks++;
    GOMP_loop_end_nowait();
    return (unsigned)chunks;
}

static unsigned run_sections(void)
{
    unsigned sections = 0;
    for (unsigned n = GOMP_sections_start(ITERATIONS); n; n = GOMP_sections_next())
        sections++;
    GOMP_sections_end_nowait();
    return sections;
}

/* How many pieces the loop has, of as many chunks. */
static unsigned pieces_of(unsigned run(void), int schedule, unsigned chunks)
{
    struct sca_team_region *region =
        sca_team_fork(__builtin_return_address(0), __builtin_dwarf_cfa(), NULL);
    ck_assert_ptr_nonnull(region);
    omp_set_schedule(schedule, 1);
    sca_team_begin(region);
    ck_assert_uint_eq(run(), chunks);
    unsigned pieces = sca_phases[0].pieces.n;
    sca_team_end();
    sca_team_join(region);
    return pieces;
}

static void begin(void)
{
    start_recording();
    sca_clock_set_crowded(true);
}

START_TEST(chunks_that_are_handed_out_are_pieces)
{
    begin();
    ck_assert_uint_eq(pieces_of(run_loop, DYNAMIC, ITERATIONS), ITERATIONS);
    ck_assert_uint_eq(pieces_of(run_loop, DYNAMIC | MONOTONIC, ITERATIONS), ITERATIONS);
    ck_assert_uint_eq(pieces_of(run_loop, GUIDED, 1), 1); /* a team of one gets all */
    ck_assert_uint_eq(pieces_of(run_unsigned_loop, DYNAMIC, ITERATIONS), ITERATIONS);
}
END_TEST

START_TEST(chunks_that_each_thread_has_of_its_own_are_none)
{
    begin();
    ck_assert_uint_eq(pieces_of(run_loop, STATIC, 1), 0);
    ck_assert_uint_eq(pieces_of(run_loop, AUTO, 1), 0);
    ck_assert_uint_eq(pieces_of(run_unsigned_loop, STATIC, 1), 0);
}
END_TEST

START_TEST(sections_are_pieces)
{
    begin();
    ck_assert_uint_eq(pieces_of(run_sections, STATIC, ITERATIONS), ITERATIONS);
}
END_TEST

SCA_SUITE("OpenMP loops", sections_are_pieces, chunks_that_are_handed_out_are_pieces,
          chunks_that_each_thread_has_of_its_own_are_none)
