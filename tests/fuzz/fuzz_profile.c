/* A run directory: profile.sca as it is, rank images behind correct checksums, or a part. */
#include "container.h"
#include "sca_profile.h"

static void load(void)
{
    struct sca_profile *profile = NULL;
    if (sca_profile_load(fuzz_directory(), &profile) == 0)
        sca_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char meta[] = "program\0fuzz";
    const char *file = size && data[0] % 4 == 3 ? "rank-0.part" : SCA_PROFILE_FILE;
    if (!size)
        return 0;
    if (data[0] % 4 == 3 || data[0] % 4 == 0)
        fuzz_write(file, data + 1, size - 1);
    else
        fuzz_write_store(data[0] / 4, meta, sizeof meta, data + 1, size - 1);
    load();
    fuzz_remove(file);
    return 0;
}
