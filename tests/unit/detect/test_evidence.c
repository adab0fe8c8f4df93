/* Evidence of a finding. */
#include "findings/evidence.h"
#include "check_main.h"

static struct sca_workspace space;

static struct sca_evidence_list list_of_two(void)
{
    struct sca_evidence_list list = {0};
    sca_evidence_add(&space, &list, (struct sca_evidence){SCA_EVIDENCE_STANDS_IN, 0, 1.5, 2});
    sca_evidence_add(&space, &list, (struct sca_evidence){SCA_EVIDENCE_STANDS_IN, 1, 1.7, 3});
    return list;
}

START_TEST(the_latest_of_a_kind_is_found)
{
    struct sca_evidence_list list = list_of_two();
    ck_assert_uint_eq(list.count, 2);
    ck_assert_uint_eq(sca_evidence_find(&list, SCA_EVIDENCE_STANDS_IN)->of, 1);
    ck_assert(sca_evidence_has(&list, SCA_EVIDENCE_STANDS_IN));
    ck_assert_ptr_null(sca_evidence_find(&list, SCA_EVIDENCE_CORES));
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_has_the_list_already_sees_nothing_of_what_is_added)
{
    struct sca_evidence_list list = list_of_two(), before = list;
    sca_evidence_add(&space, &list, (struct sca_evidence){.kind = SCA_EVIDENCE_CORES});
    ck_assert(sca_evidence_has(&list, SCA_EVIDENCE_CORES));
    ck_assert(!sca_evidence_has(&before, SCA_EVIDENCE_CORES) && before.count == 2);
    ck_assert_double_eq(before.items[0].number, 1.5);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("evidence", the_latest_of_a_kind_is_found,
          who_has_the_list_already_sees_nothing_of_what_is_added)
