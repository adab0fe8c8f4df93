/*
 * Pipes, sockets, queues of messages, locks of files: what processes wait for each other by, and
 * for devices. Reading a file of a file system passes.
 */
#include "outside/blocked_call.h"
#include "outside/objects.h"
#include "calls/activity.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

/* name, result, parameters, arguments; the first argument is a descriptor */
#define STREAMS(X)                                                                                 \
    X(read, ssize_t, (int fd, void *to, size_t size), (fd, to, size))                              \
    X(recv, ssize_t, (int fd, void *to, size_t size, int flags), (fd, to, size, flags))            \
    X(recvfrom, ssize_t,                                                                           \
      (int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length),        \
      (fd, to, size, flags, from, length))                                                         \
    X(recvmsg, ssize_t, (int fd, struct msghdr *message, int flags), (fd, message, flags))         \
    X(accept, int, (int fd, struct sockaddr *from, socklen_t *length), (fd, from, length))

/* Locks of a file: likewise */
#define LOCKS(X)                                                                                   \
    X(flock, int, (int fd, int operation), (fd, operation))                                        \
    X(lockf, int, (int fd, int command, off_t length), (fd, command, length))

/* Several streams; `first` is one that woke it. */
#define POLLS(X)                                                                                   \
    X(poll, int, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms))                            \
    X(ppoll, int,                                                                                  \
      (struct pollfd * fds, nfds_t n, const struct timespec *time, const sigset_t *mask),          \
      (fds, n, time, mask))

/* Nobody knows what for. */
#define OTHERS(X)                                                                                  \
    X(select, int, (int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *time),          \
      (n, in, out, other, time))                                                                   \
    X(pselect, int,                                                                                \
      (int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *time,                 \
       const sigset_t *mask),                                                                      \
      (n, in, out, other, time, mask))                                                             \
    X(epoll_wait, int, (int fd, struct epoll_event *events, int n, int ms), (fd, events, n, ms))   \
    X(epoll_pwait, int, (int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask), \
      (fd, events, n, ms, mask))                                                                   \
    X(msgrcv, ssize_t, (int queue, void *to, size_t size, long type, int flags),                   \
      (queue, to, size, type, flags))                                                              \
    X(semop, int, (int set, struct sembuf *operations, size_t n), (set, operations, n))            \
    X(semtimedop, int,                                                                             \
      (int set, struct sembuf *operations, size_t n, const struct timespec *time),                 \
      (set, operations, n, time))

/* -1: none did. */
static int first_ready(const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++)
        if (fds[i].revents)
            return fds[i].fd;
    return -1;
}

static void end_poll(unsigned function, uint64_t began_ns, int ready, const void *return_address,
                     const void *cfa)
{
    int kept = errno;
    uint64_t object =
        ready >= 0 && sca_blocked_call_is_long(began_ns) ? sca_objects_stream(ready) : 0;
    sca_blocked_call_end(function, began_ns, object, return_address, cfa);
    errno = kept;
}

/* Whoever locks a file may keep others waiting. */
static void end_lock(unsigned function, uint64_t began_ns, int fd, const void *return_address,
                     const void *cfa)
{
    int kept = errno;
    uint64_t object = sca_objects_file(fd);
    sca_thread.in_tool++;
    sca_objects_use(object);
    sca_thread.in_tool--;
    sca_blocked_call_end(function, began_ns, object, return_address, cfa);
    errno = kept;
}

#define CALL(name, result, parameters, arguments, end)                                             \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED result name parameters                                                              \
    {                                                                                              \
        uint64_t began_ns = sca_blocked_call_begin();                                              \
        result answer = next_##name() arguments;                                                   \
        if (__builtin_expect(began_ns != 0, 0))                                                    \
            end;                                                                                   \
        return answer;                                                                             \
    }

#define DEFINE_STREAM(name, result, parameters, arguments)                                         \
    CALL(name, result, parameters, arguments,                                                      \
         sca_blocked_call_end_stream(SCA_OUTSIDE_##name, began_ns, fd, SCA_CALLER))
#define DEFINE_LOCK(name, result, parameters, arguments)                                           \
    CALL(name, result, parameters, arguments,                                                      \
         end_lock(SCA_OUTSIDE_##name, began_ns, fd, SCA_CALLER))
#define DEFINE_POLL(name, result, parameters, arguments)                                           \
    CALL(                                                                                          \
        name, result, parameters, arguments,                                                       \
        end_poll(SCA_OUTSIDE_##name, began_ns, answer > 0 ? first_ready(fds, n) : -1, SCA_CALLER))
#define DEFINE_OTHER(name, result, parameters, arguments)                                          \
    CALL(name, result, parameters, arguments,                                                      \
         sca_blocked_call_end(SCA_OUTSIDE_##name, began_ns, 0, SCA_CALLER))

/* Forms that programs call which were compiled with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);

CALL(__read_chk, ssize_t, (int fd, void *to, size_t size, size_t room), (fd, to, size, room),
     sca_blocked_call_end_stream(SCA_OUTSIDE_read, began_ns, fd, SCA_CALLER))
CALL(__recv_chk, ssize_t, (int fd, void *to, size_t size, size_t room, int flags),
     (fd, to, size, room, flags),
     sca_blocked_call_end_stream(SCA_OUTSIDE_recv, began_ns, fd, SCA_CALLER))
CALL(__poll_chk, int, (struct pollfd * fds, nfds_t n, int ms, size_t room), (fds, n, ms, room),
     end_poll(SCA_OUTSIDE_poll, began_ns, answer > 0 ? first_ready(fds, n) : -1, SCA_CALLER))
STREAMS(DEFINE_STREAM)
LOCKS(DEFINE_LOCK)
POLLS(DEFINE_POLL)
OTHERS(DEFINE_OTHER)

SCA_NEXT(fcntl)

/* Of all its commands these lock. The argument is a word, whatever it means. */
static bool locks(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW || command == F_SETLK ||
           command == F_OFD_SETLK;
}

INTERPOSED int fcntl(int fd, int command, ...)
{
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    uint64_t began_ns = locks(command) ? sca_blocked_call_begin() : 0;
    int result = next_fcntl()(fd, command, argument);
    if (began_ns)
        end_lock(SCA_OUTSIDE_fcntl, began_ns, fd, SCA_CALLER);
    return result;
}

/* The name of it in programs with 64-bit offsets. */
INTERPOSED int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
INTERPOSED int lockf64(int fd, int command, off_t length) __attribute__((alias("lockf")));
