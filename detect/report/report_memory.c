#include "report/report_memory.h"

void *sca_report_memory_take(struct sca_analysis *c, size_t count, size_t size)
{
    size_t bytes;
    void *memory = NULL;
    if (!__builtin_mul_overflow(count ? count : 1, size, &bytes))
        memory = sca_report_alloc(c->report, bytes);
    if (!memory)
        longjmp(*c->space->out_of_memory, 1);
    return memory;
}
