/*
 * The stack on which the library handles its signal. The program's may have no room: threads with
 * the smallest there are, coroutines with a page, recursion near the guard page. So the kernel is
 * given a stack of ours as the thread's alternate one as long as the program has set none, and
 * where it has, the handler leaves that for ours at once. The program's sigaltstack() never sees
 * it.
 */
#ifndef SCA_PROF_OWN_STACK_H
#define SCA_PROF_OWN_STACK_H

#include <stdbool.h>

/* For the calling thread; not in a handler. False: there is no memory for it, and no signal of ours
 * may come to the thread. */
bool sca_own_stack_begin(void);
/* The same in a handler, of a thread that had none: from the next signal on. */
bool sca_own_stack_begin_in_handler(void *ucontext);
/* The kernel has it no more; handlers that still come find it. */
void sca_own_stack_leave(void);

/* In a handler: calls the function on the thread's own stack, if it is not there already. */
void sca_own_stack_call(void (*function)(void *), void *argument);

#endif
