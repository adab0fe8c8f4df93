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

int __kmpc_omp_task_with_deps(void *place, int thread, struct made_task *task, int ndepends,
                              void *depends, int nothers, void *others);
SCA_OPENMP_NEXT(__kmpc_omp_task_with_deps)
INTERPOSED int __kmpc_omp_task_with_deps(void *place, int thread, struct made_task *task,
                                         int ndepends, void *depends, int nothers, void *others)
{
    struct sca_task_call around = call;
    call = (struct sca_task_call){__builtin_return_address(0), __builtin_dwarf_cfa(),
                                  (const void *)(uintptr_t)task->body};
    int result = next___kmpc_omp_task_with_deps(SCA_RETURNS_TO)(place, thread, task, ndepends,
                                                                depends, nothers, others);
    call = around;
    return result;
}
