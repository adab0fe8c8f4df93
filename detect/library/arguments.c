#include "library/arguments.h"
#include "sca_error.h"

int sca_arguments_there(const void *argument, const char *what)
{
    return argument ? SCA_OK : sca_fail(SCA_EINVAL, "%s is NULL", what);
}

int sca_arguments_index(uint32_t i, uint32_t n, const char *what)
{
    return i < n ? SCA_OK : sca_fail(SCA_EINVAL, "no %s %u: there are %u", what, i, n);
}

int sca_arguments_range(uint32_t first, uint32_t count, uint32_t n, const char *what)
{
    if (first <= n && count <= n - first)
        return SCA_OK;
    return sca_fail(SCA_EINVAL, "no %u %s from %u on: there are %u", count, what, first, n);
}
