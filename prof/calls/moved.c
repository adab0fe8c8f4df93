/* Bytes that no message carries: one-sided, and files. */
#include "calls/traffic.h"
#include "mpi/abi.h"

void sca_moved_rma(struct sca_call *call, int target, int64_t count, sca_word type,
                   int64_t fetched_count, sca_word fetched_type)
{
    if (target == sca_abi.proc_null)
        return;
    uint64_t bytes = sca_abi_type_bytes(count, type);
    call->bytes += bytes ? bytes : sca_abi_type_bytes(fetched_count, fetched_type);
}

void sca_moved_io(struct sca_call *call, sca_word status)
{
    call->bytes += sca_abi_status_bytes((const void *)status);
}
