/* What the ranks of a group have in planes comes back, and nothing else is taken for it. */
#include "profile/event_rows.h"
#include "profile/planes.h"
#include "check_main.h"

#include <string.h>

enum { RANKS = 3, ROOM = 256, STRIDE = 2 };

static const uint64_t numbers[] = {0, 127, 128, 70000, UINT64_MAX, 5, 1 << 14};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static uint8_t sections[RANKS][ROOM], all[ROOM], back[ROOM];
static struct sca_span spans[RANKS];

/* Rank 1 has none. */
static void make_sections(void)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct sca_writer w;
        sca_wire_writer_init(&w, sections[r], ROOM);
        for (uint32_t i = r; i < NUMBERS && r != 1; i++)
            sca_wire_put_varint(&w, numbers[i]);
        spans[r] = (struct sca_span){sections[r], w.length};
    }
}

static size_t put_all(void)
{
    struct sca_writer w;
    unsigned plane = 0;
    sca_wire_writer_init(&w, all, ROOM);
    for (uint32_t r = 0; r < RANKS; r++)
        sca_wire_put_varint(&w, sca_planes_count(&spans[r]));
    while (sca_planes_put(&w, spans, RANKS, plane))
        plane++;
    ck_assert_uint_eq(plane, 10);
    ck_assert(!w.failed);
    return w.length;
}

START_TEST(numbers_come_back)
{
    struct sca_span got[RANKS * STRIDE];
    struct sca_reader r;
    make_sections();
    sca_wire_reader_init(&r, all, put_all());
    sca_planes_get(&r, back, got, STRIDE, RANKS);
    ck_assert(!r.failed);
    ck_assert_uint_eq(sca_wire_left(&r), 0);
    for (uint32_t i = 0; i < RANKS; i++) {
        ck_assert_uint_eq(got[i * STRIDE].length, spans[i].length);
        ck_assert(!memcmp(got[i * STRIDE].bytes, spans[i].bytes, spans[i].length));
    }
}
END_TEST

/* As far as reading them does. */
START_TEST(planes_can_be_left_out)
{
    struct sca_span got[RANKS * STRIDE];
    struct sca_reader r;
    make_sections();
    size_t length = put_all();
    all[length] = 77;
    sca_wire_reader_init(&r, all, length + 1);
    sca_planes_skip(&r, got, STRIDE, RANKS);
    ck_assert_uint_eq(sca_wire_get_u8(&r), 77);
    ck_assert(!r.failed);
    for (uint32_t i = 0; i < RANKS; i++)
        ck_assert(got[i * STRIDE].bytes && !got[i * STRIDE].length);
    sca_wire_reader_init(&r, all, length - 1);
    sca_planes_skip(&r, got, STRIDE, RANKS);
    ck_assert(r.failed);
}
END_TEST

/* Where words are counted together: each length, each place. */
START_TEST(long_planes_come_back)
{
    enum { MOST = 40 };
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t wide = 0; wide < n; wide++) {
            uint8_t one[2 * MOST], packed[3 * MOST], put[2 * MOST];
            struct sca_span span = {one, 0}, got;
            struct sca_writer w;
            struct sca_reader r;
            sca_wire_writer_init(&w, one, sizeof one);
            for (uint32_t i = 0; i < n; i++)
                sca_wire_put_varint(&w, i >= wide ? 200 : 5);
            span.length = w.length;
            sca_wire_writer_init(&w, packed, sizeof packed);
            sca_wire_put_varint(&w, n);
            for (unsigned plane = 0; sca_planes_put(&w, &span, 1, plane); plane++)
                ;
            sca_wire_reader_init(&r, packed, w.length);
            sca_planes_get(&r, put, &got, 1, 1);
            ck_assert(!r.failed && !sca_wire_left(&r) && got.length == span.length);
            ck_assert(!memcmp(got.bytes, one, span.length));
        }
}
END_TEST

START_TEST(planes_that_end_early_are_refused)
{
    struct sca_span got[RANKS];
    make_sections();
    for (size_t length = put_all(); length--;) {
        struct sca_reader r;
        sca_wire_reader_init(&r, all, length);
        sca_planes_get(&r, back, got, 1, RANKS);
        ck_assert(r.failed);
    }
}
END_TEST

START_TEST(a_number_without_an_end_is_none)
{
    const uint8_t endless[12] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                 0x80, 0x80, 0x80, 0x80, 0x80, 1};
    const uint8_t cut[2] = {5, 0x80};
    struct sca_span span = {cut, sizeof cut};
    struct sca_reader r;
    uint8_t group[16] = {1};
    ck_assert_uint_eq(sca_planes_count(&span), SIZE_MAX);
    memcpy(group + 1, endless, sizeof endless);
    sca_wire_reader_init(&r, group, 1 + sizeof endless);
    sca_planes_get(&r, back, &span, 1, 1);
    ck_assert(r.failed);
}
END_TEST

/* ---- the rows of events ---- */

enum { BYTES = 20 };

/* One without rows, one of three events behind a gap, one that overlaps it, one of no event. */
static const struct sca_part_window windows[] = {
    {.events_offset = 0, .events_size = 3, .nevents = 1, .kept = SCA_KEPT_TIMED},
    {.events_offset = 5, .events_size = 10, .nevents = 3, .kept = SCA_KEPT_NEAR},
    {.events_offset = 8, .events_size = 7, .nevents = 1, .kept = SCA_KEPT},
    {.events_offset = 15, .events_size = 0, .nevents = 0, .kept = SCA_KEPT},
};

static struct sca_tables tables_of(const uint8_t *events)
{
    struct sca_tables t = {.header.table[SCA_T_WINDOWS].count = 4,
                           .header.table[SCA_T_EVENTS].count = BYTES};
    t.record[SCA_T_WINDOWS] = windows;
    t.record[SCA_T_EVENTS] = events;
    return t;
}

static void put_parts(const struct sca_tables *t, uint8_t part[SCA_EVENT_PARTS][BYTES],
                      struct sca_reader readers[SCA_EVENT_PARTS])
{
    for (int i = 0; i < SCA_EVENT_PARTS; i++) {
        struct sca_writer w;
        sca_wire_writer_init(&w, part[i], BYTES);
        sca_event_rows_put(&w, t, (enum sca_event_part)i);
        ck_assert(!w.failed);
        sca_wire_reader_init(&readers[i], part[i], w.length);
    }
}

START_TEST(rows_lie_apart_and_come_back)
{
    static uint8_t part[SCA_EVENT_PARTS][BYTES];
    struct sca_reader readers[SCA_EVENT_PARTS];
    uint8_t events[BYTES], again[BYTES] = {0};
    for (uint8_t i = 0; i < BYTES; i++)
        events[i] = i;
    struct sca_tables t = tables_of(events);
    put_parts(&t, part, readers);
    ck_assert_uint_eq(readers[SCA_EVENT_REST].length, BYTES - 6);
    ck_assert(!memcmp(part[SCA_EVENT_OCTAVES], events + 5, 3));
    ck_assert(!memcmp(part[SCA_EVENT_STEPS], events + 8, 3));
    ck_assert(sca_event_rows_get(readers, &t, again));
    ck_assert(!memcmp(events, again, BYTES));
}
END_TEST

START_TEST(rows_of_other_windows_do_not_fit)
{
    static uint8_t part[SCA_EVENT_PARTS][BYTES];
    struct sca_reader readers[SCA_EVENT_PARTS];
    uint8_t events[BYTES] = {0}, again[BYTES];
    struct sca_tables t = tables_of(events);
    put_parts(&t, part, readers);
    t.header.table[SCA_T_WINDOWS].count = 1;
    ck_assert(!sca_event_rows_get(readers, &t, again));
}
END_TEST

SCA_SUITE("planes", numbers_come_back, planes_can_be_left_out, long_planes_come_back,
          planes_that_end_early_are_refused, a_number_without_an_end_is_none,
          rows_lie_apart_and_come_back, rows_of_other_windows_do_not_fit)
