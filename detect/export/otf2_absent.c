#include "export/otf2.h"
#include "sca_error.h"

int sca_otf2_write(const struct sca_ppg *ppg, const char *path)
{
    (void)ppg;
    return sca_fail(SCA_EINVAL, "--export=otf2:%s: ScalAna was built without libotf2", path);
}
