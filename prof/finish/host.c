#include "finish/host.h"
#include "base/descriptor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_INTERFACES = 64 };

static uint64_t hash(uint64_t start, const void *bytes, size_t n)
{
    const unsigned char *c = bytes;
    uint64_t value = start ^ 0xcbf29ce484222325u;
    while (n--)
        value = (value ^ *c++) * 0x100000001b3u;
    return value;
}

static uint64_t boot_id(const char *instead)
{
    char id[64];
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : sca_descriptor_read(fd, id, sizeof id);
    if (fd >= 0)
        close(fd);
    return n > 0 ? hash(0, id, (size_t)n) : hash(1, instead, strlen(instead));
}

/* Inode numbers of namespaces are unique while a kernel runs. 0 where it has no such namespace. */
static uint64_t namespace(const char *path)
{
    struct stat st;
    return stat(path, &st) ? 0 : st.st_ino;
}

/* The address from which we would send to the world; nothing is sent. */
static int routed_address(char *text, socklen_t size)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)}, own = {0};
    socklen_t length = sizeof own;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    inet_pton(AF_INET, "192.0.2.1", &to.sin_addr); /* reserved for documentation, RFC 5737 */
    int failed = connect(fd, (const struct sockaddr *)&to, sizeof to) ||
                 getsockname(fd, (struct sockaddr *)&own, &length) ||
                 !inet_ntop(AF_INET, &own.sin_addr, text, size);
    close(fd);
    return failed ? -1 : 0;
}

static int is_up(int fd, struct ifreq interface)
{
    return !ioctl(fd, SIOCGIFFLAGS, &interface) && interface.ifr_flags & IFF_UP &&
           !(interface.ifr_flags & IFF_LOOPBACK);
}

/* Without a route to the world: the first interface's. */
static void first_address(char *text, socklen_t size)
{
    struct ifreq interfaces[MOST_INTERFACES];
    struct ifconf list = {.ifc_len = sizeof interfaces, .ifc_req = interfaces};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (ioctl(fd, SIOCGIFCONF, &list))
        list.ifc_len = 0;
    for (size_t i = 0; i < (size_t)list.ifc_len / sizeof *interfaces; i++) {
        struct sockaddr_in address;
        memcpy(&address, &interfaces[i].ifr_addr, sizeof address);
        if (is_up(fd, interfaces[i]) && inet_ntop(AF_INET, &address.sin_addr, text, size))
            break;
    }
    close(fd);
}

void sca_host_describe(struct sca_host *host)
{
    *host = (struct sca_host){0};
    gethostname(host->name, sizeof host->name - 1);
    host->machine = boot_id(host->name);
    uint64_t network = namespace("/proc/self/ns/net"), time = namespace("/proc/self/ns/time");
    uint64_t processes = namespace("/proc/self/ns/pid");
    host->node =
        hash(hash(host->machine, host->name, strlen(host->name)), &network, sizeof network);
    host->clock = hash(host->machine, &time, sizeof time);
    host->processes = processes ? hash(host->machine, &processes, sizeof processes) : 0;
    if (routed_address(host->address, sizeof host->address))
        first_address(host->address, sizeof host->address);
}
