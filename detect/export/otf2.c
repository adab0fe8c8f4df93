#include "export/otf2.h"
#include "export/otf2_events.h"
#include "export/trace_names.h"
#include "sca_error.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Numbers of groups and communicators: the locations, then those of the profile's communicators. */
enum { LOCATIONS = 0, FIRST = 1, NS = 1000000000, CHUNK = 1 << 18, DEFINITIONS = 4 << 20 };

struct otf2 {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    struct sca_otf2_events events;
    uint32_t **members, *nmembers; /* world ranks of each communicator, rising */
    OTF2_GlobalDefWriter *definitions;
    uint32_t nstrings;
    uint64_t *written;    /* events, per rank */
    OTF2_ErrorCode error; /* the first one */
};

static void check(struct otf2 *w, OTF2_ErrorCode status)
{
    if (w->error == OTF2_SUCCESS)
        w->error = status;
}

/* It says nothing by itself: the caller tells what went wrong. */
static OTF2_ErrorCode quiet(void *data, const char *file, uint64_t line, const char *function,
                            OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

/* ---- communicators ---- */

static void find_members(struct otf2 *w)
{
    const struct sca_profile *p = w->run->profile;
    w->members = sca_workspace_alloc(w->space, p->ncomms, sizeof *w->members);
    w->nmembers = sca_workspace_alloc(w->space, p->ncomms, sizeof *w->nmembers);
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].ncomms; i++)
            w->nmembers[p->ranks[r].comms[i]]++;
    for (uint32_t c = 0; c < p->ncomms; c++) {
        w->members[c] = sca_workspace_alloc(w->space, w->nmembers[c], sizeof **w->members);
        w->nmembers[c] = 0;
    }
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].ncomms; i++) {
            uint32_t c = p->ranks[r].comms[i];
            w->members[c][w->nmembers[c]++] = r;
        }
}

/* A rank's number in the communicator; OTF2_UNDEFINED_UINT32: it is no member. */
static uint32_t place_of(const struct otf2 *w, uint32_t comm, int32_t rank)
{
    uint32_t low = 0, high = w->nmembers[comm];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((int64_t)w->members[comm][middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < w->nmembers[comm] && (int64_t)w->members[comm][low] == rank;
    return found ? low : OTF2_UNDEFINED_UINT32;
}

/* ---- events ---- */

/* OTF2_COLLECTIVE_OP_CREATE_HANDLE: none of those that move data. */
static OTF2_CollectiveOp operation_of(const struct otf2 *w, uint32_t region)
{
    static const struct {
        const char *name;
        OTF2_CollectiveOp op;
    } known[] = {{"MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER},
                 {"MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST},
                 {"MPI_Gather", OTF2_COLLECTIVE_OP_GATHER},
                 {"MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV},
                 {"MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER},
                 {"MPI_Scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
                 {"MPI_Allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
                 {"MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
                 {"MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
                 {"MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
                 {"MPI_Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
                 {"MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE},
                 {"MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
                 {"MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
                 {"MPI_Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
                 {"MPI_Scan", OTF2_COLLECTIVE_OP_SCAN},
                 {"MPI_Exscan", OTF2_COLLECTIVE_OP_EXSCAN}};
    const char *name = w->ppg->vertices[w->events.regions[region].vertex].name;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name))
            return known[i].op;
    return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
}

static void write_message(struct otf2 *w, OTF2_EvtWriter *to, const struct sca_otf2_event *e)
{
    uint32_t peer = place_of(w, e->of, e->peer);
    if (peer == OTF2_UNDEFINED_UINT32)
        return;
    check(w,
          e->what == SCA_OTF2_SEND
              ? OTF2_EvtWriter_MpiSend(to, NULL, e->time, peer, e->of, (uint32_t)e->tag, e->bytes)
              : OTF2_EvtWriter_MpiRecv(to, NULL, e->time, peer, e->of, (uint32_t)e->tag, e->bytes));
}

static void write_event(struct otf2 *w, OTF2_EvtWriter *to, const struct sca_otf2_event *e,
                        uint32_t region)
{
    if (e->what == SCA_OTF2_ENTER)
        check(w, OTF2_EvtWriter_Enter(to, NULL, e->time, e->of));
    else if (e->what == SCA_OTF2_LEAVE)
        check(w, OTF2_EvtWriter_Leave(to, NULL, e->time, e->of));
    else if (e->what == SCA_OTF2_MEET)
        check(w, OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, e->time));
    else if (e->what == SCA_OTF2_PART)
        check(w, OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, e->time, operation_of(w, region), e->of,
                                                 place_of(w, e->of, e->peer), e->bytes, e->bytes));
    else
        write_message(w, to, e);
}

static void write_rank(struct otf2 *w, OTF2_Archive *archive, uint32_t rank)
{
    const struct sca_otf2_list *list = &w->events.ranks[rank];
    OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(archive, rank);
    uint32_t region = 0;
    for (uint32_t i = 0; to && i < list->n; i++) {
        region = list->of[i].what == SCA_OTF2_ENTER ? list->of[i].of : region;
        write_event(w, to, &list->of[i], region);
    }
    if (to)
        check(w, OTF2_EvtWriter_GetNumberOfEvents(to, &w->written[rank]));
    check(w, to ? OTF2_Archive_CloseEvtWriter(archive, to) : OTF2_ERROR_MEM_FAULT);
}

/* Nothing is defined for a rank alone, but readers open the file. */
static void write_own_definitions(struct otf2 *w, OTF2_Archive *archive)
{
    check(w, OTF2_Archive_OpenDefFiles(archive));
    for (uint32_t r = 0; w->error == OTF2_SUCCESS && r < w->run->nranks; r++) {
        OTF2_DefWriter *to = OTF2_Archive_GetDefWriter(archive, r);
        check(w, to ? OTF2_Archive_CloseDefWriter(archive, to) : OTF2_ERROR_MEM_FAULT);
    }
    check(w, OTF2_Archive_CloseDefFiles(archive));
}

/* ---- definitions ---- */

static uint32_t string(struct otf2 *w, const char *text)
{
    check(w, OTF2_GlobalDefWriter_WriteString(w->definitions, w->nstrings, text));
    return w->nstrings++;
}

static void define_region(struct otf2 *w, uint32_t region)
{
    const struct sca_otf2_region *r = &w->events.regions[region];
    const struct sca_ppg_vertex *v = &w->ppg->vertices[r->vertex];
    char text[SCA_TRACE_NAME];
    sca_trace_names_label(w->ppg, r->vertex, text);
    uint32_t name = string(w, text), function = string(w, r->call ? v->name : v->function);
    bool moves = r->call && operation_of(w, region) != OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    OTF2_RegionRole role = moves                 ? OTF2_REGION_ROLE_COLL_OTHER
                           : r->call             ? OTF2_REGION_ROLE_FUNCTION
                           : v->kind == SCA_LOOP ? OTF2_REGION_ROLE_LOOP
                                                 : OTF2_REGION_ROLE_CODE;
    check(w, OTF2_GlobalDefWriter_WriteRegion(w->definitions, region, name, function, 0, role,
                                              r->call ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                              OTF2_REGION_FLAG_NONE, string(w, v->file), v->line,
                                              v->line));
}

static void define_rank(struct otf2 *w, uint32_t rank)
{
    char text[32];
    snprintf(text, sizeof text, "rank %u", rank);
    uint32_t name = string(w, text);
    check(w, OTF2_GlobalDefWriter_WriteLocationGroup(w->definitions, rank, name,
                                                     OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                     OTF2_UNDEFINED_LOCATION_GROUP));
    check(w, OTF2_GlobalDefWriter_WriteLocation(w->definitions, rank, name,
                                                OTF2_LOCATION_TYPE_CPU_THREAD, w->written[rank],
                                                rank));
}

static void define_group(struct otf2 *w, uint32_t group, OTF2_GroupType type, const uint32_t *ranks,
                         uint32_t n)
{
    uint64_t *members = sca_workspace_alloc(w->space, n, sizeof *members);
    for (uint32_t i = 0; i < n; i++)
        members[i] = ranks ? ranks[i] : i;
    check(w, OTF2_GlobalDefWriter_WriteGroup(w->definitions, group, 0, type, OTF2_PARADIGM_MPI,
                                             OTF2_GROUP_FLAG_NONE, n, members));
}

static void define_comms(struct otf2 *w)
{
    const struct sca_profile *p = w->run->profile;
    define_group(w, LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, NULL, p->nranks);
    for (uint32_t c = 0; c < p->ncomms; c++) {
        define_group(w, FIRST + c, OTF2_GROUP_TYPE_COMM_GROUP, w->members[c], w->nmembers[c]);
        check(w,
              OTF2_GlobalDefWriter_WriteComm(w->definitions, c, string(w, p->comms[c].kind),
                                             FIRST + c, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
}

static void define_all(struct otf2 *w, OTF2_Archive *archive)
{
    w->definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    if (!w->definitions) {
        check(w, OTF2_ERROR_MEM_FAULT);
        return;
    }
    check(w, OTF2_GlobalDefWriter_WriteClockProperties(w->definitions, NS, 0, w->events.end + 1,
                                                       OTF2_UNDEFINED_TIMESTAMP));
    string(w, ""); /* 0: what has no text */
    check(w, OTF2_GlobalDefWriter_WriteSystemTreeNode(w->definitions, 0, string(w, "run"),
                                                      string(w, "machine"),
                                                      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t i = 0; i < w->events.nregions; i++)
        define_region(w, i);
    for (uint32_t r = 0; r < w->run->nranks; r++)
        define_rank(w, r);
    define_comms(w);
}

/* ---- the archive ---- */

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp end_time(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    const struct otf2 *w = data;
    (void)type, (void)location;
    return w->events.end;
}

static void write_archive(struct otf2 *w, OTF2_Archive *archive)
{
    static const OTF2_FlushCallbacks callbacks = {flush, end_time};
    check(w, OTF2_Archive_SetFlushCallbacks(archive, &callbacks, w));
    check(w, OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(w, OTF2_Archive_SetCreator(archive, "ScalAna " SCA_VERSION));
    check(w, OTF2_Archive_OpenEvtFiles(archive));
    for (uint32_t r = 0; w->error == OTF2_SUCCESS && r < w->run->nranks; r++)
        write_rank(w, archive, r);
    check(w, OTF2_Archive_CloseEvtFiles(archive));
    write_own_definitions(w, archive);
    define_all(w, archive);
    check(w, OTF2_Archive_Close(archive));
}

static int write_run(struct otf2 *w, const struct sca_pieces *pieces, const char *path)
{
    jmp_buf out_of_memory;
    w->space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    sca_otf2_events_make(w->space, w->ppg, w->run, pieces, &w->events);
    find_members(w);
    w->written = sca_workspace_alloc(w->space, w->run->nranks, sizeof *w->written);
    OTF2_Archive *archive =
        OTF2_Archive_Open(path, "traces", OTF2_FILEMODE_WRITE, CHUNK, DEFINITIONS,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    check(w, archive ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
    if (archive)
        write_archive(w, archive);
    return w->error == OTF2_SUCCESS ? SCA_OK
                                    : sca_fail(SCA_EIO, "--export=otf2:%s: %s", path,
                                               OTF2_Error_GetDescription(w->error));
}

/* Another trace's files are not mixed with this one's. */
static int make_folder(const char *path)
{
    if (!mkdir(path, 0777))
        return SCA_OK;
    return sca_fail(SCA_EIO, "--export=otf2:%s: %s", path, strerror(errno));
}

int sca_otf2_write(const struct sca_ppg *ppg, const char *path)
{
    struct sca_workspace space = {0};
    struct sca_pieces pieces;
    struct otf2 w = {.space = &space, .ppg = ppg, .run = &ppg->runs[ppg->nruns - 1]};
    int status = sca_trace_names_pieces(&space, w.run, "otf2", path, &pieces);
    OTF2_Error_RegisterCallback(quiet, NULL);
    if (status == SCA_OK)
        status = make_folder(path);
    if (status == SCA_OK)
        status = write_run(&w, &pieces, path);
    sca_workspace_free(&space);
    return status;
}
