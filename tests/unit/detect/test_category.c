/* An imbalance, or a serial section: by what the others do meanwhile. */
#include "graph/mpi_function.h"
#include "imbalance/category.h"
#include "measured.h"
#include "trace/replay_trace.h"
#include "check_main.h"

enum { RANKS = 4 };

START_TEST(local_calls_are_told_by_their_names)
{
    ck_assert(sca_mpi_function_is_local("MPI_Comm_rank") &&
              sca_mpi_function_is_local("MPI_Get_count"));
    ck_assert(sca_mpi_function_is_local("MPI_Type_create_struct"));
    ck_assert(!sca_mpi_function_is_local("MPI_Comm_dup") && !sca_mpi_function_is_local("MPI_Send"));
    ck_assert(!sca_mpi_function_is_local("") && !sca_mpi_function_is_local("MPI_Allreduce"));
}
END_TEST

struct section {
    uint32_t rank;      /* that does a second of it, alone */
    double others;      /* seconds of all ranks beside it */
    const char *before; /* the call that it begins after, */
    int32_t root;       /* with that root */
    const char *call;   /* the call that it leads to, with root 0 */
    double ratio;
    uint32_t nranks;
};

/* Each step: something, a call, and either work that all have or the section beside it, a call. */
static enum sca_category category(struct section s)
{
    struct model *model = model_new();
    uint32_t ranks[] = {s.rank, s.rank + 1};
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t own = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t in = model_vertex(model, 0, SCA_MPI, s.before, "main", 30);
    uint32_t out = model_vertex(model, 0, SCA_MPI, s.call, "main", 40);
    uint32_t run = model_run(model, RANKS);
    uint32_t first = model_site(model, run, in), second = model_site(model, run, out);
    for (uint32_t r = 0; r < RANKS; r++) {
        if (s.others > 0)
            model_work(model, run, r, first, second, 10, work, s.others);
        model_work(model, run, r, second, first, 10, work, 3);
        if (r == s.rank)
            model_work(model, run, r, first, second, 10, own, 1);
        model_collective(model, run, r, first, s.root, 10);
        model_collective(model, run, r, second, (int32_t)s.rank, 10);
    }
    struct measured d = measured_open(model);
    struct sca_finding c = {.vertex = own, .nvertices = 1, .vertices = &own, .ranks = ranks};
    c.nranks = s.nranks ? s.nranks : 1;
    c.ratio = s.ratio;
    enum sca_category found = sca_category_of(&d.space, &d.m[run], d.ends, &c);
    measured_close(&d);
    return found;
}

/* Beside a second of rank 0, the others have a quarter of all when they have a third of a second.
 */
START_TEST(others_that_idle_beside_rank_0_wait_for_its_section)
{
    struct section s = {.before = "MPI_Barrier", .call = "MPI_Barrier", .root = -1};
    s.others = 0.3;
    ck_assert_int_eq(category(s), SCA_CAUSE_SERIAL);
    s.others = 0.36;
    ck_assert_int_eq(category(s), SCA_CAUSE_IMBALANCE);
}
END_TEST

START_TEST(who_has_more_of_what_all_have_is_out_of_balance)
{
    struct section s = {.before = "MPI_Barrier", .call = "MPI_Barrier", .root = -1, .others = 0.1};
    s.ratio = 3;
    ck_assert_int_eq(category(s), SCA_CAUSE_IMBALANCE);
    s.ratio = 0;
    s.nranks = 2;
    ck_assert_int_eq(category(s), SCA_CAUSE_IMBALANCE);
}
END_TEST

START_TEST(what_rank_0_hands_out_or_has_collected_is_for_all)
{
    struct section s = {.before = "MPI_Barrier", .call = "MPI_Bcast", .root = -1, .others = 2};
    ck_assert_int_eq(category(s), SCA_CAUSE_SERIAL);
    s = (struct section){.before = "MPI_Gather", .call = "MPI_Barrier", .others = 2};
    ck_assert_int_eq(category(s), SCA_CAUSE_SERIAL);
    s.root = 1; /* another one has collected it */
    ck_assert_int_eq(category(s), SCA_CAUSE_IMBALANCE);
}
END_TEST

/* Another rank's section must hand something out, and nobody may have anything to do: less than a
 * twentieth, which 0.04 s are beside a second and 0.06 s are not. */
START_TEST(another_rank_is_late_unless_all_wait_for_its_result)
{
    struct section s = {.rank = 2, .before = "MPI_Barrier", .call = "MPI_Barrier", .root = -1};
    s.others = 0.04;
    ck_assert_int_eq(category(s), SCA_CAUSE_IMBALANCE);
    s.call = "MPI_Bcast";
    ck_assert_int_eq(category(s), SCA_CAUSE_SERIAL);
    s.others = 0.06;
    ck_assert_int_eq(category(s), SCA_CAUSE_IMBALANCE);
}
END_TEST

SCA_SUITE("category", local_calls_are_told_by_their_names,
          others_that_idle_beside_rank_0_wait_for_its_section,
          who_has_more_of_what_all_have_is_out_of_balance,
          what_rank_0_hands_out_or_has_collected_is_for_all,
          another_rank_is_late_unless_all_wait_for_its_result)
