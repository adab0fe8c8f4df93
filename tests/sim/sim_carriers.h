/* Which ranks of so many carry a defect. */
#ifndef SCA_SIM_CARRIERS_H
#define SCA_SIM_CARRIERS_H

#include <stdbool.h>
#include <stdint.h>

bool sim_is_first(uint32_t rank, uint32_t ranks);
bool sim_is_second(uint32_t rank, uint32_t ranks);
bool sim_is_last(uint32_t rank, uint32_t ranks);
bool sim_is_middle(uint32_t rank, uint32_t ranks);
bool sim_is_upper(uint32_t rank, uint32_t ranks);
bool sim_is_outer(uint32_t rank, uint32_t ranks);
bool sim_is_of_phase(uint32_t rank, uint32_t ranks, uint32_t phase);
bool sim_is_of_phases(uint32_t rank, uint32_t ranks);
/* Five of eight. */
bool sim_is_of_most(uint32_t rank, uint32_t ranks);
bool sim_is_any(uint32_t rank, uint32_t ranks);
bool sim_is_beyond_quarter(uint32_t rank, uint32_t ranks);

#endif
