/* Who has a lock that cannot be asked. */
#include "outside/holders.h"
#include "check_main.h"

static int section;

static struct sca_holder *taken(void)
{
    (void)sca_holders_taken(&section, __builtin_return_address(0), __builtin_frame_address(0));
    struct sca_holder *h = sca_holder_of(&section);
    h->taken = false;
    return h;
}

START_TEST(a_section_is_taken_once)
{
    struct sca_holder *h = taken();
    ck_assert(sca_holders_try(h));
    ck_assert(!sca_holders_try(h));
    h->taken = false; /* it is left */
    ck_assert(sca_holders_try(h));
}
END_TEST

/* Its runtime hands it to who waits, who has not said yet that he has it. */
START_TEST(one_that_others_wait_for_is_not_free_when_it_is_left)
{
    struct sca_holder *h = taken();
    struct sca_holders_wait wait = sca_holders_wait_begin(&section);
    ck_assert(!sca_holders_try(h));
    sca_holders_wait_give_up(&section, &wait);
    ck_assert(sca_holders_try(h));
}
END_TEST

SCA_SUITE("holders", a_section_is_taken_once, one_that_others_wait_for_is_not_free_when_it_is_left)
