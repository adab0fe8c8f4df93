/* The critical path of a run, by vertex and rank, beside what all ranks have on average. */
#include "metrics/path_profile.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct script *s;
static struct staged st;
static struct sca_path_profile path;
static uint32_t work, own, out_site, in_site, all;

static void begin(uint32_t nranks)
{
    s = script_new(nranks);
    own = model_vertex(s->model, 0, SCA_LOOP, "", "main", 5);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    out_site = script_site(s, "MPI_Send", 20);
    in_site = script_site(s, "MPI_Recv", 21);
    all = script_site(s, "MPI_Barrier", 22);
}

static void look(void)
{
    script_stage(s, &st);
    sca_path_profile_make(&st.space, &st.stage, &path);
}

/* What a rank has of a vertex. */
static double on_path(uint32_t vertex, uint32_t rank)
{
    double seconds = 0;
    const struct sca_path_column one = {vertex, 1, &seconds, 1};
    for (uint32_t i = 0; i < path.ncells; i++)
        if (path.cells[i].rank == rank)
            sca_path_profile_divide(st.measure.run, &path.cells[i], &one);
    return seconds;
}

/* Each waits for the rank before it, works for a second and lets the next one go. */
static void pass_token(uint32_t nranks)
{
    begin(nranks);
    for (uint32_t r = 0; r < nranks; r++) {
        bool last = r + 1 == nranks;
        if (r > 0)
            script_receive(s, r, 0, in_site, (int32_t)r - 1, 0);
        if (!last)
            script_send(s, r, 1, out_site, (int32_t)r + 1, 0);
        script_collective(s, r, last ? 1 : 0, all, SCA_ALL_TO_ALL, -1, 0);
        script_work(s, r, r > 0 ? in_site : all, last ? all : out_site, work, 1);
    }
    look();
}

START_TEST(a_token_has_each_rank_on_the_path)
{
    pass_token(RANKS);
    ck_assert_double_eq_tol(path.critical[work], RANKS, 1e-6);
    ck_assert_double_eq_tol(path.mean[work], 1, 1e-6);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(on_path(work, r), 1, 1e-6);
    staged_end(s, &st);
}
END_TEST

/* The slow one of two is the path; of what it does, half is of either vertex. */
START_TEST(the_path_is_the_slow_rank)
{
    begin(2);
    for (uint32_t r = 0; r < 2; r++) {
        script_collective(s, r, r ? 4 : 1, all, SCA_ALL_TO_ALL, -1, 0);
        script_work(s, r, all, all, work, r ? 2 : 1);
        if (r)
            script_work(s, r, all, all, own, 2);
    }
    look();
    ck_assert_double_eq_tol(on_path(work, 1) + on_path(own, 1), 4, 1e-6);
    ck_assert_double_eq_tol(on_path(own, 1), 2, 1e-6);
    ck_assert_double_eq_tol(on_path(work, 0) + on_path(own, 0), 0, 1e-9);
    ck_assert_double_eq_tol(path.critical[own], 2, 1e-6);
    ck_assert_double_eq_tol(path.mean[own], 1, 1e-6);
    ck_assert_double_eq_tol(path.mean[work], 1.5, 1e-6);
    staged_end(s, &st);
}
END_TEST

/* Between calls that the run's totals do not know it is the program's. */
START_TEST(what_no_interval_is_known_for_is_the_programs)
{
    begin(1);
    script_collective(s, 0, 2, all, SCA_ALL_TO_ALL, -1, 0);
    look();
    ck_assert_double_eq_tol(path.critical[0], 2, 1e-6);
    ck_assert_double_eq_tol(path.mean[0], 2, 1e-6);
    ck_assert_uint_eq(path.ncells, 1);
    staged_end(s, &st);
}
END_TEST

SCA_SUITE("path profile", a_token_has_each_rank_on_the_path, the_path_is_the_slow_rank,
          what_no_interval_is_known_for_is_the_programs)
