#include "finish/presence.h"
#include "base/descriptor.h"
#include "base/patience.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_LOCAL = 4096, ANCESTORS = 16, ENVIRONMENT = 256 << 10 };
#define LATE_SECONDS 1.0 /* MPI_Init has brought the ranks together: nobody is far behind */

static struct {
    bool announced;
    int socket; /* -1: nobody can know */
    int rank, ranks;
    bool first;
    char job[128];
} local = {.socket = -1, .rank = -1};

static int number_of(const char *name)
{
    const char *value = getenv(name);
    char *end;
    long number = value ? strtol(value, &end, 10) : -1;
    return value && *value && !*end && number >= 0 && number <= MOST_LOCAL ? (int)number : -1;
}

/* True if the process was started with this variable; unreadable ones count as without. */
static bool has_variable(int pid, const char *name)
{
    static char text[ENVIRONMENT]; /* one thread, inside MPI_Init */
    char path[40];
    size_t length = 0, word = strlen(name);
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t n;
         fd >= 0 && (n = sca_descriptor_read(fd, text + length, sizeof text - length)) > 0;)
        length += (size_t)n;
    if (fd >= 0)
        close(fd);
    for (size_t at = 0; at + word < length; at += strnlen(text + at, length - at) + 1)
        if (!strncmp(text + at, name, word) && text[at + word] == '=')
            return true;
    return false;
}

static int parent_of(int pid)
{
    char path[40], stat[256];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = sca_descriptor_read(fd, stat, sizeof stat - 1);
    close(fd);
    stat[n > 0 ? n : 0] = '\0';
    const char *state = strrchr(stat, ')');
    return state && sscanf(state + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/* The process that started this host's ranks: the nearest ancestor that is none itself. */
static int launcher(const char *rank_variable)
{
    int pid = getppid();
    for (int i = 0; i < ANCESTORS && pid > 1 && has_variable(pid, rank_variable); i++)
        pid = parent_of(pid);
    return pid;
}

/* What the launcher says: Open MPI's and PRRTE's, or Hydra's (MPICH, Intel MPI). */
static bool ask_environment(void)
{
    const char *space = getenv("PMIX_NAMESPACE");
    local.rank = number_of("OMPI_COMM_WORLD_LOCAL_RANK");
    local.ranks = number_of("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (space && local.rank >= 0 && local.rank < local.ranks) {
        snprintf(local.job, sizeof local.job, "%.80s", space);
        return true;
    }
    local.rank = number_of("MPI_LOCALRANKID");
    local.ranks = number_of("MPI_LOCALNRANKS");
    if (local.rank < 0 || local.rank >= local.ranks) {
        local.rank = number_of("SLURM_LOCALID");
        return false;
    }
    snprintf(local.job, sizeof local.job, "hydra-%d", launcher("MPI_LOCALRANKID"));
    return true;
}

static socklen_t address_of(struct sockaddr_un *address, int rank)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "scalana-%.80s-%d",
                     local.job, rank);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

void sca_presence_announce(void)
{
    struct sockaddr_un name;
    if (local.announced || !ask_environment())
        return;
    local.announced = true;
    int saved = errno, fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&name, address_of(&name, local.rank))) {
        close(fd); /* somebody of that name is there already: names say nothing here */
        fd = -1;
    }
    local.socket = fd;
    errno = saved;
}

static bool is_here(int fd, int rank)
{
    struct sockaddr_un name;
    socklen_t length = address_of(&name, rank);
    return rank == local.rank || !connect(fd, (struct sockaddr *)&name, length);
}

/* Only a refusal says that nobody has the name. */
static int look(int fd, int from)
{
    for (; from < local.ranks; from++)
        if (!is_here(fd, from) && errno == ECONNREFUSED)
            return from;
    return -1;
}

static bool is_lowest(int fd)
{
    int lowest = 0;
    while (lowest < local.rank && !is_here(fd, lowest))
        lowest++;
    return lowest == local.rank;
}

int sca_presence_missing(void)
{
    int saved = errno, missing = 0;
    local.first = local.rank <= 0;
    int fd = local.socket < 0 ? -1 : socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    local.first = is_lowest(fd);
    struct sca_patience patience = sca_patience_begin(LATE_SECONDS);
    for (unsigned turn = 0; (missing = look(fd, missing)) >= 0 && !sca_patience_is_over(&patience);)
        sca_patience_pause(&turn);
    close(fd);
    errno = saved;
    return missing;
}

bool sca_presence_is_first(void)
{
    return local.first;
}

bool sca_presence_may_speak(void)
{
    ask_environment();
    return local.rank <= 0;
}

void sca_presence_end(void)
{
    if (local.socket >= 0)
        close(local.socket);
    local.socket = -1;
}
