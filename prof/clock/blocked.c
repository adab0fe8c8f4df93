#include "clock/blocked.h"
#include "clock/clock.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { UNOPENED = 0, NONE = -1, TEXT = 80, TEN = 10, QUIET = 32, SELDOM = 64 };

struct account { /* of the kernel, of one thread */
    uint64_t ran_ns, waited_ns;
    uint64_t wall_ns, cpu_ns; /* when it was read: ran_ns is as old as the last tick */
    bool known;
};

struct switches {
    long voluntary, involuntary;
};

static _Thread_local struct {
    int descriptor; /* or UNOPENED (0 is never ours), NONE */
    bool counted;
    struct account mark, last; /* last: when it was read last */
    struct switches switches;  /* when they were counted last */
    unsigned unread;           /* quiet stalls: of what a hypervisor takes little is to add up */
    unsigned quiet;            /* counts in a row without a voluntary one, up to QUIET */
} mine __attribute__((tls_model("initial-exec")));

static int open_account_of(int tid)
{
    char path[TEXT];
    if (!tid)
        return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", tid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int open_account(void)
{
    int fd = open_account_of(0);
    return fd < 0 ? NONE : sca_descriptor_move(fd);
}

/* Three numbers and the end of the line: it is ours, not a file that has taken its place. */
static bool parse(const char *text, struct account *out)
{
    char *end;
    out->ran_ns = strtoull(text, &end, TEN);
    if (*end != ' ')
        return false;
    out->waited_ns = strtoull(end, &end, TEN);
    if (*end != ' ')
        return false;
    (void)strtoull(end, &end, TEN);
    return *end == '\n';
}

static bool read_account(struct account *out)
{
    char text[TEXT];
    if (mine.descriptor == UNOPENED)
        mine.descriptor = open_account();
    if (mine.descriptor == NONE)
        return false;
    ssize_t n = pread(mine.descriptor, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (parse(text, out) && out->ran_ns >= mine.last.ran_ns) {
        out->wall_ns = sca_clock_now();
        out->cpu_ns = sca_clock_cpu();
        return out->known = true;
    }
    mine.descriptor = NONE;
    return false;
}

/* Since they were counted last. */
static struct switches count_switches(void)
{
    struct rusage usage;
    struct switches before = mine.switches;
    if (getrusage(RUSAGE_THREAD, &usage))
        return (struct switches){0};
    mine.switches = (struct switches){usage.ru_nvcsw, usage.ru_nivcsw};
    if (!mine.counted)
        before = mine.switches;
    mine.counted = true;
    bool awake = mine.switches.voluntary == before.voluntary;
    mine.quiet = awake ? mine.quiet + (mine.quiet < QUIET) : 0;
    return (struct switches){mine.switches.voluntary - before.voluntary,
                             mine.switches.involuntary - before.involuntary};
}

uint64_t sca_blocked_queued_ns(int tid)
{
    int kept = errno, fd = open_account_of(tid);
    char text[TEXT] = "";
    struct account account = {0};
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        close(fd);
    bool known = parse(text, &account);
    errno = kept;
    return known ? account.waited_ns : 0;
}

bool sca_blocked_is_unlikely(void)
{
    return mine.quiet == QUIET;
}

void sca_blocked_mark(void)
{
    int kept = errno;
    count_switches();
    mine.mark = (struct account){0};
    if (read_account(&mine.mark))
        mine.last = mine.mark;
    errno = kept;
}

static uint64_t by_switches(uint64_t stall_ns, struct switches since)
{
    double all = (double)since.voluntary + (double)since.involuntary;
    return all > 0 ? (uint64_t)((double)stall_ns * (double)since.voluntary / all) : 0;
}

/* What is left, if all that it waited for a core since then was in the stall. */
static uint64_t by_account(uint64_t stall_ns, struct account since)
{
    struct account after = {0};
    if (!since.known || !read_account(&after))
        return 0;
    uint64_t waited_ns = after.waited_ns - since.waited_ns;
    mine.last = after;
    return waited_ns < stall_ns ? stall_ns - waited_ns : 0;
}

uint64_t sca_blocked_since(uint64_t stall_ns)
{
    int kept = errno;
    struct switches since = count_switches();
    uint64_t blocked_ns = 0;
    if (since.voluntary)
        blocked_ns =
            mine.mark.known ? by_account(stall_ns, mine.mark) : by_switches(stall_ns, since);
    errno = kept;
    return blocked_ns;
}

/* All that the thread was off its core since the account was read last, and did not wait for one.
 */
static uint64_t by_balance(uint64_t stall_ns)
{
    struct account since = mine.last, after = {0};
    if (!read_account(&after))
        return 0;
    uint64_t waited_ns = after.waited_ns - since.waited_ns + after.cpu_ns - since.cpu_ns;
    uint64_t blocked_ns = after.wall_ns - since.wall_ns;
    blocked_ns = blocked_ns > waited_ns ? blocked_ns - waited_ns : 0;
    mine.last = after;
    return blocked_ns < stall_ns ? blocked_ns : stall_ns;
}

static uint64_t guess(uint64_t stall_ns, struct switches since)
{
    uint64_t guess_ns = by_switches(stall_ns, since);
    uint64_t least_ns = guess_ns ? by_account(stall_ns, mine.last) : 0;
    return guess_ns > least_ns ? guess_ns : least_ns;
}

uint64_t sca_blocked_guess(uint64_t stall_ns)
{
    int kept = errno;
    bool first = sca_blocked_is_unlikely() && mine.last.known; /* since long before that reading */
    struct switches since = count_switches();
    uint64_t blocked_ns = 0;
    if (since.voluntary)
        blocked_ns = first ? by_balance(stall_ns) : guess(stall_ns, since);
    else if (mine.unread++ % SELDOM == 0)
        (void)by_balance(0);
    errno = kept;
    return blocked_ns;
}

void sca_blocked_thread_stop(void)
{
    struct account ignored;
    if (mine.descriptor > 0 && read_account(&ignored))
        close(mine.descriptor);
    mine.descriptor = NONE;
}
