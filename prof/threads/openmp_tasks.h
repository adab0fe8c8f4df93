/* Calls by which programs of LLVM's compilers make tasks: OMPT tells the
 * task, but not which function it runs. Any thread; no allocation. */
#ifndef SCA_PROF_OPENMP_TASKS_H
#define SCA_PROF_OPENMP_TASKS_H

struct sca_task_call {
    const void *return_address, *cfa;
    const void *body; /* the function that the task runs */
};

/* The call that the calling thread is in; NULL: in none. */
const struct sca_task_call *sca_openmp_tasks_call(void);

#endif
