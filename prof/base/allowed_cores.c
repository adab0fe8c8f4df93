#include "base/allowed_cores.h"

#include <dlfcn.h>
#include <string.h>

enum { PROC_BIND_PRIMARY = 2, PROC_BIND_SPREAD = 4, PROCESSORS = 1024 /* of a place */ };

typedef int number_of(void);
typedef int number_at(int place);
typedef void list_at(int place, int *list);

static struct {
    number_of *places, *place, *threads, *bind;
    number_at *processors;
    list_at *list;
} openmp;

static void *find(const char *name)
{
    Dl_info at;
    void *found = dlsym(RTLD_DEFAULT, name);
    return found && dladdr(found, &at) && strstr(at.dli_fname, "libgomp") ? found : NULL;
}

static bool find_openmp(void)
{
    *(void **)&openmp.places = find("omp_get_num_places");
    *(void **)&openmp.place = find("omp_get_place_num");
    *(void **)&openmp.threads = find("omp_get_max_threads");
    *(void **)&openmp.bind = find("omp_get_proc_bind");
    *(void **)&openmp.processors = find("omp_get_place_num_procs");
    *(void **)&openmp.list = find("omp_get_place_proc_ids");
    return openmp.places && openmp.place && openmp.threads && openmp.bind && openmp.processors &&
           openmp.list;
}

static void add_place(int place, cpu_set_t *set)
{
    static int list[PROCESSORS];
    int n = openmp.processors(place);
    if (n > PROCESSORS)
        return;
    openmp.list(place, list);
    for (int i = 0; i < n; i++)
        if (list[i] >= 0 && list[i] < CPU_SETSIZE)
            CPU_SET((size_t)list[i], set);
}

/* Where a team's threads are put, as seen from the first one's place (OpenMP 5.2, chapter 10.1.3).
 */
static void add_places(cpu_set_t *set)
{
    int places = openmp.places(), first = openmp.place(), threads = openmp.threads();
    int bind = openmp.bind();
    if (places <= 0 || first < 0)
        return;
    threads = threads > places ? places : bind == PROC_BIND_PRIMARY ? 1 : threads;
    for (int i = 0; i < threads; i++) {
        int ahead = bind == PROC_BIND_SPREAD ? i * places / threads : i;
        add_place((first + ahead) % places, set);
    }
}

bool sca_allowed_cores(cpu_set_t *set)
{
    CPU_ZERO(set);
    if (sched_getaffinity(0, sizeof *set, set))
        return false;
    if (find_openmp())
        add_places(set);
    return true;
}
