/* Status codes and messages: those of every stage, under their public names. */
#include "sca_error.h"
#include "scalana/error.h"

#include <assert.h>

static_assert(SCALANA_EIO == (int)SCA_EIO && SCALANA_EFORMAT == (int)SCA_EFORMAT &&
                  SCALANA_EVERSION == (int)SCA_EVERSION && SCALANA_ENOMEM == (int)SCA_ENOMEM &&
                  SCALANA_EINVAL == (int)SCA_EINVAL && SCALANA_ENOTFOUND == (int)SCA_ENOTFOUND &&
                  SCALANA_EMISMATCH == (int)SCA_EMISMATCH && SCALANA_OK == (int)SCA_OK,
              "statuses are handed on as they are");

const char *scalana_error_message(void)
{
    return sca_error_message();
}

const char *scalana_status_name(int status)
{
    static const char *const names[] = {"success",       "input or output failed", "wrong format",
                                        "newer version", "out of memory",          "wrong argument",
                                        "not found",     "do not belong together"};
    int count = sizeof names / sizeof *names;
    return status <= 0 && status > -count ? names[-status] : "unknown status";
}

const char *scalana_version(void)
{
    return SCA_VERSION;
}
