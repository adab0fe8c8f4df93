#include "outside/shared_object.h"
#include "base/descriptor.h"
#include "base/hash.h"
#include "base/small_file.h"
#include "clock/clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 16, LINE = 512, HEX = 16, TEN = 10 };
#define FRESH_NS 1000000000u
#define OFTEN_NS 100000000u

struct mapping {
    uintptr_t first, last; /* addresses, [first, last) */
    uint64_t offset;       /* in the file, of the first */
    uint64_t file;         /* hash of machine, device and inode; 0: of one process alone */
    uint64_t read_ns;      /* when; 0: nothing is kept here */
};

static struct mapping kept[KEPT];
static unsigned next_kept;
static uint64_t last_read_ns; /* of the list */
static bool busy;             /* another thread looks into them: then the list is read */

static bool take(void)
{
    return !__atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE);
}

static void give_back(void)
{
    __atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

uint64_t sca_shared_object_machine(void)
{
    static uint64_t hash;
    char id[64];
    if (!hash) {
        sca_small_file_read("/proc/sys/kernel/random/boot_id", id, sizeof id);
        for (const char *c = id; *c; c++)
            hash = sca_hash_mix(hash, (uint64_t)*c);
    }
    return hash;
}

/* "first-last rwxs offset major:minor inode   path" */
static bool parse(const char *line, struct mapping *out)
{
    char *at;
    out->first = strtoull(line, &at, HEX);
    if (*at != '-')
        return false;
    out->last = strtoull(at + 1, &at, HEX);
    if (strlen(at) < sizeof " rwxs ")
        return false;
    bool shared = at[4] == 's';
    out->offset = strtoull(at + 5, &at, HEX);
    uint64_t major = strtoull(at, &at, HEX);
    uint64_t minor = *at == ':' ? strtoull(at + 1, &at, HEX) : 0;
    uint64_t inode = strtoull(at, NULL, TEN);
    out->file = 0;
    if (shared && inode)
        out->file =
            sca_hash_mix(sca_hash_mix(sca_shared_object_machine(), major << 32 | minor), inode) | 1;
    return true;
}

/* Line by line: what does not fit is the path, of which nothing is asked. */
static bool find_in(int fd, uintptr_t address, struct mapping *out)
{
    char text[LINE + 1];
    size_t length = 0;
    bool skips = false;
    for (ssize_t n; (n = sca_descriptor_read(fd, text + length, LINE - length)) > 0;) {
        length += (size_t)n;
        text[length] = '\0';
        char *line = text, *end;
        while ((end = strchr(line, '\n')) || (line == text && length == LINE)) {
            if (!skips && parse(line, out) && address >= out->first && address < out->last)
                return true;
            skips = !end;
            line = end ? end + 1 : text + length;
        }
        length -= (size_t)(line - text);
        memmove(text, line, length);
    }
    return false;
}

static struct mapping look_up(uintptr_t address)
{
    struct mapping found = {0};
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !find_in(fd, address, &found))
        found = (struct mapping){0};
    if (fd >= 0)
        close(fd);
    found.read_ns = sca_clock_now();
    return found;
}

static bool find_kept(uintptr_t address, struct mapping *out)
{
    uint64_t now_ns = sca_clock_now();
    for (unsigned i = 0; i < KEPT; i++)
        if (kept[i].read_ns && address >= kept[i].first && address < kept[i].last &&
            now_ns - kept[i].read_ns < FRESH_NS) {
            *out = kept[i];
            return true;
        }
    return false;
}

static struct mapping read_list(uintptr_t address)
{
    struct mapping m = look_up(address);
    kept[next_kept++ % KEPT] = m;
    last_read_ns = m.read_ns;
    return m;
}

static struct sca_shared_object name_of(const struct mapping *m, uintptr_t address)
{
    if (!m->file)
        return (struct sca_shared_object){0};
    return (struct sca_shared_object){m->file,
                                      sca_hash_mix(m->file, m->offset + (address - m->first)) | 1};
}

struct sca_shared_object sca_shared_object(const void *object)
{
    uintptr_t address = (uintptr_t)object;
    struct mapping m;
    if (!take()) {
        m = look_up(address);
    } else {
        if (!find_kept(address, &m))
            m = read_list(address);
        give_back();
    }
    return name_of(&m, address);
}

bool sca_shared_object_if_known(const void *object, struct sca_shared_object *out)
{
    uintptr_t address = (uintptr_t)object;
    struct mapping m;
    if (!take())
        return false;
    bool known = find_kept(address, &m);
    if (!known && sca_clock_now() - last_read_ns > OFTEN_NS) {
        m = read_list(address);
        known = true;
    }
    give_back();
    if (known)
        *out = name_of(&m, address);
    return known;
}

void sca_shared_object_forget(void)
{
    if (!take())
        return;
    memset(kept, 0, sizeof kept);
    give_back();
}
