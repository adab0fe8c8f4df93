/* Where the run's files go, the cores it gets, and what the environment says. */
#include "doctor/check.h"
#include "machine/cores.h"
#include "sca_words.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { STATE_BYTES = 10 << 20 }; /* each rank's state: mapped, and sparse */

/* What a rank does with its file. NULL, or what cannot be done. */
static const char *try_map(int fd)
{
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &before);
    bool grown = !ftruncate(fd, STATE_BYTES);
    sigaction(SIGXFSZ, &before, NULL);
    if (!grown)
        return "no file of 10 MB can be made";
    char *bytes = mmap(NULL, STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return "files cannot be mapped";
    munmap(bytes, STATE_BYTES);
    return NULL;
}

static void check_room(struct sca_checks *c, unsigned ranks)
{
    struct statvfs fs;
    if (statvfs(".", &fs))
        return;
    double free_bytes = (double)fs.f_bavail * (double)fs.f_frsize;
    if (free_bytes >= (double)STATE_BYTES * ranks) {
        sca_checks_works(c, "space", "the working directory has %.0f MB left", free_bytes / 1e6);
        return;
    }
    sca_checks_lacks(c, "space", SCA_CHECK_LACKS,
                     "the working directory has %.0f MB left: ranks may lose records",
                     free_bytes / 1e6);
    sca_checks_mend(c, "scalana run --output=DIR, on a file system with more room");
}

static void check_files(struct sca_checks *c, unsigned ranks)
{
    char path[] = "./.scalana-doctor-XXXXXX";
    int fd = mkstemp(path);
    const char *fault = fd < 0 ? strerror(errno) : try_map(fd);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    if (!fault) {
        check_room(c, ranks);
        return;
    }
    sca_checks_lacks(c, "space", SCA_CHECK_BLIND, "the working directory cannot be written: %s",
                     fault);
    sca_checks_mend(c, "scalana run --output=DIR, in a folder of yours (and ulimit -f unlimited)");
}

static void check_cores(struct sca_checks *c, const struct sca_cores *cores)
{
    sca_checks_works(c, "cores", "up to %u rank%s ha%s a core each here", cores->cores,
                     cores->cores == 1 ? "" : "s", cores->cores == 1 ? "s" : "ve");
    if (cores->quota && cores->quota < cores->cpus) {
        sca_checks_lacks(c, "quota", SCA_CHECK_LACKS,
                         "the control group allows %u cores of %u: more ranks share cores",
                         cores->quota, cores->cpus);
        sca_checks_mend(c, "raise the container's or the job's limit of cores");
    } else if (cores->cpus < cores->online) {
        sca_checks_lacks(c, "affinity", SCA_CHECK_LACKS,
                         "this shell may use %u of %u hardware threads: more ranks share cores",
                         cores->cpus, cores->online);
        sca_checks_mend(c, "taskset -pc 0-%u $$", cores->online - 1);
    }
}

static void check_settings(struct sca_checks *c)
{
    const char *enable = getenv("SCALANA_ENABLE"), *frequency = getenv("SCALANA_FREQUENCY");
    if (enable && !strcmp(enable, "0")) {
        sca_checks_lacks(c, "settings", SCA_CHECK_BLIND,
                         "SCALANA_ENABLE=0 switches the recording off");
        sca_checks_mend(c, "unset SCALANA_ENABLE");
    }
    if (frequency && !strcmp(frequency, "0")) {
        sca_checks_lacks(c, "settings", SCA_CHECK_LACKS,
                         "SCALANA_FREQUENCY=0: no samples, so no lines between MPI calls");
        sca_checks_mend(c, "unset SCALANA_FREQUENCY");
    }
}

void sca_check_place(struct sca_checks *c)
{
    struct sca_cores cores = sca_cores_of(c->root);
    check_files(c, cores.cores);
    check_cores(c, &cores);
    check_settings(c);
}
