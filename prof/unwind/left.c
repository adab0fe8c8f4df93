#include "unwind/left.h"
#include "sca_part.h"
#include "unwind/stack.h"

static void look_at_running(struct sca_thread *t, uint64_t sp)
{
    if (!t->in_mpi || !t->mpi.return_address || !sca_stack_is_gone(&t->mpi, sp))
        return;
    t->left = true;
    t->in_mpi = 0;
}

void sca_left_look(uint64_t sp)
{
    struct sca_thread *t = &sca_thread;
    look_at_running(t, sp);
    for (int i = t->called_back; !t->in_mpi && i > 0; i--) {
        struct sca_called_back *back = &t->callback[i - 1];
        if (back->left)
            continue;
        if (!sca_stack_is_gone(&back->frame, sp))
            return;
        back->left = true;
        back->previous = t->previous;
        if (back->site != SCA_NONE)
            t->previous = back->site;
    }
}
