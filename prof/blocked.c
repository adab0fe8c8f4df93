#include "blocked.h"
#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { UNOPENED = 0, NONE = -1, TEXT = 80, TEN = 10, QUIET = 32 };

struct account { /* of the kernel, of one thread */
    uint64_t ran_ns, waited_ns;
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
    unsigned quiet;            /* counts in a row without a voluntary one, up to QUIET */
} mine __attribute__((tls_model("initial-exec")));

static int open_account(void)
{
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
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
    if (parse(text, out) && out->ran_ns >= mine.last.ran_ns)
        return out->known = true;
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

uint64_t sca_blocked_guess(uint64_t stall_ns)
{
    int kept = errno;
    uint64_t guess_ns = by_switches(stall_ns, count_switches());
    uint64_t least_ns = guess_ns ? by_account(stall_ns, mine.last) : 0;
    errno = kept;
    return guess_ns > least_ns ? guess_ns : least_ns;
}

bool sca_blocked_is_unlikely(void)
{
    return mine.quiet == QUIET;
}

void sca_blocked_thread_stop(void)
{
    struct account ignored;
    if (mine.descriptor > 0 && read_account(&ignored))
        close(mine.descriptor);
    mine.descriptor = NONE;
}
