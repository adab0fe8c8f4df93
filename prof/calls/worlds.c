#include "calls/worlds.h"
#include "base/hash.h"
#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

static void append_moment(uint64_t took_ns, char *text, size_t size)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(text, size, " met %" PRId64 ".%09ld after %" PRIu64, (int64_t)now.tv_sec, now.tv_nsec,
             took_ns);
}

void sca_worlds_describe(const struct sca_communicator *comm,
                         const struct sca_worlds_meeting *meeting, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "worlds %s %u", comm->inter ? "inter" : "intra",
                                   comm->inter ? comm->peers : 0);
    if (meeting && meeting->parent)
        snprintf(text + used, size - used, " of %016" PRIx64 " as %u", meeting->parent,
                 meeting->order);
    if (!meeting || !meeting->tells)
        return;
    if (meeting->key)
        used += (size_t)snprintf(text + used, size - used, " key %016" PRIx64, meeting->key);
    append_moment(meeting->took_ns, text + used, size - used);
}

uint64_t sca_worlds_text_key(const char *text, size_t length)
{
    uint64_t hash = 0;
    while (length && text[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < length; i++)
        hash = sca_hash_mix(hash, (unsigned char)text[i]);
    return hash | 1;
}

static uint64_t hash_address(int (*get)(int, struct sockaddr *restrict, socklen_t *restrict),
                             int socket)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    uint64_t hash = 0;
    if (get(socket, (struct sockaddr *)&address, &length) || length > sizeof address ||
        (address.ss_family != AF_INET && address.ss_family != AF_INET6))
        return 0;
    for (socklen_t i = 0; i < length; i++)
        hash = sca_hash_mix(hash, ((const unsigned char *)&address)[i]);
    return hash;
}

uint64_t sca_worlds_socket_key(int socket)
{
    uint64_t own = hash_address(getsockname, socket), other = hash_address(getpeername, socket);
    if (!own || !other)
        return 0;
    return sca_hash_mix(own < other ? own : other, own < other ? other : own) | 1;
}
