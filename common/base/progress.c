#include "sca_progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SILENT_MS = 1000, EVERY_MS = 100, IDLE_MS = 900, WIDTH = 78 };

static struct {
    atomic_flag busy;
    int64_t begun, last; /* milliseconds; 0: not yet */
    bool shown;
} line = {.busy = ATOMIC_FLAG_INIT};

static atomic_bool silent;

static struct { /* the thread that speaks for steps that cannot */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char step[WIDTH];
    int64_t begun; /* the step */
    bool running, leaving;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return !atomic_load(&silent) && isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
}

/* `ms`: since when it takes, shown where the total is unknown. */
static void put(const char *step, uint64_t done, uint64_t total, int64_t ms)
{
    char text[WIDTH + 1];
    int n = snprintf(text, sizeof text, "%s: %s", program_invocation_short_name, step);
    if (total && n < WIDTH - 6)
        snprintf(text + n, sizeof text - (size_t)n, " %3u %%",
                 (unsigned)(100.0 * (double)done / (double)total));
    else if (!total && n < WIDTH - 9)
        snprintf(text + n, sizeof text - (size_t)n, ", %u s", (unsigned)(ms / 1000));
    fprintf(stderr, "\r%s\x1b[K", text);
    line.shown = true;
}

void sca_progress_silence(bool silence)
{
    atomic_store(&silent, silence);
}

void sca_progress(const char *step, uint64_t done, uint64_t total)
{
    int64_t now = now_ms();
    if (atomic_flag_test_and_set(&line.busy))
        return;
    if (!line.begun)
        line.begun = now;
    if (now - line.begun >= SILENT_MS && now - line.last >= EVERY_MS) {
        line.last = now;
        if (is_terminal())
            put(step, done, total, now - line.begun);
    }
    atomic_flag_clear(&line.busy);
}

/* For a step that cannot say how far it is, unless another one inside it just did. */
static void speak_for(const char *step, int64_t begun)
{
    int64_t now = now_ms();
    if (atomic_flag_test_and_set(&line.busy))
        return;
    if (now - line.begun >= SILENT_MS && now - line.last >= IDLE_MS) {
        line.last = now;
        if (is_terminal())
            put(step, 0, 0, now - begun);
    }
    atomic_flag_clear(&line.busy);
}

static void *speak(void *unused)
{
    struct timespec until;
    pthread_mutex_lock(&watch.lock);
    clock_gettime(CLOCK_REALTIME, &until);
    while (!watch.leaving) {
        until.tv_sec++;
        while (!watch.leaving && pthread_cond_timedwait(&watch.changed, &watch.lock, &until) == 0)
            ;
        if (!watch.leaving)
            speak_for(watch.step, watch.begun);
    }
    pthread_mutex_unlock(&watch.lock);
    return unused;
}

static void stop_watch(void)
{
    if (!watch.running)
        return;
    pthread_mutex_lock(&watch.lock);
    watch.leaving = true;
    pthread_cond_signal(&watch.changed);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.thread, NULL);
    watch.running = false;
}

void sca_progress_watch(const char *format, ...)
{
    va_list args;
    if (!is_terminal())
        return;
    pthread_mutex_lock(&watch.lock);
    va_start(args, format);
    vsnprintf(watch.step, sizeof watch.step, format, args);
    va_end(args);
    watch.begun = now_ms();
    if (!watch.running) {
        watch.leaving = false;
        line.begun = line.begun ? line.begun : watch.begun;
        watch.running = !pthread_create(&watch.thread, NULL, speak, NULL);
    }
    pthread_mutex_unlock(&watch.lock);
}

void sca_progress_end(void)
{
    stop_watch();
    if (line.shown)
        fputs("\r\x1b[K", stderr);
    line.begun = 0;
    line.shown = false;
}
