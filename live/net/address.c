#include "net/address.h"
#include "sca_error.h"
#include "sca_words.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAITING = 128, FLAGS = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC };

/* ---- listening ---- */

static int listen_on(int family, uint16_t *port)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at = {.six = {0}};
    socklen_t size = family == AF_INET6 ? sizeof at.six : sizeof at.four;
    int on = 1, off = 0, fd = socket(family, FLAGS, 0);
    if (fd < 0)
        return -1;
    at.any.sa_family = (sa_family_t)family;
    *(family == AF_INET6 ? &at.six.sin6_port : &at.four.sin_port) = htons(*port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(fd, &at.any, size) || listen(fd, WAITING) || getsockname(fd, &at.any, &size)) {
        close(fd);
        return -1;
    }
    *port = ntohs(family == AF_INET6 ? at.six.sin6_port : at.four.sin_port);
    return fd;
}

int sca_address_listen(uint16_t *port)
{
    int fd = listen_on(AF_INET6, port);
    if (fd < 0)
        fd = listen_on(AF_INET, port);
    if (fd < 0)
        sca_fail(SCA_EIO, "cannot listen on port %u: %s", *port, strerror(errno));
    return fd;
}

int sca_address_accept(int listener)
{
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* ---- this host's addresses ---- */

char *sca_address_join(const char *host, uint16_t port)
{
    return strchr(host, ':') ? sca_words_format("[%s]:%u", host, port)
                             : sca_words_format("%s:%u", host, port);
}

static void add(char **list, const struct ifaddrs *i, uint16_t port)
{
    char host[80];
    socklen_t size = i->ifa_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                        : sizeof(struct sockaddr_in);
    if (getnameinfo(i->ifa_addr, size, host, sizeof host, NULL, 0, NI_NUMERICHOST))
        return;
    if (i->ifa_addr->sa_family == AF_INET6 && !strncmp(host, "fe80:", 5))
        return; /* needs the other side's interface */
    char *address = sca_address_join(host, port);
    char *longer =
        *list ? sca_words_format("%s,%s", *list, address) : sca_words_format("%s", address);
    free(address);
    free(*list);
    *list = longer;
}

static bool is_wanted(const struct ifaddrs *i, bool loopback)
{
    return i->ifa_addr && (i->ifa_flags & IFF_UP) && !(i->ifa_flags & IFF_LOOPBACK) == !loopback &&
           (i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6);
}

char *sca_address_list(uint16_t port)
{
    struct ifaddrs *all = NULL;
    char *list = NULL;
    if (getifaddrs(&all))
        all = NULL;
    for (int loopback = 0; loopback < 2; loopback++)
        for (const struct ifaddrs *i = all; i; i = i->ifa_next)
            if (is_wanted(i, loopback))
                add(&list, i, port);
    if (all)
        freeifaddrs(all);
    return list ? list : sca_address_join("127.0.0.1", port);
}

/* ---- connecting ---- */

static bool split(char *address, char **host, char **port)
{
    char *colon = strrchr(address, ':');
    if (!colon)
        return false;
    *colon = '\0';
    *port = colon + 1;
    *host = address;
    if (*address == '[' && colon > address && colon[-1] == ']') {
        colon[-1] = '\0';
        ++*host;
    }
    return **host && **port;
}

static bool is_through(int fd, int timeout_ms)
{
    struct pollfd p = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t size = sizeof error;
    int n = poll(&p, 1, timeout_ms);
    if (n <= 0)
        errno = n ? errno : ETIMEDOUT;
    else if (!getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) && !error)
        return true;
    else
        errno = error;
    return false;
}

static int connect_one(char *address, int timeout_ms)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char *host, *port;
    errno = EINVAL;
    if (!split(address, &host, &port) || getaddrinfo(host, port, &hints, &found))
        return -1;
    int fd = socket(found->ai_family, FLAGS, 0);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) &&
        (errno != EINPROGRESS || !is_through(fd, timeout_ms))) {
        int error = errno;
        close(fd);
        errno = error;
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

int sca_address_connect(const char *list, int timeout_ms)
{
    char *copy = sca_words_format("%s", list), *rest = copy;
    int fd = -1, error = EINVAL;
    for (char *one; fd < 0 && (one = strsep(&rest, ",")); error = errno)
        fd = connect_one(one, timeout_ms);
    free(copy);
    if (fd < 0)
        sca_fail(SCA_EIO, "no connection to %s: %s", list, strerror(error));
    return fd;
}
