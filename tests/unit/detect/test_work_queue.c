/* Work that is handed out piece by piece balances itself; longer pieces do not. */
#include "imbalance/work_queue.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 5, MASTER = 0, MORE = 3, PIECES = 20 };

struct queue {
    double pieces, seconds;  /* of one rank, times what others have: 20 pieces, 2 s */
    double asked;            /* messages to the master for each piece */
    bool master_works, ring; /* each asks its neighbour instead */
    bool alone, once;        /* nobody else has a piece; each has one */
};

struct asked {
    bool served, handed_out;
};

static struct asked ask(struct queue q)
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
        model_work(model, run, r, site, site, pieces, work, r == MORE ? 2 * q.seconds : 2);
        model_sent(model, run, r, site, to, (uint64_t)((double)pieces * q.asked));
    }
    struct measured d = measured_open(model);
    struct sca_finding c = {.nvertices = 1, .vertices = &work, .nranks = 1, .ranks = ranks};
    struct asked a = {.served = sca_work_queue_is(&d.space, &d.m[run], d.ends, &c),
                      .handed_out =
                          sca_work_queue_server(&d.space, &d.m[run], d.ends, &c) == MASTER};
    measured_close(&d);
    return a;
}

START_TEST(who_has_more_pieces_was_served)
{
    struct asked a = ask((struct queue){.pieces = 2, .seconds = 2, .asked = 1});
    ck_assert(a.served && a.handed_out);
}
END_TEST

/* As many of them, twice as long. */
START_TEST(longer_pieces_are_its_own)
{
    struct asked a = ask((struct queue){.pieces = 1, .seconds = 2, .asked = 1});
    ck_assert(!a.served && a.handed_out);
}
END_TEST

/* Twice as many: 3.9 times as long comes more from that, 4.1 times does not. */
START_TEST(more_of_the_excess_must_be_their_number)
{
    ck_assert(ask((struct queue){.pieces = 2, .seconds = 3.9, .asked = 1}).served);
    ck_assert(!ask((struct queue){.pieces = 2, .seconds = 4.1, .asked = 1}).served);
}
END_TEST

START_TEST(one_and_the_same_must_be_asked)
{
    ck_assert(!ask((struct queue){.pieces = 2, .seconds = 2, .ring = true, .asked = 1}).handed_out);
    ck_assert(!ask((struct queue){.pieces = 2, .seconds = 2, .asked = 0}).handed_out);
    ck_assert(ask((struct queue){.pieces = 2, .seconds = 2, .asked = 0.5}).handed_out);
    ck_assert(!ask((struct queue){.pieces = 2, .seconds = 2, .asked = 0.4}).handed_out);
}
END_TEST

START_TEST(who_works_itself_hands_nothing_out)
{
    struct queue q = {.pieces = 2, .seconds = 2, .asked = 1, .master_works = true};
    ck_assert(!ask(q).served && !ask(q).handed_out);
}
END_TEST

/* As who reads the input and sends each its part, or has one part of all. */
START_TEST(what_one_rank_does_alone_or_each_once_is_no_queue)
{
    ck_assert(
        !ask((struct queue){.pieces = 1, .seconds = 1, .asked = 1, .alone = true}).handed_out);
    ck_assert(!ask((struct queue){.seconds = 2, .asked = 1, .once = true}).handed_out);
}
END_TEST

SCA_SUITE("work_queue", who_has_more_pieces_was_served, longer_pieces_are_its_own,
          more_of_the_excess_must_be_their_number, one_and_the_same_must_be_asked,
          who_works_itself_hands_nothing_out, what_one_rank_does_alone_or_each_once_is_no_queue)
