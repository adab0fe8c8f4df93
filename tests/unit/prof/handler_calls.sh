#!/bin/sh
# What a sample handler can reach calls nothing that allocates, prints, takes a lock of the C
# library's or unwinds; snprintf, dl_iterate_phdr and some more serve what is outside it. usage: handler_calls.sh NM OBJECT...
nm=$1
shift
allowed='sca_.*|mmap|munmap|mem(cpy|cmp|set|move)|str(chr|n?cmp|len|nlen|cspn|spn)|__errno_location
|__libc_stack_end|get(pid|rlimit|cwd)|pthread_self|syscall|_dl_find_object|dl_iterate_phdr|readlink
|sched_yield|__u?divti3|clock_get(time|res)|open|close|read|snprintf|fcntl|ioctl
|sig(action|fillset)|mprotect|pthread_join|__libc_current_sigrt(min|max)|timer_(settime|delete)|uname|sysconf|strerrorname_np|_GLOBAL_OFFSET_TABLE_'
allowed=$(printf '%s' "$allowed" | tr -d '\n')
found=$("$nm" -u "$@" | awk 'NF == 2 && $1 ~ /^[UwW]$/ { print $2 }' | sort -u |
        grep -Evx "($allowed)")
[ $# -gt 0 ] && [ -z "$found" ] && exit 0
printf 'a sample handler must not call:\n%s\n' "$found"
exit 1
