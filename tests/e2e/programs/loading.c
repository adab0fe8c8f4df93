/*
 * usage: loading LIBRARY
 * Opens a library (this file with -DAS_LIBRARY) whose constructor waits for a thread that blocks in
 * many ways, and starts another one. The loader's lock is held meanwhile.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef AS_LIBRARY
static const struct timespec moment = {0, 1000};

static void wait_for_time(void)
{
    struct timeval little = {0, 1};
    nanosleep(&moment, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
    usleep(1);
    poll(NULL, 0, 1);
    select(0, NULL, NULL, NULL, &little);
}

static void wait_for_data(void)
{
    int ends[2];
    char byte = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || write(ends[0], "ab", 2) != 2 ||
        read(ends[1], &byte, 1) != 1 || recv(ends[1], &byte, 1, 0) != 1)
        puts("no data");
    close(ends[0]);
    close(ends[1]);
    flock(-1, LOCK_EX);
}

static void wait_for_locks(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    sem_t free_one;
    sem_init(&free_one, 0, 1);
    sem_wait(&free_one);
    sem_post(&free_one);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&never, &mutex, &moment);
    pthread_mutex_unlock(&mutex);
}

static void *nothing(void *argument)
{
    return argument;
}

static void *block(void *argument)
{
    pthread_t other;
    wait_for_time();
    wait_for_data();
    wait_for_locks();
    if (!pthread_create(&other, NULL, nothing, NULL))
        pthread_join(other, NULL);
    return argument;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    if (!pthread_create(&thread, NULL, block, NULL) && !pthread_join(thread, NULL))
        puts("loaded");
}
#else
int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    puts(library ? "opened" : dlerror());
    return !library;
}
#endif
