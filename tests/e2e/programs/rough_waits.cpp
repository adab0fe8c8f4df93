// Waits of threads for each other in every way that a runtime may trip over: cancelled,
// interrupted, in vain, left by an exception, on memory that is used again, in a child. Says the
// sum of what they did.
#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <latch>
#include <mpi.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <threads.h>
#include <unistd.h>
#include <vector>

namespace
{
constexpr int kTimes = 300, kThreads = 4, kBrief = 1000, kStatus = 7;
using namespace std::chrono_literals;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
sem_t posted;

void unlock(void *)
{
    pthread_mutex_unlock(&mutex);
}

void *wait_for_ever(void *)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, nullptr);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return nullptr;
}

void *wait_for_a_post(void *)
{
    sem_t none;
    sem_init(&none, 0, 0);
    for (;;)
        sem_wait(&none);
    return nullptr;
}

long cancelled()
{
    long sum = 0;
    for (auto *function : {wait_for_ever, wait_for_a_post}) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, nullptr, function, nullptr);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        sum += result == PTHREAD_CANCELED;
    }
    return sum;
}

// All these end by the clock.
long in_vain()
{
    timespec past = {1, 0};
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    std::timed_mutex timed;
    std::counting_semaphore<4> counted(0);
    long sum = 0;
    pthread_mutex_lock(&mutex);
    sum += pthread_cond_timedwait(&condition, &mutex, &past) == ETIMEDOUT;
    sum += pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT;
    pthread_mutex_unlock(&mutex);
    errno = 0;
    sum += sem_timedwait(&posted, &past) == -1 && errno == ETIMEDOUT;
    sum += !counted.try_acquire_for(1ms);
    std::lock_guard<std::timed_mutex> lock(timed);
    std::thread([&] { sum += !timed.try_lock_for(1ms); }).join();
    return sum;
}

void post(int)
{
    sem_post(&posted);
}

// A handler posts what the interrupted thread waits for.
long interrupted()
{
    struct sigaction act = {};
    act.sa_handler = post;
    sigaction(SIGUSR2, &act, nullptr);
    pthread_t self = pthread_self();
    long sum = 0;
    for (int i = 0; i < kTimes / 10; i++) {
        std::thread sender([self] { pthread_kill(self, SIGUSR2); });
        while (sem_wait(&posted))
            sum += errno != EINTR;
        sender.join();
        sum++;
    }
    return sum;
}

// The second try succeeds; who comes meanwhile waits.
long once()
{
    std::once_flag flag;
    long sum = 0;
    try {
        std::call_once(flag, [] { throw std::runtime_error("not yet"); });
    } catch (const std::runtime_error &) {
        sum++;
    }
    std::vector<std::thread> team;
    for (int i = 0; i < kThreads; i++)
        team.emplace_back([&] { std::call_once(flag, [&] { sum += 10; }); });
    for (auto &thread : team)
        thread.join();
    return sum;
}

// Memory of a lock is used for another one, of another kind.
long used_again()
{
    alignas(64) static char memory[sizeof(pthread_rwlock_t) + sizeof(std::mutex) + 64];
    long sum = 0;
    for (int i = 0; i < kTimes; i++) {
        auto *lock = new (memory) std::mutex;
        auto thread = std::thread([&] {
            std::lock_guard<std::mutex> held(*lock);
            sum++;
        });
        thread.join();
        lock->~mutex();
        auto *shared = new (memory) std::shared_mutex;
        shared->lock_shared();
        shared->unlock_shared();
        shared->~shared_mutex();
        auto *semaphore = reinterpret_cast<sem_t *>(memory);
        sem_init(semaphore, 0, 1);
        sem_wait(semaphore);
        sem_destroy(semaphore);
    }
    return sum;
}

// std::atomic::wait, latches, barriers and semaphores sleep by system calls.
long woken()
{
    std::atomic<int> turn = 0;
    std::counting_semaphore<kTimes> ready(0);
    std::latch all(kThreads);
    std::barrier phase(kThreads);
    std::atomic<long> sum = 0;
    std::vector<std::jthread> team;
    for (int me = 0; me < kThreads; me++)
        team.emplace_back([&, me] {
            all.arrive_and_wait();
            for (int i = 0; i < kTimes / kThreads; i++) {
                for (int now = turn; now % kThreads != me; now = turn)
                    turn.wait(now);
                sum++;
                turn++;
                turn.notify_all();
                phase.arrive_and_wait();
                ready.release();
            }
        });
    for (int i = 0; i < kTimes; i++)
        ready.acquire();
    return sum;
}

struct pair_of_c11 {
    mtx_t mutex;
    cnd_t changed;
    int pieces;
};

int produce(void *argument)
{
    auto *pair = static_cast<pair_of_c11 *>(argument);
    for (int i = 0; i < kTimes; i++) {
        mtx_lock(&pair->mutex);
        pair->pieces++;
        cnd_signal(&pair->changed);
        mtx_unlock(&pair->mutex);
    }
    return kStatus;
}

long c11()
{
    pair_of_c11 pair = {};
    thrd_t thread;
    int result = 0;
    long sum = 0;
    mtx_init(&pair.mutex, mtx_plain | mtx_recursive);
    cnd_init(&pair.changed);
    thrd_create(&thread, produce, &pair);
    while (sum < kTimes) {
        mtx_lock(&pair.mutex);
        while (!pair.pieces)
            cnd_wait(&pair.changed, &pair.mutex);
        sum += pair.pieces;
        pair.pieces = 0;
        mtx_unlock(&pair.mutex);
    }
    thrd_join(thread, &result);
    return sum + result;
}

// A child has only the thread that made it, and ends without a word.
long in_a_child()
{
    long sum = 0;
    std::thread([&] {
        int status = 0;
        pid_t pid = fork();
        if (!pid) {
            sem_t own;
            sem_init(&own, 0, 1);
            sem_wait(&own);
            std::lock_guard<std::mutex> lock(*new std::mutex);
            _exit(kStatus);
        }
        waitpid(pid, &status, 0);
        sum += WEXITSTATUS(status);
    }).join();
    return sum;
}

void *end_at_once(void *argument)
{
    return argument;
}

long brief()
{
    long sum = 0;
    for (int i = 0; i < kBrief; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, nullptr, end_at_once, &sum);
        pthread_join(thread, &result);
        sum += result == &sum;
    }
    return sum;
}

long barriers(pthread_barrier_t *barrier)
{
    std::atomic<long> sum = 0;
    std::vector<std::thread> team;
    for (int i = 0; i < kThreads; i++)
        team.emplace_back([&] {
            for (int k = 0; k < kTimes; k++)
                sum += pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        });
    for (auto &thread : team)
        thread.join();
    return sum;
}
} // namespace

int main(int argc, char **argv)
{
    int rank, level;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, kThreads);
    sem_init(&posted, 0, 0);
    long sum = once() + barriers(&barrier);
    pthread_mutex_lock(&mutex);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    pthread_mutex_unlock(&mutex);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += cancelled() + in_vain() + interrupted() + once() + used_again() + woken() + c11();
    sum += in_a_child() + brief() + barriers(&barrier) + cancelled();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%ld\n", sum);
    MPI_Finalize();
    return kStatus;
}
