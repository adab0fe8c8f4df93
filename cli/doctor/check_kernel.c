/* What the kernel lets a program see of itself. */
#include "doctor/check.h"
#include "machine/system_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char paranoid[] = "/proc/sys/kernel/perf_event_paranoid";
static const char ptrace_scope[] = "/proc/sys/kernel/yama/ptrace_scope";
enum { OWN_EVENTS = 2, OWN_CHILDREN = 1 }; /* the highest levels that allow it */

/* 0, or the error of opening an event of this process, in user mode only as ScalAna does. */
static int try_event(uint32_t type, uint64_t event)
{
    struct perf_event_attr attribute = {.type = type, .size = sizeof attribute, .config = event};
    attribute.exclude_kernel = attribute.exclude_hv = 1;
    attribute.disabled = 1;
    long fd = syscall(SYS_perf_event_open, &attribute, 0, -1, -1, 0);
    if (fd < 0)
        return errno;
    close((int)fd);
    return 0;
}

static const char *container(const struct sca_checks *c)
{
    static const struct {
        const char *file, *name;
    } marks[] = {{"/run/.containerenv", "podman"},
                 {"/.dockerenv", "docker"},
                 {"/.singularity.d", "apptainer"}};
    char groups[4096];
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (sca_system_file_exists(c->root, marks[i].file))
            return marks[i].name;
    sca_system_file_read(c->root, "/proc/1/cgroup", groups, sizeof groups);
    return strstr(groups, "docker") ? "docker" : strstr(groups, "kubepods") ? "kubernetes" : NULL;
}

static void mend_perf(struct sca_checks *c, int level)
{
    const char *in = container(c);
    if (level > OWN_EVENTS)
        sca_checks_mend(c, "sysctl kernel.perf_event_paranoid=%d", OWN_EVENTS);
    else if (in && (!strcmp(in, "docker") || !strcmp(in, "podman")))
        sca_checks_mend(c, "%s run --cap-add=PERFMON --security-opt seccomp=unconfined ...", in);
    else
        sca_checks_mend(c, "let the sandbox allow the system call perf_event_open");
}

/* As the run will find it, or as another root's settings say. */
static int perf_error(const struct sca_checks *c, int level, uint32_t type, uint64_t event)
{
    if (*c->root)
        return level > OWN_EVENTS ? EACCES : 0;
    return try_event(type, event);
}

static void check_perf(struct sca_checks *c)
{
    char text[32];
    bool known = sca_system_file_read(c->root, paranoid, text, sizeof text);
    int level = known ? atoi(text) : 0;
    int error = perf_error(c, level, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
    if (!error) {
        sca_checks_works(c, "perf", "samples by the kernel's clock of each thread");
    } else {
        sca_checks_lacks(c, "perf", SCA_CHECK_LACKS,
                         "the kernel refuses perf events (%s%s): samples come from coarser timers",
                         error == ENOSYS ? "it has none" : "no permission",
                         level > OWN_EVENTS ? ", perf_event_paranoid is too high" : "");
        mend_perf(c, level);
        return; /* nor are there counters */
    }
    error = perf_error(c, level, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
    if (!error) {
        sca_checks_works(c, "counters", "hardware counters can be read");
    } else {
        sca_checks_lacks(c, "counters", SCA_CHECK_LACKS,
                         "no hardware counters: no cache misses, no instructions");
        if (error == EACCES || error == EPERM)
            mend_perf(c, level);
        else
            sca_checks_mend(
                c, "on a virtual machine, let the host pass its counters (QEMU: -cpu host,pmu=on)");
    }
}

static void check_papi(struct sca_checks *c)
{
    static const char *const names[] = {"libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    if (library) {
        sca_checks_works(c, "papi", "SCALANA_EVENTS can name PAPI's events");
        dlclose(library);
        return;
    }
    sca_checks_lacks(c, "papi", SCA_CHECK_LACKS, "no PAPI library: SCALANA_EVENTS counts nothing");
    sca_checks_mend_package(c, "libpapi7.0", "PAPI 7");
}

/* MPI copies large messages between processes of a host by the right to trace them. */
static void check_ptrace(struct sca_checks *c)
{
    char text[32];
    int scope = sca_system_file_read(c->root, ptrace_scope, text, sizeof text) ? atoi(text) : 0;
    if (scope <= OWN_CHILDREN) {
        sca_checks_works(c, "ptrace", "ptrace_scope is %d", scope);
        return;
    }
    sca_checks_lacks(c, "ptrace", SCA_CHECK_LACKS,
                     "ptrace_scope is %d: MPI copies large messages within a host twice", scope);
    sca_checks_mend(c, "sysctl kernel.yama.ptrace_scope=%d", OWN_CHILDREN);
}

void sca_check_kernel(struct sca_checks *c)
{
    const char *in = container(c);
    if (in)
        sca_checks_works(c, "container", "inside a container (%s)", in);
    check_perf(c);
    check_papi(c);
    check_ptrace(c);
}
