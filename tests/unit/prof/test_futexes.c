/* System calls by way of the C library's syscall() pass the runtime with all their arguments. */
#include "check_main.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The offset is the seventh argument, the one on the stack. */
START_TEST(the_argument_on_the_stack_arrives)
{
    long page = sysconf(_SC_PAGESIZE);
    char name[] = "/tmp/scalana-futexes-XXXXXX";
    int file = mkstemp(name);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(unlink(name), 0);
    ck_assert_int_eq(ftruncate(file, 3 * page), 0);
    ck_assert_int_eq(pwrite(file, "second", 6, page), 6);
    char *at = (char *)syscall(SYS_mmap, NULL, page, PROT_READ, MAP_PRIVATE, file, page);
    ck_assert_ptr_ne(at, MAP_FAILED);
    ck_assert_mem_eq(at, "second", 6);
    ck_assert_int_eq(munmap(at, (size_t)page), 0);
    close(file);
}
END_TEST

START_TEST(the_result_and_errno_are_the_call_s)
{
    ck_assert_int_eq(syscall(SYS_getpid), getpid());
    errno = 0;
    ck_assert_int_eq(syscall(SYS_close, -1), -1);
    ck_assert_int_eq(errno, EBADF);
}
END_TEST

SCA_SUITE("futexes", the_argument_on_the_stack_arrives, the_result_and_errno_are_the_call_s)
