#include "outside/drawn_waits.h"

enum { APART_NS = 500000, MOST = 4096 };

static _Thread_local struct {
    uint32_t stands_for; /* the next that is measured; 0: 1 */
    uint32_t skipped;    /* still to be passed over before it */
    uint32_t since;      /* waits since the last that was measured, which was at */
    uint64_t last_ns;
    uint64_t random;
} me __attribute__((tls_model("initial-exec")));

uint32_t sca_drawn_waits_next(void)
{
    me.since++;
    if (me.skipped) {
        me.skipped--;
        return 0;
    }
    return me.stands_for ? me.stands_for : 1;
}

/* Uniform from 0 to `most` (a linear congruential generator: Knuth, MMIX). */
static uint32_t draw(uint32_t most)
{
    me.random = me.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((me.random >> 33) % (most + 1u));
}

void sca_drawn_waits_measured(uint64_t now_ns)
{
    uint64_t apart_ns = (now_ns - me.last_ns) / (me.since ? me.since : 1) + 1;
    uint64_t one_in = me.last_ns ? 1 + APART_NS / apart_ns : 1;
    me.stands_for = one_in < MOST ? (uint32_t)one_in : MOST;
    me.skipped = draw(2 * (me.stands_for - 1));
    me.since = 0;
    me.last_ns = now_ns;
}
