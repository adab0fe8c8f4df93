/* Names of what a descriptor stands for, equal in all processes that have it. */
#include "base/hash.h"
#include "outside/objects.h"
#include "outside/shared_object.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 1024, PATH = 64, IPV4_LOOPBACK = 127 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static uint64_t inode_of(const struct stat *st)
{
    return sca_hash_mix(sca_hash_mix(sca_shared_object_machine(), st->st_dev), st->st_ino) | 1;
}

static uint64_t hash_bytes(const void *bytes, size_t n, uint64_t hash)
{
    for (size_t i = 0; i < n; i++)
        hash = sca_hash_mix(hash, ((const unsigned char *)bytes)[i]);
    return hash;
}

/* Of address and port; *local: no other machine has it. */
static uint64_t end_of(const union address *a, bool *local)
{
    if (a->any.sa_family == AF_INET) {
        *local = ntohl(a->v4.sin_addr.s_addr) >> 24 == IPV4_LOOPBACK;
        return hash_bytes(&a->v4.sin_addr, sizeof a->v4.sin_addr, a->v4.sin_port);
    }
    *local = IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
    return hash_bytes(&a->v6.sin6_addr, sizeof a->v6.sin6_addr, a->v6.sin6_port);
}

/* Both ends have it, whichever is which. */
static uint64_t pair_of(uint64_t a, uint64_t b, uint64_t start)
{
    return sca_hash_mix(sca_hash_mix(start, a < b ? a : b), a < b ? b : a) | 1;
}

static uint64_t between_processes(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) || peer.pid <= 0)
        return 0;
    return pair_of((uint64_t)getpid(), (uint64_t)peer.pid, sca_shared_object_machine());
}

static uint64_t connection(int fd)
{
    union address own = {0}, peer = {0};
    socklen_t own_length = sizeof own, peer_length = sizeof peer;
    bool local = false;
    if (getsockname(fd, &own.any, &own_length) || getpeername(fd, &peer.any, &peer_length))
        return 0;
    if (own.any.sa_family == AF_UNIX)
        return between_processes(fd);
    if (own.any.sa_family != AF_INET && own.any.sa_family != AF_INET6)
        return 0;
    uint64_t a = end_of(&own, &local), b = end_of(&peer, &local);
    return pair_of(a, b, local ? sca_shared_object_machine() : 0);
}

/* Pipes without a name are inherited: no other rank has them. */
static bool has_name(int fd)
{
    char path[PATH], target[2];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, target, sizeof target) > 0 && target[0] == '/';
}

uint64_t sca_objects_stream(int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return 0;
    if (S_ISSOCK(st.st_mode))
        return connection(fd);
    return S_ISFIFO(st.st_mode) && has_name(fd) ? inode_of(&st) : 0;
}

uint64_t sca_objects_file(int fd)
{
    struct stat st;
    return fstat(fd, &st) ? 0 : inode_of(&st);
}

void sca_objects_note_pipes(void)
{
    struct stat st;
    for (int fd = 0; fd < MOST_DESCRIPTORS; fd++)
        if (!fstat(fd, &st) && S_ISFIFO(st.st_mode) && has_name(fd))
            sca_objects_use(inode_of(&st));
}
