#include "finish/describe.h"
#include "arena/arena.h"
#include "base/binding.h"
#include "base/cores.h"
#include "base/small_file.h"
#include "clock/clock.h"
#include "clock/core_step.h"
#include "clock/blocked.h"
#include "clock/core_use.h"
#include "clock/free_cores.h"
#include "base/settings.h"
#include "sampling/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void meta_number(const char *key, unsigned long value)
{
    char text[24];
    snprintf(text, sizeof text, "%lu", value);
    sca_arena_meta(key, text);
}

static void describe_program(void)
{
    char path[SCA_DIRECTORY], build_id[65], start[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    sca_rundir_program_path(path, sizeof path);
    sca_rundir_program_build_id(build_id, sizeof build_id);
    if (gmtime_r(&now, &utc))
        strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &utc);
    sca_arena_meta("program", sca_rundir_base_name(path));
    sca_arena_meta("path", path);
    sca_arena_meta("build_id", build_id);
    sca_arena_meta("version", SCA_VERSION);
    sca_arena_meta("start", start);
}

enum { CORES_TEXT = 512, THREADS_TEXT = 2048 }; /* bytes */
enum { FEW_CORES = 8, LEAST_WAIT_NS = 1000000, WAITS_SELDOM = 100 };
enum { ARGUMENTS = 960 }; /* bytes of all: what does not fit is left out, "..." behind it */

/* Words for a shell: one with other characters than these stands in quotation marks. */
static size_t put_word(char *out, size_t room, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%";
    bool quoted = !*word || word[strspn(word, plain)];
    int n = snprintf(out, room, quoted ? " '%s'" : " %s", word);
    return n < 0 || (size_t)n >= room ? 0 : (size_t)n;
}

/* The words behind the program's name, as the kernel was given them. */
static void describe_arguments(void)
{
    char words[ARGUMENTS + 1] = "", line[ARGUMENTS + 8] = "";
    size_t used = 0, n = 1;
    size_t length = sca_small_file_bytes("/proc/self/cmdline", words, sizeof words);
    if (!length)
        return;
    for (size_t at = strlen(words) + 1; n && at < length; at += strlen(words + at) + 1)
        used += n = put_word(line + used, ARGUMENTS - used, words + at);
    if (!n || length == ARGUMENTS)
        memcpy(line + used, " ...", sizeof " ...");
    sca_arena_meta("arguments", line[0] ? line + 1 : "");
}

static void describe_directory(void)
{
    char directory[ARGUMENTS];
    if (getcwd(directory, sizeof directory))
        sca_arena_meta("directory", directory);
}

/* Nothing where there is but one clock. */
static void describe_clock(const struct sca_meeting *m)
{
    char text[32];
    if (m->clocks < 2)
        return;
    const struct sca_offset *own = &m->offsets[m->own];
    meta_number("clock.leader", m->leader[m->own]);
    if (own->error == SCA_OFFSET_UNKNOWN)
        return;
    snprintf(text, sizeof text, "%" PRId64, own->ns);
    sca_arena_meta("clock.offset", text);
    snprintf(text, sizeof text, "%" PRIu64, own->error);
    sca_arena_meta("clock.error", text);
}

static void describe_host(const struct sca_meeting *m)
{
    char cores[CORES_TEXT];
    meta_number("hosts", m->hosts);
    sca_arena_meta("host", m->host.name);
    meta_number("node", m->node);
    if (m->host.address[0])
        sca_arena_meta("address", m->host.address);
    sca_binding_describe(cores, sizeof cores);
    if (cores[0])
        sca_arena_meta("cores", cores);
}

/* Of the first thread, as MPI_Init returned: what it waited before is no matter of the run. */
static uint64_t queued_before_ns, since_ns;

void sca_describe_run(const struct sca_meeting *m, uint32_t rank, uint32_t ranks)
{
    describe_program();
    if (rank == 0) {
        describe_arguments();
        describe_directory();
    }
    meta_number("ranks", ranks);
    if (sca_cores_wanted() > 1)
        meta_number("threads", sca_cores_wanted());
    describe_host(m);
    meta_number("frequency", sca_settings.frequency);
    sca_arena_meta("oversubscribed", m->crowded || m->local > m->cores ? "1" : "0");
    meta_number("host.cores", m->cores);
    sca_arena_meta("clock", sca_clock_source());
    describe_clock(m);
    queued_before_ns = sca_blocked_queued_ns(0);
    since_ns = sca_clock_now();
    sca_free_cores_begin();
}

static void meta_ns(const char *key, uint64_t ns)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, ns);
    sca_arena_meta(key, text);
}

static void describe_text(const char *key, const char *text)
{
    if (*text)
        sca_arena_meta(key, text);
}

/* The kernel may keep it to itself. Returns the longest of all threads. */
static uint64_t describe_wait_for_core(void)
{
    uint64_t now_ns = sca_blocked_queued_ns(0), longest_ns = sca_core_use_longest_wait_ns();
    uint64_t waited_ns = now_ns > queued_before_ns ? now_ns - queued_before_ns : 0;
    if (waited_ns >= LEAST_WAIT_NS)
        meta_ns("core.waited_ns", waited_ns);
    return waited_ns > longest_ns ? waited_ns : longest_ns;
}

/* All that were used where ranks share cores: what is slow on some ranks may be so by these. */
static void describe_use(void)
{
    char use[CORES_TEXT];
    sca_core_use_describe(sca_clock_is_crowded() ? UINT32_MAX : FEW_CORES, use, sizeof use);
    describe_text("core.use", use);
}

static void describe_threads(void)
{
    char threads[THREADS_TEXT];
    sca_threads_note_waits();
    sca_core_use_describe_threads(threads, sizeof threads);
    describe_text("core.threads", threads);
}

static void describe_free_cores(void)
{
    char idle[CORES_TEXT];
    sca_free_cores_describe(idle, sizeof idle);
    describe_text("core.free", idle);
}

void sca_describe_core(void)
{
    meta_ns("core.step_ps", sca_core_step_ps());
    describe_use();
    describe_threads();
    /* of no interest to who hardly waited */
    if (describe_wait_for_core() >= (sca_clock_now() - since_ns) / WAITS_SELDOM)
        describe_free_cores();
}

void sca_describe_end(const struct sca_meeting *m, uint64_t cost_ns, uint64_t cpu_ns)
{
    char key[40], text[64];
    meta_ns("cost.ns", cost_ns);
    meta_ns("cost.of_cpu_ns", cpu_ns);
    for (uint32_t i = 1; i < m->clocks; i++) {
        if (m->offsets[i].error == SCA_OFFSET_UNKNOWN)
            continue;
        snprintf(key, sizeof key, "clock.end.%u", m->leader[i]);
        snprintf(text, sizeof text, "%" PRId64 " %" PRIu64, m->offsets[i].ns, m->offsets[i].error);
        sca_arena_meta(key, text);
    }
}
