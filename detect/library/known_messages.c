#include "library/known_messages.h"
#include "activity/task_messages.h"
#include "scalana/graph.h"
#include "sca_error.h"

static const struct sca_task_message *find(const struct sca_task_messages *of,
                                           const struct sca_ppg_message *m)
{
    for (uint32_t i = 0; i < of->count; i++)
        if (of->of[i].send == m->send_vertex && of->of[i].receive == m->receive_vertex)
            return &of->of[i];
    return NULL;
}

/* Edges on several communicators between the same calls are one here: then nothing is changed. */
static uint32_t count(const struct sca_task_messages *of, const struct sca_ppg_message *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < of->count; i++)
        n += of->of[i].send == m->send_vertex && of->of[i].receive == m->receive_vertex;
    return n;
}

static void refine(const struct sca_task_messages *of, struct sca_messages *pair, uint32_t *known)
{
    for (uint32_t i = 0; i < pair->count; i++) {
        struct sca_ppg_message *m = &pair->edges[i];
        const struct sca_task_message *t = find(of, m);
        known[i] = SCALANA_COUNT_ESTIMATED;
        if (!t || t->known == SCA_TASK_SEEN || count(of, m) > 1)
            continue;
        known[i] = t->known == SCA_TASK_EXACT ? SCALANA_COUNT_EXACT : SCALANA_COUNT_BY_TOTALS;
        m->count = (uint64_t)t->messages;
        m->bytes = (uint64_t)t->bytes;
    }
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int find_guarded(struct sca_workspace *space, const struct sca_task_source *source,
                        uint32_t sender, uint32_t receiver, struct sca_task_messages *of)
{
    jmp_buf out_of_memory;
    space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return SCA_ENOMEM;
    sca_task_messages_between(space, source, sender, receiver, of);
    return SCA_OK;
}

int sca_known_messages_find(const struct sca_ppg *ppg, const struct sca_ppg_run *run,
                            struct sca_opened *opened, uint32_t sender, uint32_t receiver,
                            struct sca_messages *pair, uint32_t *known)
{
    struct sca_workspace space = {0};
    struct sca_task_messages of = {0};
    const struct sca_task_source source = {ppg, run, NULL, opened, NULL, NULL};
    int status = find_guarded(&space, &source, sender, receiver, &of);
    if (status == SCA_OK)
        refine(&of, pair, known);
    sca_workspace_free(&space);
    return status;
}
