#include "profile/alive.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FIELDS_BEFORE_START = 19 /* of /proc/PID/stat, behind the name and the state */ };

static bool read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(text, 1, size - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    return n > 0;
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10) & 15;
}

static bool is_this_boot(const uint8_t boot[16])
{
    char text[64];
    uint8_t own[16] = {0};
    unsigned digits = 0;
    if (!read_text("/proc/sys/kernel/random/boot_id", text, sizeof text))
        return false;
    for (const char *at = text; *at && digits < 32; at++)
        if (isxdigit((unsigned char)*at)) {
            own[digits / 2] = (uint8_t)(own[digits / 2] << 4 | digit(*at));
            digits++;
        }
    return !memcmp(own, boot, sizeof own);
}

/* When the process of that number began, in clock ticks; 0: there is none, or it has ended and
 * only waits for its parent to ask. */
static uint64_t start_of(uint32_t process)
{
    char path[40], text[1024];
    snprintf(path, sizeof path, "/proc/%u/stat", process);
    if (!read_text(path, text, sizeof text))
        return 0;
    const char *at = strrchr(text, ')');
    if (!at || (at[1] == ' ' && (at[2] == 'Z' || at[2] == 'X')))
        return 0;
    for (int i = 0; at && i <= FIELDS_BEFORE_START; i++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

char sca_alive_thread_state(uint32_t process, uint32_t thread)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%u/task/%u/stat", process, thread);
    const char *at = read_text(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    return (char)(at && at[1] == ' ' ? at[2] : '\0');
}

static bool is_observed(const struct sca_part_header *h)
{
    return (int32_t)h->process >= SCA_OBSERVED_UNKNOWN && (int32_t)h->process < 0;
}

static enum sca_alive observed(const struct sca_part_header *h, uint64_t *now_ns)
{
    *now_ns = h->process_start;
    return (int32_t)h->process == SCA_OBSERVED_ALIVE  ? SCA_ALIVE
           : (int32_t)h->process == SCA_OBSERVED_GONE ? SCA_DEAD
                                                      : SCA_ALIVE_UNKNOWN;
}

enum sca_alive sca_alive_look(const struct sca_part_header *h, uint64_t *now_ns)
{
    struct timespec t;
    struct stat st;
    if (is_observed(h))
        return observed(h, now_ns);
    *now_ns = 0;
    if (!is_this_boot(h->boot))
        return SCA_ALIVE_UNKNOWN;
    if (!clock_gettime(CLOCK_MONOTONIC, &t))
        *now_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    if (!h->process_start || stat("/proc/self/ns/pid", &st) || st.st_ino != h->pid_namespace)
        return SCA_ALIVE_UNKNOWN;
    return start_of(h->process) == h->process_start ? SCA_ALIVE : SCA_DEAD;
}
