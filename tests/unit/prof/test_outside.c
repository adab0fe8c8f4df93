/* Objects outside MPI that ranks wait for each other by: what they are called, on both sides. */
#include "outside/objects.h"
#include "outside/shared_object.h"
#include "check_main.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 8192, AT = 4096 + 64 };

static char folder[] = "/tmp/scalana-outside-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void begin(void)
{
    ck_assert(mkdtemp(folder) != NULL);
}

static void end(const char *name)
{
    unlink(in_folder(name));
    rmdir(folder);
    memcpy(folder + sizeof folder - sizeof "XXXXXX", "XXXXXX", sizeof "XXXXXX");
}

static char *map(int fd)
{
    char *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ck_assert(at != MAP_FAILED);
    return at;
}

START_TEST(memory_has_one_name_wherever_it_is_mapped)
{
    begin();
    int fd = open(in_folder("memory"), O_CREAT | O_RDWR, 0600);
    ck_assert_int_eq(ftruncate(fd, SIZE), 0);
    char *one = map(fd), *other = map(fd);
    struct sca_shared_object a = sca_shared_object(one + AT), b = sca_shared_object(other + AT);
    ck_assert(a.memory && a.memory == b.memory && a.place && a.place == b.place);
    ck_assert(sca_shared_object(other).place != a.place);
    ck_assert(sca_shared_object(other).memory == a.memory);
    munmap(one, SIZE);
    munmap(other, SIZE);
    close(fd);
    end("memory");
}
END_TEST

/* Two processes made it before they were two. */
START_TEST(memory_without_a_file_has_a_name)
{
    int told[2];
    uint64_t place = 0;
    char *shared = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *another = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_int_eq(pipe(told), 0);
    pid_t child = fork();
    if (!child) {
        place = sca_shared_object(shared + AT).place;
        _exit(write(told[1], &place, sizeof place) != sizeof place);
    }
    ck_assert_int_eq(read(told[0], &place, sizeof place), sizeof place);
    waitpid(child, NULL, 0);
    ck_assert(place && place == sca_shared_object(shared + AT).place);
    ck_assert(place != sca_shared_object(another + AT).place);
}
END_TEST

START_TEST(memory_of_one_process_has_none)
{
    static int data;
    int local;
    char *heap = malloc(SIZE);
    ck_assert_uint_eq(sca_shared_object(&data).place, 0);
    ck_assert_uint_eq(sca_shared_object(&local).place, 0);
    ck_assert_uint_eq(sca_shared_object(heap).memory, 0);
    ck_assert_uint_eq(sca_shared_object(NULL).place, 0);
    free(heap);
}
END_TEST

/* The list is read anew when a barrier is made there. */
START_TEST(what_is_mapped_anew_is_another_object)
{
    char *before = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint64_t place = sca_shared_object(before).place;
    char *after =
        mmap(before, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    ck_assert_ptr_eq(after, before);
    sca_shared_object_forget();
    ck_assert(sca_shared_object(after).place != place);
}
END_TEST

START_TEST(a_pipe_with_a_name_is_known_by_both_ends)
{
    int unnamed[2];
    begin();
    ck_assert_int_eq(mkfifo(in_folder("fifo"), 0600), 0);
    int one = open(in_folder("fifo"), O_RDWR), other = open(in_folder("fifo"), O_RDWR);
    ck_assert_int_eq(pipe(unnamed), 0);
    ck_assert(sca_objects_stream(one) && sca_objects_stream(one) == sca_objects_stream(other));
    ck_assert_uint_eq(sca_objects_stream(unnamed[0]), 0);
    close(one);
    close(other);
    end("fifo");
}
END_TEST

static int listen_at(struct sockaddr *address, socklen_t length)
{
    int fd = socket(address->sa_family, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, address, length), 0);
    ck_assert_int_eq(listen(fd, 2), 0);
    ck_assert_int_eq(getsockname(fd, address, &length), 0);
    return fd;
}

static int connect_to(const struct sockaddr *address, socklen_t length)
{
    int fd = socket(address->sa_family, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(fd, address, length), 0);
    return fd;
}

START_TEST(a_connection_is_known_by_both_ends)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int server = listen_at((struct sockaddr *)&at, sizeof at);
    int one = connect_to((struct sockaddr *)&at, sizeof at), a = accept(server, NULL, NULL);
    int other = connect_to((struct sockaddr *)&at, sizeof at), b = accept(server, NULL, NULL);
    ck_assert(sca_objects_stream(one) && sca_objects_stream(one) == sca_objects_stream(a));
    ck_assert(sca_objects_stream(other) == sca_objects_stream(b));
    ck_assert(sca_objects_stream(one) != sca_objects_stream(other));
    ck_assert_uint_eq(sca_objects_stream(server), 0); /* it waits for anybody */
}
END_TEST

/* By who is at the other end. */
START_TEST(processes_of_a_machine_are_known_to_each_other)
{
    uint64_t name = 0;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    begin();
    snprintf(at.sun_path, sizeof at.sun_path, "%s", in_folder("socket"));
    int server = listen_at((struct sockaddr *)&at, sizeof at);
    pid_t child = fork();
    if (!child) {
        int fd = connect_to((struct sockaddr *)&at, sizeof at);
        name = sca_objects_stream(fd);
        _exit(write(fd, &name, sizeof name) != sizeof name);
    }
    int fd = accept(server, NULL, NULL);
    ck_assert_int_eq(read(fd, &name, sizeof name), sizeof name);
    waitpid(child, NULL, 0);
    ck_assert(name && name == sca_objects_stream(fd));
    end("socket");
}
END_TEST

START_TEST(a_file_is_known_by_whoever_locks_it)
{
    begin();
    int one = open(in_folder("lock"), O_CREAT | O_RDWR, 0600),
        other = open(in_folder("lock"), O_RDWR);
    ck_assert(sca_objects_file(one) && sca_objects_file(one) == sca_objects_file(other));
    ck_assert_uint_eq(sca_objects_file(-1), 0);
    close(one);
    close(other);
    end("lock");
}
END_TEST

SCA_SUITE("outside", memory_has_one_name_wherever_it_is_mapped, memory_without_a_file_has_a_name,
          memory_of_one_process_has_none, what_is_mapped_anew_is_another_object,
          a_pipe_with_a_name_is_known_by_both_ends, a_connection_is_known_by_both_ends,
          processes_of_a_machine_are_known_to_each_other, a_file_is_known_by_whoever_locks_it)
