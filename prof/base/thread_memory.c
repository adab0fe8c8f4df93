#include "base/thread_memory.h"
#include "base/guard.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { GUARD = 4096, WHOLE = GUARD + SCA_OWN_STACK + SCA_TABLES_BYTES, SPARE = 64 };

static _Thread_local bool given_back __attribute__((tls_model("initial-exec")));

static char *spare[SPARE]; /* of threads that have ended */

static char *take_spare(void)
{
    char *found = NULL;
    for (unsigned i = 0; i < SPARE && !found; i++)
        if (__atomic_load_n(&spare[i], __ATOMIC_RELAXED))
            found = __atomic_exchange_n(&spare[i], NULL, __ATOMIC_ACQUIRE);
    return found;
}

static char *map(void)
{
    char *block = mmap(NULL, WHOLE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    if (mprotect(block, GUARD, PROT_NONE)) {
        munmap(block, WHOLE);
        block = NULL;
    }
    return block ? block + GUARD + SCA_OWN_STACK : NULL;
}

bool sca_thread_memory_take(void)
{
    int kept = errno;
    if (!sca_thread.memory && !given_back) {
        char *found = take_spare();
        sca_thread.memory = found ? found : map();
    }
    errno = kept;
    return sca_thread.memory;
}

static bool keep(char *block)
{
    for (unsigned i = 0; i < SPARE; i++) {
        char *none = NULL;
        if (__atomic_compare_exchange_n(&spare[i], &none, block, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
            return true;
    }
    return false;
}

void sca_thread_memory_give_back(void)
{
    char *block = sca_thread.memory;
    given_back = true;
    sca_thread.memory = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!block)
        return;
    memset(block, 0, SCA_TABLES_BYTES);
    if (!keep(block))
        munmap(block - SCA_OWN_STACK - GUARD, WHOLE);
}
