/*
 * check_words RUN ROUNDS: operations on words of windows, as words.c makes them: rank 1 sees what
 * rank 0 has set, later by the run's clock; each rank takes and lets go a lock in each round, and
 * nothing else is a lock.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <stdio.h>
#include <stdlib.h>

struct found {
    unsigned set, seen, early, taken, let_go, wrong_turns, all;
    double last_set; /* of the flag, by rank 0 */
};

static bool is_lock(const struct sca_op *op)
{
    return op->kind == SCA_OP_LOCK;
}

static double time_of(const struct sca_rank *rank, const struct sca_op *op)
{
    return sca_rank_time(rank, op->number);
}

static void count(const struct sca_op *op, struct found *f)
{
    f->all += is_lock(op) && op->shape == SCA_LOCK_SHARED_ALL;
    f->set += is_lock(op) && op->shape == SCA_LOCK_SET;
    f->seen += is_lock(op) && op->shape == SCA_LOCK_SEEN;
    f->let_go += is_lock(op) && op->shape == SCA_LOCK_RELEASE;
    if (is_lock(op) && op->shape == SCA_LOCK_EXCLUSIVE) {
        f->wrong_turns += f->taken != f->let_go;
        f->taken++;
    }
}

/* Of the first rank that has set the same word before that. */
static bool was_set(const struct sca_rank *setter, const struct sca_op *word, double time)
{
    for (uint32_t w = 0; w < setter->nwindows; w++)
        for (uint32_t i = 0; i < setter->windows[w].nops; i++) {
            const struct sca_op *op = &setter->windows[w].ops[i];
            if (is_lock(op) && op->shape == SCA_LOCK_SET && op->tag == word->tag &&
                op->comm == word->comm && op->peer == word->peer && time_of(setter, op) <= time)
                return true;
        }
    return false;
}

static struct found look(const struct sca_profile *p, uint32_t r)
{
    struct found f = {0};
    for (uint32_t w = 0; w < p->ranks[r].nwindows; w++)
        for (uint32_t i = 0; i < p->ranks[r].windows[w].nops; i++) {
            const struct sca_op *op = &p->ranks[r].windows[w].ops[i];
            count(op, &f);
            if (is_lock(op) && op->shape == SCA_LOCK_SEEN)
                f.early += !was_set(&p->ranks[1 - r], op, time_of(&p->ranks[r], op));
        }
    return f;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    if (argc < 3 || sca_profile_load(argv[1], &p) < 0) {
        fprintf(stderr, "check_words: %s\n", argc < 3 ? "RUN ROUNDS" : sca_error_message());
        return 1;
    }
    int wrong = p->nranks != 2;
    for (uint32_t r = 0; r < 2 && !wrong; r++) {
        struct found f = look(p, r);
        wrong = f.taken != rounds || f.let_go != rounds || f.wrong_turns || f.early || f.all != 1 ||
                f.set < rounds || (r == 1 && f.seen < rounds / 2);
        if (wrong)
            fprintf(stderr,
                    "check_words: rank %u: %u set, %u seen (%u before anybody set them), lock "
                    "taken %u times and let go %u times (%u out of turn) in %u rounds, %u all\n",
                    r, f.set, f.seen, f.early, f.taken, f.let_go, f.wrong_turns, rounds, f.all);
    }
    sca_profile_free(p);
    return wrong;
}
