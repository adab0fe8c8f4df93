/* Ranks' series become the run's, and are read back. */
#include "profile/series_load.h"
#include "profile/series_marks.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 5, ITERATIONS = 40, ROOM = 1 << 20 };

static struct sca_part_mark marks[SCA_SERIES_SOURCES * SCA_SERIES_MARKS];
static struct sca_part_series counts;
static uint8_t bytes[ROOM], content[ROOM];
static struct sca_series_sum sum;
static struct sca_region region;
static struct sca_profile profile = {.nranks = RANKS};

static void *take(void *context, size_t size)
{
    (void)context;
    return sca_region_alloc(&region, size);
}

static uint64_t own_ns(uint32_t rank, uint32_t i)
{
    return 1000000 + 1000 * i + (rank == 3 && i > 20 ? 900000 : 0);
}

/* A rank's marks of one source. */
static void iterate(enum sca_series_source source, uint32_t rank, uint32_t n)
{
    struct sca_part_mark *m = marks + (size_t)source * SCA_SERIES_MARKS;
    *m = (struct sca_part_mark){.end_ns = 5000000, .begins = 1};
    for (uint32_t i = 1; i <= n; i++, m++) {
        m[1] = m[0];
        m[1].begins = 0;
        m[1].number = i;
        m[1].compute_ns += own_ns(rank, i);
        m[1].mpi_ns += 2000000 - own_ns(rank, i) / 2;
        m[1].end_ns += 3000000;
        m[1].kind += i % 8 ? 1 : 2;
        m[1].memory_kb = 4096;
    }
    counts.count[source] = n + 1;
}

static struct sca_part_phase list[3];
static struct sca_phases phases = {list, 0, "\0main\0refine\0"};

/* main, refine in it; rank 3 takes twice as long there, and rank 1 has none. */
static void name_phases(uint32_t rank)
{
    uint64_t ns = rank == 3 ? 2000000 : 1000000;
    phases.n = rank == 1 ? 1 : 2;
    list[0] = (struct sca_part_phase){.name = 1, .count = 1, .begin_ns = 5120, .end_ns = 102400};
    list[0].compute_ns = 4000000;
    list[0].wall_ns = 5000000;
    list[1] = (struct sca_part_phase){.name = 6, .parent = 1, .count = 7 + rank, .compute_ns = ns};
    list[1].begin_ns = 2048; /* it has not ended yet */
    list[1].off_ns = 500000;
    list[1].mpi_ns = 300000;
    list[1].wall_ns = ns + 800000;
}

/* Two counters at each mark; NULL: there are none. */
static struct sca_mark_events events[SCA_SERIES_MARKS], *counted;

static uint64_t events_of(uint32_t rank, uint32_t i)
{
    return 100 * i + (rank == 3 ? 5000 : 0);
}

/* But for one iteration of a rank, at whose end nobody has read them. */
static void count_events(uint32_t rank)
{
    counted = events;
    events[0] = (struct sca_mark_events){{7, 1ull << 40}, 1};
    for (uint32_t i = 1; i <= ITERATIONS; i++) {
        events[i] = events[i - 1];
        events[i].total[0] += events_of(rank, i);
        events[i].total[1] += 1000000000;
    }
    events[30].read = rank != 1;
}

static size_t put(uint32_t ranks)
{
    struct sca_writer w;
    struct sca_series_marks own = sca_series_choose(&counts, marks);
    own.events = counted;
    own.nmetrics = 2;
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_series_put(&w, &own, sca_series_most(ranks), &phases);
    ck_assert(!w.failed);
    return w.length;
}

/* `odd`: a rank that iterates half as often; RANKS: none. Returns the length of the content. */
static size_t gather(uint32_t odd)
{
    struct sca_writer w;
    counts = (struct sca_part_series){0};
    ck_assert(sca_series_sum_begin(&sum, RANKS, take, NULL));
    for (uint32_t k = 0; k < RANKS; k++) {
        iterate(SCA_SERIES_COLLECTIVE, k, k == odd ? ITERATIONS / 2 : ITERATIONS);
        sca_series_sum_add(&sum, k, bytes, put(RANKS));
    }
    size_t room = sca_series_sum_size(&sum);
    ck_assert_uint_le(room, sizeof content);
    sca_wire_writer_init(&w, content, room);
    sca_series_sum_put(&sum, &w);
    ck_assert(!w.failed);
    return w.length;
}

static const struct sca_series *read_back(size_t length)
{
    struct sca_series *s = NULL;
    ck_assert_int_eq(sca_series_read(&region, content, length, &profile, &s), SCA_OK);
    ck_assert_ptr_nonnull(s);
    return s;
}

START_TEST(what_is_put_together_is_read_back)
{
    const struct sca_series *s = read_back(gather(RANKS));
    ck_assert_uint_eq(s->npoints, ITERATIONS);
    ck_assert_uint_eq(s->nranks, RANKS);
    ck_assert_uint_eq(s->nleft_out, 0);
    ck_assert_uint_eq(s->sections[0].source, SCA_SERIES_COLLECTIVE);
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        const struct sca_series_point *p = &s->points[i];
        ck_assert_uint_eq(p->number, i + 1);
        ck_assert_double_eq_tol(p->own.median, 1e-9 * (double)own_ns(0, i + 1), 1e-5);
        ck_assert_double_eq_tol(p->own.max, 1e-9 * (double)own_ns(3, i + 1), 1e-5);
        ck_assert_double_eq_tol(p->span, 3e-3, 2e-5);
        ck_assert_double_eq_tol(s->own[3 * s->nrank_points + i], 1e-9 * (double)own_ns(3, i + 1),
                                1e-5);
        if (i >= 20)
            ck_assert_uint_eq(p->slowest, 3);
    }
    ck_assert_uint_ne(s->points[7].kind, s->points[6].kind);
    ck_assert_uint_eq(s->points[7].kind, s->points[15].kind);
    ck_assert_double_eq_tol(s->points[ITERATIONS - 1].end, 5e-3 + 3e-3 * ITERATIONS, 1e-3);
}
END_TEST

/* The content of a run that counted events. */
static size_t gather_events(uint32_t nphases)
{
    struct sca_writer w;
    counts = (struct sca_part_series){0};
    ck_assert(sca_series_sum_begin(&sum, RANKS, take, NULL));
    for (uint32_t k = 0; k < RANKS; k++) {
        name_phases(k);
        phases.n = nphases;
        iterate(SCA_SERIES_COLLECTIVE, k, ITERATIONS);
        count_events(k);
        sca_series_sum_add(&sum, k, bytes, put(RANKS));
    }
    phases.n = 0;
    counted = NULL;
    size_t room = sca_series_sum_size(&sum);
    sca_wire_writer_init(&w, content, room);
    sca_series_sum_put(&sum, &w);
    ck_assert(!w.failed);
    return w.length;
}

START_TEST(events_of_points_are_counted_exactly_or_not_known)
{
    for (uint32_t nphases = 0; nphases < 2; nphases++) {
        const struct sca_series *s = read_back(gather_events(nphases));
        ck_assert_uint_eq(s->nmetrics, 2);
        ck_assert_uint_eq(s->nphases, nphases);
        for (uint32_t i = 1; i <= ITERATIONS; i++) {
            const struct sca_series_events *e = s->points[i - 1].events;
            if (i == 30 || i == 31) {
                ck_assert(isnan(e[0].mean) && isnan(e[0].max) && isnan(e[1].mean));
                continue;
            }
            ck_assert_double_eq_tol(e[0].mean / (100.0 * i + 1000), 1, 0.005);
            ck_assert_double_eq_tol(e[0].max / (100.0 * i + 5000), 1, 0.005);
            ck_assert_double_eq_tol(e[1].max / 1e9, 1, 0.005);
            ck_assert(isnan(e[2].mean));
        }
    }
}
END_TEST

START_TEST(events_that_are_cut_off_are_refused)
{
    size_t length = gather_events(1);
    for (size_t n = 0; n < length; n++) {
        struct sca_series *s = NULL;
        ck_assert_int_eq(sca_series_read(&region, content, n, &profile, &s), SCA_EFORMAT);
    }
}
END_TEST

START_TEST(without_counters_the_content_stays_as_it_was)
{
    const struct sca_series *s = read_back(gather(RANKS));
    ck_assert_uint_eq(content[0], 1);
    ck_assert_uint_eq(s->nmetrics, 0);
    ck_assert(isnan(s->points[0].events[0].mean));
}
END_TEST

START_TEST(a_rank_that_iterates_differently_is_left_out)
{
    for (uint32_t odd = 0; odd < RANKS; odd += RANKS - 1) {
        const struct sca_series *s = read_back(gather(odd));
        ck_assert_uint_eq(s->nranks, RANKS - 1);
        ck_assert_uint_eq(s->nleft_out, 1);
        ck_assert_uint_eq(s->npoints, ITERATIONS);
        ck_assert_uint_eq(s->ranks[0], odd ? 0 : 1);
    }
}
END_TEST

/* The content of a run whose program names phases, with a loop or without. */
static size_t gather_phases(bool loop)
{
    struct sca_writer w;
    counts = (struct sca_part_series){0};
    ck_assert(sca_series_sum_begin(&sum, RANKS, take, NULL));
    for (uint32_t k = 0; k < RANKS; k++) {
        name_phases(k);
        iterate(SCA_SERIES_COLLECTIVE, k, loop ? ITERATIONS : 2);
        for (uint32_t i = 20; loop && i <= ITERATIONS; i++)
            marks[SCA_SERIES_COLLECTIVE * SCA_SERIES_MARKS + i].phase = (uint8_t)phases.n;
        sca_series_sum_add(&sum, k, bytes, put(RANKS));
    }
    phases.n = 0;
    size_t room = sca_series_sum_size(&sum);
    sca_wire_writer_init(&w, content, room);
    sca_series_sum_put(&sum, &w);
    ck_assert(!w.failed);
    return w.length;
}

static void check_phases(const struct sca_series *s)
{
    ck_assert_uint_eq(s->nphases, 2);
    const struct sca_series_phase *whole = &s->phases[0], *in = &s->phases[1];
    ck_assert_str_eq(whole->name, "main");
    ck_assert_uint_eq(whole->parent, SCA_NONE);
    ck_assert_uint_eq(whole->nranks, RANKS);
    ck_assert_double_eq_tol(whole->own.max, 6.5e-3, 3e-5); /* with what lies in it */
    ck_assert_double_eq_tol(whole->own.min, 4e-3, 2e-5);
    ck_assert_uint_eq(whole->slowest, 3);
    ck_assert_double_eq_tol(whole->end, 1.024e-4, 1e-9);
    ck_assert_str_eq(in->name, "refine");
    ck_assert_uint_eq(in->parent, 0);
    ck_assert_double_eq_tol(in->end, 2.048e-6 + 1.8e-3, 2e-6);
    ck_assert_uint_eq(in->nranks, RANKS - 1);
    ck_assert_uint_eq(in->count, 7 + RANKS - 1);
    ck_assert_double_eq_tol(in->mpi.mean, 3e-4, 2e-6);
    ck_assert_double_eq_tol(in->off_mean, 5e-4, 3e-6);
    ck_assert_double_eq_tol(in->span, (3 * 1.8e-3 + 2.8e-3) / 4, 1e-5);
}

START_TEST(phases_of_ranks_meet_by_their_names)
{
    const struct sca_series *s = read_back(gather_phases(true));
    check_phases(s);
    ck_assert_uint_eq(s->points[18].phase, SCA_NONE);
    ck_assert_uint_eq(s->points[19].phase, 1);
    s = read_back(gather_phases(false));
    check_phases(s);
    ck_assert_uint_eq(s->nsections, 0);
}
END_TEST

START_TEST(phases_that_are_cut_off_are_refused)
{
    size_t length = gather_phases(true);
    for (size_t n = 0; n < length; n++) {
        struct sca_series *s = NULL;
        ck_assert_int_eq(sca_series_read(&region, content, n, &profile, &s), SCA_EFORMAT);
    }
}
END_TEST

START_TEST(what_is_cut_off_is_refused)
{
    size_t length = gather(RANKS);
    for (size_t n = 0; n < length; n++) {
        struct sca_series *s = NULL;
        ck_assert_int_eq(sca_series_read(&region, content, n, &profile, &s), SCA_EFORMAT);
    }
}
END_TEST

/* A rank whose loop is known from its `late`-th iteration on. */
static void lose_first(enum sca_series_source source, uint32_t late)
{
    struct sca_part_mark *m = marks + (size_t)source * SCA_SERIES_MARKS;
    memmove(m, m + late, (counts.count[source] - late) * sizeof *m);
    m->begins = 1;
    counts.count[source] -= late;
}

/* The first or a later one: all have the iterations that all are known in. */
START_TEST(ranks_that_are_known_from_later_on_take_part)
{
    enum { LATE = 16 };
    for (uint32_t late = 0; late < RANKS; late++) {
        struct sca_writer w;
        counts = (struct sca_part_series){0};
        ck_assert(sca_series_sum_begin(&sum, RANKS, take, NULL));
        for (uint32_t k = 0; k < RANKS; k++) {
            iterate(SCA_SERIES_PATH, k, ITERATIONS);
            lose_first(SCA_SERIES_PATH, k == late ? LATE : 4);
            sca_series_sum_add(&sum, k, bytes, put(RANKS));
        }
        sca_wire_writer_init(&w, content, sca_series_sum_size(&sum));
        sca_series_sum_put(&sum, &w);
        const struct sca_series *s = read_back(w.length);
        ck_assert_uint_eq(s->nranks, RANKS);
        ck_assert_uint_eq(s->npoints, ITERATIONS - LATE);
        for (uint32_t i = 0; i < s->npoints; i++) {
            uint32_t number = (uint32_t)s->points[i].number;
            for (uint32_t k = 0; k < RANKS; k++)
                ck_assert_double_eq_tol(s->own[k * s->nrank_points + i],
                                        1e-9 * (double)own_ns(k, number), 1e-5);
        }
    }
}
END_TEST

START_TEST(three_iterations_are_no_series)
{
    counts = (struct sca_part_series){0};
    iterate(SCA_SERIES_MARKER, 0, 3);
    ck_assert_uint_eq(put(1), 0);
}
END_TEST

START_TEST(markers_come_first_where_they_cover_the_run)
{
    counts = (struct sca_part_series){0};
    iterate(SCA_SERIES_COLLECTIVE, 0, ITERATIONS);
    iterate(SCA_SERIES_MARKER, 0, ITERATIONS / 4);
    ck_assert_int_eq(sca_series_choose(&counts, marks).source, SCA_SERIES_COLLECTIVE);
    iterate(SCA_SERIES_MARKER, 0, ITERATIONS - 1);
    ck_assert_int_eq(sca_series_choose(&counts, marks).source, SCA_SERIES_MARKER);
}
END_TEST

START_TEST(a_seldom_collective_gives_way_to_call_paths)
{
    counts = (struct sca_part_series){0};
    iterate(SCA_SERIES_COLLECTIVE, 0, 12);
    iterate(SCA_SERIES_PATH, 0, 12 * 8 - 1);
    marks[SCA_SERIES_COLLECTIVE * SCA_SERIES_MARKS + 12].end_ns += 12 * 7 * 3000000;
    ck_assert_int_eq(sca_series_choose(&counts, marks).source, SCA_SERIES_COLLECTIVE);
    iterate(SCA_SERIES_PATH, 0, 12 * 8);
    ck_assert_int_eq(sca_series_choose(&counts, marks).source, SCA_SERIES_PATH);
    iterate(SCA_SERIES_COLLECTIVE, 0, 16);
    iterate(SCA_SERIES_PATH, 0, 16 * 8);
    marks[SCA_SERIES_COLLECTIVE * SCA_SERIES_MARKS + 16].end_ns += 16 * 7 * 3000000;
    ck_assert_int_eq(sca_series_choose(&counts, marks).source, SCA_SERIES_COLLECTIVE);
}
END_TEST

START_TEST(marks_end_where_a_killed_process_left_them_torn)
{
    counts = (struct sca_part_series){0};
    iterate(SCA_SERIES_MARKER, 0, ITERATIONS);
    marks[30].end_ns = 7; /* a clock that jumped, or a mark half written */
    ck_assert_uint_eq(sca_series_choose(&counts, marks).n, 30);
    counts.count[SCA_SERIES_MARKER] = UINT32_MAX;
    ck_assert_uint_eq(sca_series_choose(&counts, marks).n, 30);
}
END_TEST

SCA_SUITE("series_sum", what_is_put_together_is_read_back,
          a_rank_that_iterates_differently_is_left_out, what_is_cut_off_is_refused,
          ranks_that_are_known_from_later_on_take_part, three_iterations_are_no_series,
          markers_come_first_where_they_cover_the_run, a_seldom_collective_gives_way_to_call_paths,
          marks_end_where_a_killed_process_left_them_torn, phases_of_ranks_meet_by_their_names,
          phases_that_are_cut_off_are_refused, events_of_points_are_counted_exactly_or_not_known,
          events_that_are_cut_off_are_refused, without_counters_the_content_stays_as_it_was)
