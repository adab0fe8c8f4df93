#include "sim_carriers.h"

bool sim_is_first(uint32_t rank, uint32_t ranks)
{
    return ranks && rank == 0;
}

bool sim_is_second(uint32_t rank, uint32_t ranks)
{
    return ranks && rank == 1;
}

bool sim_is_last(uint32_t rank, uint32_t ranks)
{
    return rank == ranks - 1;
}

bool sim_is_middle(uint32_t rank, uint32_t ranks)
{
    return rank == ranks / 2;
}

bool sim_is_upper(uint32_t rank, uint32_t ranks)
{
    return rank >= ranks / 2;
}

bool sim_is_outer(uint32_t rank, uint32_t ranks)
{
    return sim_is_first(rank, ranks) || sim_is_last(rank, ranks);
}

bool sim_is_of_phase(uint32_t rank, uint32_t ranks, uint32_t phase)
{
    bool is[] = {rank == 1, rank == ranks / 2, rank == ranks - 2};
    return is[phase];
}

bool sim_is_of_phases(uint32_t rank, uint32_t ranks)
{
    return sim_is_of_phase(rank, ranks, 0) || sim_is_of_phase(rank, ranks, 1) ||
           sim_is_of_phase(rank, ranks, 2);
}

/* Five of eight. */
bool sim_is_of_most(uint32_t rank, uint32_t ranks)
{
    return ranks && rank % 8 >= 3;
}

bool sim_is_any(uint32_t rank, uint32_t ranks)
{
    return rank < ranks;
}

bool sim_is_beyond_quarter(uint32_t rank, uint32_t ranks)
{
    return 4 * rank >= ranks;
}
