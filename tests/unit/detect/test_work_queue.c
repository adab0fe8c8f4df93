/* Work that a rank hands out piece by piece. */
#include "imbalance/work_queue.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 5, MASTER = 0, MORE = 3, PIECES = 20 };

struct queue {
    double pieces;           /* of one rank, times what others have: 20 */
    double asked;            /* messages to the master for each piece */
    bool master_works, ring; /* each asks its neighbour instead */
    bool alone, once;        /* nobody else has a piece; each has one */
};

static struct sca_work_queue ask(struct queue q)
{
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10), ranks[] = {MORE};
    uint32_t send = model_vertex(model, 0, SCA_MPI, "MPI_Send", "main", 20);
    uint32_t run = model_run(model, RANKS), site = model_site(model, run, send);
    for (uint32_t r = q.master_works ? 0 : 1; r < RANKS; r++) {
        if (q.alone && r != MORE)
            continue;
        uint64_t pieces = q.once ? 1 : (uint64_t)(PIECES * (r == MORE ? q.pieces : 1));
        int32_t to = q.ring ? (int32_t)((r + 1) % RANKS) : MASTER;
        model_work(model, run, r, site, site, pieces, work, 2);
        model_sent(model, run, r, site, to, (uint64_t)((double)pieces * q.asked));
    }
    struct measured d = measured_open(model);
    struct sca_finding c = {.nvertices = 1, .vertices = &work, .nranks = 1, .ranks = ranks};
    struct sca_work_queue found = sca_work_queue_find(&d.space, &d.m[run], d.ends, &c);
    measured_close(&d);
    return found;
}

static bool is_handed_out(struct queue q)
{
    uint32_t server = ask(q).server;
    ck_assert(server == MASTER || server == SCA_NONE);
    return server == MASTER;
}

START_TEST(one_and_the_same_must_be_asked)
{
    ck_assert(is_handed_out((struct queue){.pieces = 2, .asked = 1}));
    ck_assert(!is_handed_out((struct queue){.pieces = 2, .ring = true, .asked = 1}));
    ck_assert(!is_handed_out((struct queue){.pieces = 2, .asked = 0}));
    ck_assert(is_handed_out((struct queue){.pieces = 2, .asked = 0.5}));
    ck_assert(!is_handed_out((struct queue){.pieces = 2, .asked = 0.4}));
}
END_TEST

/* Of 20 pieces of the others one more is the first of a round. */
START_TEST(some_may_get_more_than_others)
{
    ck_assert(!ask((struct queue){.pieces = 1, .asked = 1}).uneven);
    ck_assert(!ask((struct queue){.pieces = 1.05, .asked = 1}).uneven);
    ck_assert(ask((struct queue){.pieces = 1.1, .asked = 1}).uneven);
    ck_assert(ask((struct queue){.pieces = 0.9, .asked = 1}).uneven);
}
END_TEST

START_TEST(who_works_itself_hands_nothing_out)
{
    ck_assert(!is_handed_out((struct queue){.pieces = 2, .asked = 1, .master_works = true}));
}
END_TEST

/* As who reads the input and sends each its part, or has one part of all. */
START_TEST(what_one_rank_does_alone_or_each_once_is_no_queue)
{
    ck_assert(!is_handed_out((struct queue){.pieces = 1, .asked = 1, .alone = true}));
    ck_assert(!is_handed_out((struct queue){.asked = 1, .once = true}));
}
END_TEST

SCA_SUITE("work_queue", one_and_the_same_must_be_asked, some_may_get_more_than_others,
          who_works_itself_hands_nothing_out, what_one_rank_does_alone_or_each_once_is_no_queue)
