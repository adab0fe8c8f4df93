/*
 * LLVM's OpenMP (libomp, and Intel's), which looks for a tool by this name among the program's
 * libraries (OpenMP 5.2, chapter 19: OMPT). Its parallel regions, barriers and tasks come to
 * team.h. A tool of the program's own goes first, and then there is none of ours.
 *
 * The types are those of the standard, as far as they are used; numbers are its enumerations'.
 */
#include "base/guard.h"
#include "threads/openmp_tasks.h"
#include "threads/pieces.h"
#include "threads/team.h"

#include <dlfcn.h>
#include <stdlib.h>

enum callback {
    PARALLEL_BEGIN = 3,
    PARALLEL_END = 4,
    TASK_CREATE = 5,
    TASK_SCHEDULE = 6,
    IMPLICIT_TASK = 7,
    DEPENDENCES = 18,
    SYNC_REGION_WAIT = 16,
    SYNC_REGION = 23
};
enum { SCOPE_BEGIN = 1, SCOPE_END = 2 };
enum { TASK_INITIAL = 1, TASK_EXPLICIT = 4, TASK_UNDEFERRED = 0x8000000 };
enum { IS_PIECE = 1, WAITS = 2, NUMBER_FROM = 8 }; /* of a task's data; team.h has the number */
enum { DEPENDS_IN = 1, DEPENDS_SOURCE = 5, DEPENDS_SINK = 6, DEPENDS_SET = 7 };
enum { TASKWAIT = 5, TASKGROUP = 6, REDUCTION = 7, JOIN = 9 };
enum { IN_FRAME = 16 }; /* a frame's saved rbp and return address */

union data {
    uint64_t value;
    void *pointer;
};

struct frame {
    union data exit, enter; /* `enter`: of the runtime's procedure that the program has called */
    int exit_flags, enter_flags;
};

struct dependence {
    union data on;
    int kind;
};

typedef void function(void);
typedef function *look_up_function(const char *name);
typedef int set_function(int callback, function *called);

struct start_tool_result {
    int (*initialize)(look_up_function *look_up, int device, union data *tool);
    void (*finalize)(union data *tool);
    union data tool;
};

static _Thread_local struct {
    bool arrived;     /* in a barrier of the team */
    union data *task; /* that it runs; callbacks of waits may have a copy */
    union data *made; /* the last task that it made */
} me __attribute__((tls_model("initial-exec")));

static void parallel_begin(union data *task, const struct frame *frame, union data *parallel,
                           unsigned threads, int flags, const void *return_address)
{
    (void)task, (void)threads, (void)flags;
    const char *enter = frame ? frame->enter.pointer : NULL;
    parallel->pointer =
        enter && return_address ? sca_team_fork(return_address, enter + IN_FRAME, NULL) : NULL;
}

static void parallel_end(union data *parallel, union data *task, int flags,
                         const void *return_address)
{
    (void)task, (void)flags, (void)return_address;
    me.task = NULL; /* that of the region is gone */
    sca_team_join(parallel ? parallel->pointer : NULL);
}

static void implicit_task(int scope, union data *parallel, union data *task, unsigned threads,
                          unsigned index, int flags)
{
    (void)threads, (void)index;
    if (flags & TASK_INITIAL || scope != SCOPE_BEGIN)
        return;
    me.arrived = false;
    me.task = task;
    sca_team_begin(parallel ? parallel->pointer : NULL);
}

static enum sca_team_state state_of(const union data *task)
{
    uint64_t value = task ? task->value : 0;
    return value & WAITS ? SCA_TEAM_WAITS : value & IS_PIECE ? SCA_TEAM_PIECE : SCA_TEAM_OWN;
}

static void wait_for_tasks(int scope)
{
    union data *task = me.task;
    if (!task)
        return;
    task->value = scope == SCOPE_BEGIN ? task->value | WAITS : task->value & ~(uint64_t)WAITS;
    (void)sca_team_turn_to(state_of(task));
}

/* The barrier at the region's end is left when the next region begins, if ever. */
static void sync_region(int kind, int scope, union data *parallel, union data *task,
                        const void *return_address)
{
    (void)parallel, (void)task, (void)return_address;
    if (kind == REDUCTION || kind == TASKGROUP)
        return;
    if (kind == TASKWAIT)
        wait_for_tasks(scope);
    else if (kind == JOIN && scope == SCOPE_BEGIN)
        sca_team_end();
    else if (kind != JOIN && scope == SCOPE_BEGIN)
        me.arrived = sca_team_arrive();
    else if (kind != JOIN && scope == SCOPE_END && me.arrived) {
        me.arrived = false;
        sca_team_depart();
    }
}

/* A group of tasks begins where the program makes the first; it is waited for at its end. */
static void sync_region_wait(int kind, int scope, union data *parallel, union data *task,
                             const void *return_address)
{
    (void)parallel, (void)task, (void)return_address;
    if (kind == TASKGROUP)
        wait_for_tasks(scope);
}

static void make_task(union data *task, const struct sca_depend *depends, uint32_t n)
{
    const struct sca_task_call *call = sca_openmp_tasks_call();
    uint64_t number =
        call ? sca_team_make_task(depends, n, call->return_address, call->cfa, call->body) : 0;
    task->value |= number << NUMBER_FROM;
}

static void task_create(union data *parent, const struct frame *frame, union data *task, int flags,
                        int has_dependences, const void *return_address)
{
    (void)parent, (void)frame, (void)return_address;
    me.made = NULL;
    if (!task || !(flags & TASK_EXPLICIT) || flags & TASK_UNDEFERRED)
        return;
    task->value = IS_PIECE;
    if (!has_dependences)
        make_task(task, NULL, 0);
    me.made = has_dependences ? task : NULL;
}

static enum sca_depend_kind depends_by(int kind)
{
    return kind == DEPENDS_IN    ? SCA_DEPEND_IN
           : kind == DEPENDS_SET ? SCA_DEPEND_SET
                                 : SCA_DEPEND_OUT;
}

/* Of loops whose iterations wait for each other, too. */
static void dependences(union data *task, const struct dependence *of, int n)
{
    struct sca_depend depends[SCA_TASK_DEPENDS];
    uint32_t kept = 0;
    if (!task || task != me.made)
        return;
    for (int i = 0; i < n && kept < SCA_TASK_DEPENDS; i++)
        if (of[i].kind != DEPENDS_SOURCE && of[i].kind != DEPENDS_SINK)
            depends[kept++] = (struct sca_depend){of[i].on.pointer, depends_by(of[i].kind)};
    make_task(task, depends, kept);
    me.made = NULL;
}

static void task_schedule(union data *before, int status, union data *next)
{
    (void)before, (void)status;
    me.task = next;
    (void)sca_team_set_task(next ? (uint32_t)(next->value >> NUMBER_FROM) : 0);
    if (next)
        (void)sca_team_turn_to(state_of(next));
}

static int initialize(look_up_function *look_up, int device, union data *tool)
{
    set_function *set = (set_function *)look_up("ompt_set_callback");
    (void)device, (void)tool;
    if (!set)
        return 0;
    set(PARALLEL_BEGIN, (function *)parallel_begin);
    set(PARALLEL_END, (function *)parallel_end);
    set(IMPLICIT_TASK, (function *)implicit_task);
    set(SYNC_REGION, (function *)sync_region);
    set(SYNC_REGION_WAIT, (function *)sync_region_wait);
    set(TASK_CREATE, (function *)task_create);
    set(DEPENDENCES, (function *)dependences);
    set(TASK_SCHEDULE, (function *)task_schedule);
    return 1;
}

static void finalize(union data *tool)
{
    (void)tool;
}

typedef struct start_tool_result *start_function(unsigned version, const char *runtime);

__attribute__((visibility("default"))) struct start_tool_result *
ompt_start_tool(unsigned version, const char *runtime)
{
    static struct start_tool_result ours = {initialize, finalize, {0}};
    start_function *other = (start_function *)dlsym(RTLD_NEXT, "ompt_start_tool");
    const char *libraries = getenv("OMP_TOOL_LIBRARIES");
    struct start_tool_result *theirs = other ? other(version, runtime) : NULL;
    if (theirs || (libraries && *libraries))
        return theirs;
    return &ours;
}
