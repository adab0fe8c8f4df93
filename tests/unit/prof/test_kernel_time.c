/* What samples stand for when the thread was in the kernel meanwhile. */
#include "sampling/kernel_time.h"
#include "base/guard.h"
#include "busy.h"
#include "clock/clock.h"
#include "sampling/interval.h"
#include "check_main.h"

#include <sys/mman.h>
#include <sys/resource.h>

enum { MS = 1000000, UNIT_NS = 5 * MS, KERNEL_NS = 60 * MS, PERIODS = 3, PIECE = 4 << 20 };

static uint64_t kernel_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (uint64_t)usage.ru_stime.tv_sec * 1000 * MS + (uint64_t)usage.ru_stime.tv_usec * 1000;
}

/* Pages that the kernel has to clear. Returns how long it was busy with it. */
static uint64_t touch_pages(void)
{
    uint64_t begin_ns = kernel_ns(), now_ns = begin_ns;
    while (now_ns - begin_ns < KERNEL_NS) {
        char *memory =
            mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert_ptr_ne(memory, MAP_FAILED);
        for (size_t i = 0; i < PIECE; i += 4096)
            memory[i] = 1;
        munmap(memory, PIECE);
        now_ns = kernel_ns();
    }
    return now_ns - begin_ns;
}

START_TEST(a_sample_stands_for_the_kernel_time_before_it)
{
    sca_kernel_time_begin();
    uint64_t lots = touch_pages() / UNIT_NS;
    unsigned told = sca_kernel_time_periods(PERIODS, UNIT_NS);
    ck_assert_uint_ge(told, PERIODS * (1 + lots));
    ck_assert_uint_le(told, PERIODS * (1 + lots + 1));
    ck_assert_uint_eq(sca_kernel_time_periods(PERIODS, UNIT_NS), PERIODS); /* it is told of once */
}
END_TEST

/* Less than a unit each time. */
START_TEST(what_is_left_over_is_added_up)
{
    unsigned told = 0;
    uint64_t all_ns = 0;
    sca_kernel_time_begin();
    for (int i = 0; i < 4; i++) {
        all_ns += touch_pages();
        told += sca_kernel_time_periods(1, 7 * KERNEL_NS / 4) - 1;
    }
    ck_assert_uint_ge(told + 1, all_ns / (7 * KERNEL_NS / 4));
    ck_assert_uint_le(told, all_ns / (7 * KERNEL_NS / 4) + 1);
    ck_assert_uint_ge(told, 1);
}
END_TEST

START_TEST(a_thread_that_computes_stands_for_itself)
{
    sca_kernel_time_begin();
    work(10 * MS);
    ck_assert_uint_le(sca_kernel_time_periods(PERIODS, 20 * MS), PERIODS);
}
END_TEST

/* Nobody knows whether it was before the call, in it, or behind it. */
START_TEST(behind_an_mpi_call_nothing_is_added)
{
    sca_clock_init();
    sca_kernel_time_begin();
    touch_pages();
    work(MS);
    sca_interval_open(1, sca_clock_now());
    work(MS);
    ck_assert_uint_eq(sca_kernel_time_periods(PERIODS, UNIT_NS), PERIODS);
    touch_pages(); /* the next sample is of the same interval again */
    ck_assert_uint_gt(sca_kernel_time_periods(PERIODS, UNIT_NS), PERIODS);
}
END_TEST

START_TEST(in_an_mpi_call_nothing_is_added)
{
    sca_kernel_time_begin();
    touch_pages();
    sca_thread.in_mpi = 1;
    unsigned told = sca_kernel_time_periods(PERIODS, UNIT_NS);
    sca_thread.in_mpi = 0;
    ck_assert_uint_eq(told, PERIODS);
}
END_TEST

SCA_SUITE("kernel_time", a_sample_stands_for_the_kernel_time_before_it,
          what_is_left_over_is_added_up, a_thread_that_computes_stands_for_itself,
          behind_an_mpi_call_nothing_is_added, in_an_mpi_call_nothing_is_added)
