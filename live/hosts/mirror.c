#include "hosts/mirror.h"
#include "sca_error.h"
#include "sca_words.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *sca_mirror_make(void)
{
    const char *base = getenv("TMPDIR");
    char *folder = sca_words_format("%s/scalana-live-XXXXXX", base && *base == '/' ? base : "/tmp");
    if (mkdtemp(folder))
        return folder;
    sca_fail(SCA_EIO, "%s: %s", folder, strerror(errno));
    free(folder);
    return NULL;
}

static void empty(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (!strncmp(entry->d_name, "rank-", 5))
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
}

static int write_one(const char *folder, const struct sca_copy *copy)
{
    char *path = sca_words_format("%s/rank-%u.part", folder, copy->rank);
    int status =
        access(path, F_OK) ? sca_copy_write(copy, path) : SCA_OK; /* two collectors have it */
    free(path);
    return status;
}

/* What it did, and whether its process is there. */
static void forget_moment(struct sca_part_header *h)
{
    h->process = h->process ? (uint32_t)SCA_OBSERVED_UNKNOWN : 0;
    h->sampled_ns = 0;
    memset(h->present, 0, sizeof h->present);
}

static int write_ranks(const char *folder, const struct sca_host *host, uint64_t look)
{
    int status = SCA_OK;
    for (uint32_t i = 0; status == SCA_OK && i < host->ranks.n; i++) {
        struct sca_copy copy = host->ranks.copy[i];
        if (host->lost || host->answered < look)
            forget_moment(&copy.header);
        if (host->series != host->answered) /* the state that they are of has not come */
            copy.series = (struct sca_copy_series){0};
        if (copy.identity)
            status = write_one(folder, &copy);
    }
    return status;
}

/* Whose part was taken away: its last sign of life is not long ago. */
static int write_ended(const char *folder, const struct sca_host *host)
{
    int status = SCA_OK;
    for (uint32_t i = 0; status == SCA_OK && i < host->ended.n; i++) {
        struct sca_copy copy = host->ended.copy[i];
        copy.header.state = SCA_FINALIZED;
        copy.header.process = (uint32_t)SCA_OBSERVED_GONE;
        if (!copy.header.wall_ns && copy.header.last_ns > copy.header.init_ns)
            copy.header.wall_ns = copy.header.last_ns - copy.header.init_ns;
        if (copy.identity)
            status = write_one(folder, &copy);
    }
    return status;
}

int sca_mirror_write(const char *folder, const struct sca_host *hosts, uint32_t n, uint64_t look)
{
    int status = SCA_OK;
    empty(folder);
    for (int lost = 0; lost < 2; lost++) /* who is there says more */
        for (uint32_t i = 0; status == SCA_OK && i < n; i++)
            if (hosts[i].lost == (lost == 1))
                status = write_ranks(folder, &hosts[i], look);
    for (uint32_t i = 0; status == SCA_OK && i < n; i++)
        status = write_ended(folder, &hosts[i]);
    return status;
}

void sca_mirror_remove(const char *folder)
{
    empty(folder);
    rmdir(folder);
}
