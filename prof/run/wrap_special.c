/*
 * The calls that begin, end or pause a run. Fortran's entries may or may not go through the C
 * functions (that is the MPI library's choice), so each does its part and the first one counts.
 */
#include "mpi/abi.h"
#include "calls/activity.h"
#include "outside/endings.h"
#include "run/annotations.h"
#include "run/life.h"
#include "run/regions.h"
#include "run/run.h"
#include "sampling/sampler.h"
#include "series/places.h"
#include "run/special.h"

/* Level 0 pauses, any other resumes. Either way, what is sampled is asked anew. Levels from 3 on
 * are phases besides; 2 is for flushing, by the standard. */
static void control(int level, const void *return_address, const void *cfa)
{
    sca_regions_level(level, return_address, cfa);
    if (!sca_life_is_running() || sca_paused == (level == 0))
        return;
    if (level)
        sca_activity_resume();
    else
        sca_places_pause();
    sca_paused = level == 0;
    sca_sampler_part();
}

static void begin(void)
{
    sca_life_begin();
    sca_annotations_bind();
}

SCA_ENTRY sca_word MPI_Init(sca_word argc, sca_word argv)
{
    sca_life_enter_init();
    sca_word result = ((sca_call2)SCA_REAL(SCA_FN_Init))(argc, argv);
    sca_life_leave_init();
    if ((int32_t)result == 0)
        begin();
    return result;
}

SCA_ENTRY sca_word MPI_Init_thread(sca_word argc, sca_word argv, sca_word required,
                                   sca_word provided)
{
    sca_life_enter_init();
    sca_word result = ((sca_call4)SCA_REAL(SCA_FN_Init_thread))(argc, argv, required, provided);
    sca_life_leave_init();
    if ((int32_t)result == 0)
        begin();
    return result;
}

SCA_ENTRY sca_word MPI_Finalize(void)
{
    sca_life_end(SCA_CALLER);
    return ((sca_call0)SCA_REAL(SCA_FN_Finalize))();
}

static void abort_run(int code, const void *return_address, const void *cfa)
{
    if (!sca_life_is_running())
        return;
    sca_endings_note(SCA_FN_Abort, return_address, cfa);
    sca_run_abort(code);
}

SCA_ENTRY sca_word MPI_Abort(sca_word comm, sca_word code)
{
    abort_run((int)code, SCA_CALLER);
    return ((sca_call2)SCA_REAL(SCA_FN_Abort))(comm, code);
}

/* Whatever follows the level is for other tools; registers are passed as they come. */
SCA_ENTRY sca_word MPI_Pcontrol(sca_word level, sca_word a, sca_word b, sca_word c)
{
    control((int)level, SCA_CALLER);
    return ((sca_call4)SCA_REAL(SCA_FN_Pcontrol))(level, a, b, c);
}

SCA_PMPI(Init, sca_call2, (sca_word argc, sca_word argv), argc, argv)
SCA_PMPI(Init_thread, sca_call4,
         (sca_word argc, sca_word argv, sca_word required, sca_word provided), argc, argv, required,
         provided)
SCA_PMPI(Finalize, sca_call0, (void), )
SCA_PMPI(Abort, sca_call2, (sca_word comm, sca_word code), comm, code)
SCA_PMPI(Pcontrol, sca_call4, (sca_word level, sca_word a, sca_word b, sca_word c), level, a, b, c)

static void fortran_init(unsigned entry, sca_word ierror)
{
    sca_life_enter_init();
    ((sca_call1)SCA_REAL_FORTRAN(entry))(ierror);
    sca_life_leave_init();
    if (sca_abi_fortran_ok(ierror))
        begin();
}

static void fortran_init_thread(unsigned entry, sca_word required, sca_word provided,
                                sca_word ierror)
{
    sca_life_enter_init();
    ((sca_call3)SCA_REAL_FORTRAN(entry))(required, provided, ierror);
    sca_life_leave_init();
    if (sca_abi_fortran_ok(ierror))
        begin();
}

static void fortran_finalize(unsigned entry, sca_word ierror)
{
    sca_life_end(SCA_CALLER);
    ((sca_call1)SCA_REAL_FORTRAN(entry))(ierror);
}

static void fortran_abort(unsigned entry, sca_word comm, sca_word code, sca_word ierror)
{
    abort_run(*(const int32_t *)code, SCA_CALLER);
    ((sca_call3)SCA_REAL_FORTRAN(entry))(comm, code, ierror);
}

/* The standard has no ierror here, but MPICH's use mpi_f08 has: whatever there is is passed on. */
static void fortran_pcontrol(unsigned entry, sca_word level, sca_word ierror)
{
    control(*(const int32_t *)level, SCA_CALLER);
    ((sca_call2)SCA_REAL_FORTRAN(entry))(level, ierror);
}

SCA_SPELLINGS(INIT, init, fortran_init, Init, (sca_word e), e)
SCA_SPELLINGS(INIT_THREAD, init_thread, fortran_init_thread, Init_thread,
              (sca_word r, sca_word p, sca_word e), r, p, e)
SCA_SPELLINGS(FINALIZE, finalize, fortran_finalize, Finalize, (sca_word e), e)
SCA_SPELLINGS(ABORT, abort, fortran_abort, Abort, (sca_word c, sca_word n, sca_word e), c, n, e)
SCA_SPELLINGS(PCONTROL, pcontrol, fortran_pcontrol, Pcontrol, (sca_word level, sca_word e), level,
              e)
