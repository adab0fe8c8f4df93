#include "threads/openmp_tasks.h"
#include "threads/openmp_entry.h"

#include <stdint.h>

#define INTERPOSED __attribute__((visibility("default")))

/* The head of a task of LLVM's, as compilers fill it. */
struct made_task {
    void *shared;
    int (*body)(int, void *);
};

static _Thread_local struct sca_task_call call __attribute__((tls_model("initial-exec")));

const struct sca_task_call *sca_openmp_tasks_call(void)
{
    return call.body ? &call : NULL;
}

#define MAKES_TASK(name, parameters, arguments)                                                    \
    int name parameters;                                                                           \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED int name parameters                                                                 \
    {                                                                                              \
        struct sca_task_call around = call;                                                        \
        call = (struct sca_task_call){__builtin_return_address(0), __builtin_dwarf_cfa(),          \
                                      (const void *)(uintptr_t)task->body};                        \
        int result = next_##name(SCA_RETURNS_TO) arguments;                                        \
        call = around;                                                                             \
        return result;                                                                             \
    }
MAKES_TASK(__kmpc_omp_task, (void *place, int thread, struct made_task *task),
           (place, thread, task))
MAKES_TASK(__kmpc_omp_task_with_deps,
           (void *place, int thread, struct made_task *task, int ndepends, void *depends,
            int nothers, void *others),
           (place, thread, task, ndepends, depends, nothers, others))
