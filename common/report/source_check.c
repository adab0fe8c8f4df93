#include "sca_report.h"

#include <md5.h>
#include <string.h>

enum sca_source_state sca_source_check(const struct sca_report *report, const char *recorded,
                                       const char *path)
{
    char digest[MD5_DIGEST_STRING_LENGTH];
    for (uint32_t i = 0; i < report->nsources; i++)
        if (!strcmp(report->sources[i].file, recorded) && MD5File(path, digest))
            return strcmp(digest, report->sources[i].md5) ? SCA_SOURCE_CHANGED : SCA_SOURCE_SAME;
    return SCA_SOURCE_UNKNOWN;
}
