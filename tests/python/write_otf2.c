/* Writes a trace of two processes, the second with two threads, by libotf2: write_otf2 FOLDER. Rank
 * r computes 1 + r seconds in solve, with MPI_Send and MPI_Recv of 100 bytes for half a second; a
 * thread works for 2. */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKS = 1000, MAIN, SOLVE, SEND, RECV, WORK };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if (call) {                                                                                \
            fprintf(stderr, "%s\n", #call);                                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp end_time(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)data, (void)type, (void)location;
    return 10 * TICKS;
}

static OTF2_FlushCallbacks callbacks = {flush, end_time};

static void write_rank(OTF2_EvtWriter *w, uint32_t rank)
{
    uint64_t compute = (1 + rank) * TICKS, half = TICKS / 2, now = 0;
    OTF2_EvtWriter_Enter(w, NULL, now, MAIN);
    OTF2_EvtWriter_Enter(w, NULL, now, SOLVE);
    OTF2_EvtWriter_Enter(w, NULL, now += compute, rank ? RECV : SEND);
    if (rank)
        OTF2_EvtWriter_MpiRecv(w, NULL, now + half, 0, 0, 7, 100);
    else
        OTF2_EvtWriter_MpiSend(w, NULL, now, 1, 0, 7, 100);
    OTF2_EvtWriter_Leave(w, NULL, now += half, rank ? RECV : SEND);
    OTF2_EvtWriter_Leave(w, NULL, now, SOLVE);
    OTF2_EvtWriter_Leave(w, NULL, now += half, MAIN);
}

static void write_thread(OTF2_EvtWriter *w)
{
    OTF2_EvtWriter_Enter(w, NULL, TICKS, WORK);
    OTF2_EvtWriter_Leave(w, NULL, 3 * TICKS, WORK);
}

static void write_region(OTF2_GlobalDefWriter *w, uint32_t region, uint32_t name,
                         OTF2_Paradigm paradigm, uint32_t line)
{
    CHECK(OTF2_GlobalDefWriter_WriteRegion(w, region, name, name, 0, OTF2_REGION_ROLE_FUNCTION,
                                           paradigm, OTF2_REGION_FLAG_NONE, 6, line, line + 9));
}

static void write_definitions(OTF2_GlobalDefWriter *w)
{
    static const char *const texts[] = {"",         "main", "solve",   "MPI_Send",
                                        "MPI_Recv", "work", "solver.c"};
    CHECK(OTF2_GlobalDefWriter_WriteClockProperties(w, TICKS, 0, 10 * TICKS, 0));
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK(OTF2_GlobalDefWriter_WriteString(w, i, texts[i]));
    write_region(w, MAIN, 1, OTF2_PARADIGM_USER, 30);
    write_region(w, SOLVE, 2, OTF2_PARADIGM_USER, 10);
    write_region(w, SEND, 3, OTF2_PARADIGM_MPI, 0);
    write_region(w, RECV, 4, OTF2_PARADIGM_MPI, 0);
    write_region(w, WORK, 5, OTF2_PARADIGM_USER, 50);
    CHECK(OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t i = 0; i < 3; i++) {
        if (i < 2)
            CHECK(OTF2_GlobalDefWriter_WriteLocationGroup(w, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                          0, OTF2_UNDEFINED_LOCATION_GROUP));
        CHECK(OTF2_GlobalDefWriter_WriteLocation(w, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 i < 2 ? 7 : 2, i < 2 ? i : 1));
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    OTF2_Archive *archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20,
                                              4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    CHECK(!archive);
    CHECK(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL));
    CHECK(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    CHECK(OTF2_Archive_OpenEvtFiles(archive));
    for (uint32_t i = 0; i < 3; i++) {
        OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(archive, i);
        if (i < 2)
            write_rank(w, i);
        else
            write_thread(w);
        CHECK(OTF2_Archive_CloseEvtWriter(archive, w));
    }
    CHECK(OTF2_Archive_CloseEvtFiles(archive));
    write_definitions(OTF2_Archive_GetGlobalDefWriter(archive));
    CHECK(OTF2_Archive_Close(archive));
    return 0;
}
