#include "arena/present.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/small_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIELDS_BEFORE_START = 19 /* of /proc/PID/stat, behind the name and the state */ };

static struct sca_part_present unseen; /* of all threads without a record */

/* The name may hold anything, but no ')' comes behind it. */
static uint64_t process_start(void)
{
    char text[512];
    sca_small_file_read("/proc/self/stat", text, sizeof text);
    const char *at = strrchr(text, ')');
    for (int i = 0; at && i <= FIELDS_BEFORE_START; i++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10) & 15;
}

static void read_boot(uint8_t boot[16])
{
    char text[64];
    unsigned digits = 0;
    sca_small_file_read("/proc/sys/kernel/random/boot_id", text, sizeof text);
    for (const char *at = text; *at && *at != '\n' && digits < 32; at++)
        if (*at != '-') {
            boot[digits / 2] = (uint8_t)(boot[digits / 2] << 4 | digit(*at));
            digits++;
        }
}

void sca_present_begin(void)
{
    struct sca_part_header *h = sca_arena_header();
    struct stat st;
    h->process = (uint32_t)getpid();
    h->process_start = process_start();
    read_boot(h->boot);
    h->pid_namespace = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
    sca_present_take()->exit_ns = h->init_ns;
}

static struct sca_part_present *find(void)
{
    uint32_t thread = (uint32_t)syscall(SYS_gettid);
    struct sca_part_header *h = sca_arena_header();
    for (int i = 0; h && i < SCA_PRESENT_THREADS; i++) {
        uint32_t nobody = 0;
        if (__atomic_compare_exchange_n(&h->present[i].thread, &nobody, thread, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return &h->present[i];
    }
    return &unseen;
}

SCA_COLD struct sca_part_present *sca_present_take(void)
{
    if (!sca_thread.present)
        sca_thread.present = find();
    return sca_thread.present;
}

void sca_present_leave(void)
{
    struct sca_part_present *present = sca_thread.present;
    sca_thread.present = NULL;
    if (present && present != &unseen)
        __atomic_store_n(&present->thread, 0, __ATOMIC_RELEASE);
}
