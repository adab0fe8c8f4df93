#!/usr/bin/env python3
"""Makes the MPI wrappers of mpi.table.

usage: gen_wrappers.py TABLE DIRECTORY

Writes mpi_functions.h (numbers of functions and Fortran entries), mpi_functions.c (their names),
wrappers_c.c and wrappers_fortran.c. Calls outside MPI have numbers and names behind MPI's. Arguments are machine words, forwarded untouched; the table's
letters say what each means, ACTIONS what is recorded.
"""
import os
import re
import sys

# Of a call that only looks, where it says whether there was something. One that completes nothing
# says so again and again, until all that the program waits for is there: it ends no wait (None).
FOUND = {"test": "{x}", "testall": "{x}", "testany": "{x1}", "testsome": "{x}", "iprobe": "{x}",
         "improbe": "{x}", "win_test": "{x}", "look": None}

# name -> (before the call, after it if it succeeded, after it in any case[, after it failed]). {n} is the first
# argument of letter n, {n1} the second; {F} 1 in a Fortran entry, {W} 1 in a big-count form.
OWN = "struct sca_status_room room; {s:raw} = sca_abi_status_own({s:raw}, &room, {F});"
LOOK = "struct sca_wait wait; sca_wait_begin(&wait, {n}, {Q}, {F});"
LOOK1 = "struct sca_wait wait; sca_wait_begin(&wait, 1, {q}, {F});"
WAIT = LOOK + " sca_present_wait(&wait, false);"
WAIT1 = LOOK1 + " sca_present_wait(&wait, false);"
WAIT_ANY = LOOK + " sca_present_wait(&wait, true);"
TEST = LOOK + " sca_present_test(&wait, false);"
TEST1 = LOOK1 + " sca_present_test(&wait, false);"
TEST_ANY = LOOK + " sca_present_test(&wait, true);"
SENDS = ("sca_call_sends(call, {p}, {t}, {c}); "
         "sca_present_message(SCA_AWAITS_RECEIVER, {p}, {t}, {c}); ")
RECEIVES = ("sca_call_receives(call, {p}, {t}, {c}); "
            "sca_present_message(SCA_AWAITS_SENDER, {p}, {t}, {c}); ")
EXCHANGES = ("sca_call_sends(call, {p}, {t}, {c}); sca_call_receives(call, {p1}, {t1}, {c}); "
             "sca_present_exchange({p}, {t}, {p1}, {t1}, {c}); ")
PROBES = "sca_present_message(SCA_AWAITS_SENDER, {p}, {t}, {c}); "
LOOKS_FOR = "sca_present_probe({p}, {t}, {c}); "
MEETS = "sca_present_collective(SCA_ALL_TO_ALL, SCA_NO_ROOT, {c});"
OWN_ONE = "{s:raw} = sca_wait_status(&wait, {s:raw});"
OWN_ALL = "{S:raw} = sca_wait_statuses(&wait, {S:raw});"
END = "sca_wait_end(&wait, ok);"
SHARED_END = "sca_shared_end(call, shared, ok);"
TAKE = " struct sca_request *taken = sca_matched_take(sca_abi_message_at({m}, {F}));"
HANDLE = "sca_abi_request_at({q}, 0, {F})"
MOVED = "sca_moved_rma(call, {p}, %s); "
USED = ("const struct sca_word_use use = {SCA_WORD_%s, {w}, {b:raw}, %s, %s, {d}, %s, {p}, {a}, %s, {T}}; "
        "sca_word_used(call, &use);")


def used(moved, kind, compare, result, operation, count):
    return MOVED % moved + USED % (kind, compare, result, operation, count)


# Looks at a word of a window: whether one goes on with looking in vain; whether one was in vain.
LOOKS_AT_WORD = {"rma_fetch_op": "sca_word_goes_on({w}, {p}, {a})", "rma_swap": "sca_word_goes_on({w}, {p}, {a})",
                 "rma_get": "sca_word_goes_on({w}, {p}, {a})", "rma_fetch": "sca_word_goes_on({w}, {p}, {a})",
                 "rma_flush": "sca_word_in_vain({w}, {p})", "rma_flush_all": "sca_word_in_vain({w}, -1)"}
ACTIONS = {
    "local": ("", "", ""),
    "asks": ("", "", ""),
    "other": ("", "", ""),
    "probe": (PROBES, "sca_traffic_probed(call, {c});", ""),
    "look": ("", "", ""),
    "win_test": ("", "if (sca_requests_flag({x})) sca_one_sided_wait(call, sca_shared_window({w}));", ""),
    "iprobe": (LOOKS_FOR, "sca_traffic_probed(call, {c});", ""),
    "send": (SENDS, "sca_traffic_send(call, {n}, {d}, {p}, {t}, {c});", "",
             "sca_traffic_failed_send({p}, {t}, {c});"),
    "isend": ("", "sca_traffic_isend(call, {n}, {d}, {p}, {t}, {c}, " + HANDLE + ");", ""),
    "recv": (RECEIVES + OWN, "sca_traffic_recv(call, {p}, {t}, {c}, {s});", "",
             "sca_traffic_failed_recv({p}, {t}, {c});"),
    "irecv": ("", "sca_traffic_irecv(call, {p}, {t}, {c}, " + HANDLE + ");", ""),
    "sendrecv": (EXCHANGES + OWN, "sca_traffic_send(call, {n}, {d}, {p}, {t}, {c}); "
                 "sca_traffic_recv(call, {p1}, {t1}, {c}, {s});", "",
                 "sca_traffic_failed_send({p}, {t}, {c}); "
                 "sca_traffic_failed_recv({p1}, {t1}, {c});"),
    "isendrecv": ("", "sca_traffic_send(call, {n}, {d}, {p}, {t}, {c}); "
                  "sca_traffic_isendrecv(call, {p1}, {t1}, {c}, " + HANDLE + ");", ""),
    "send_init": ("", "sca_persistent_send_init(call->function, {n}, {d}, {p}, {t}, {c}, "
                  + HANDLE + ");", ""),
    "recv_init": ("", "sca_persistent_recv_init({p}, {t}, {c}, " + HANDLE + ");", ""),
    "start": ("", "sca_persistent_start(call, " + HANDLE + ");", ""),
    "startall": ("", "sca_persistent_start_all(call, {n}, {Q}, {F});", ""),
    "wait": (WAIT1 + OWN_ONE, "sca_wait_one(call, &wait, 0, {s});", END),
    "waitall": (WAIT + OWN_ALL, "sca_wait_all(call, &wait, {S});", END),
    "waitany": (WAIT_ANY + OWN_ONE, "sca_wait_any(call, &wait, {x}, {s});", END),
    "waitsome": (WAIT_ANY + OWN_ALL, "sca_wait_some(call, &wait, {x}, {X}, {S});", END),
    "test": (TEST1 + OWN_ONE,
             "if (sca_requests_flag({x})) sca_wait_one(call, &wait, 0, {s});", END),
    "testall": (TEST + OWN_ALL,
                "if (sca_requests_flag({x})) sca_wait_all(call, &wait, {S});", END),
    "testany": (TEST_ANY + OWN_ONE,
                "if (sca_requests_flag({x1})) sca_wait_any(call, &wait, {x}, {s});", END),
    "testsome": (TEST_ANY + OWN_ALL, "sca_wait_some(call, &wait, {x}, {X}, {S});", END),
    "mprobe": (PROBES + OWN, "sca_matched_probe(call, {c}, sca_abi_message_at({m}, {F}), {s});", ""),
    "improbe": (LOOKS_FOR + OWN, "if (sca_requests_flag({x})) "
                     "sca_matched_probe(call, {c}, sca_abi_message_at({m}, {F}), {s});", ""),
    "mrecv": (OWN + TAKE, "sca_matched_recv(call, taken, {s});", "", "sca_matched_lost(taken);"),
    "imrecv": (TAKE, "sca_matched_irecv(taken, " + HANDLE + ");", "", "sca_matched_lost(taken);"),
    "cancel": ("", "sca_requests_cancel(" + HANDLE + ");", ""),
    "request_free": ("sca_requests_free(" + HANDLE + ");", "", ""),
    "newcomm": (MEETS, "sca_comm_new(call, {c}, {C}, {F});", ""),
    "newcomm_group": ("", "sca_comm_new_group(call, {c}, {t}, {C}, {F});", ""),
    "spawn": ("", "sca_comm_new_spawned(call, {c}, {r}, {C}, {F});", ""),
    "meet": ("", "sca_comm_new_met(call, {c}, {r}, {$}, {$:length}, {C}, {F});", ""),
    "join": ("", "sca_comm_new_joined(call, {n}, {C}, {F});", ""),
    "intercomm_set": ("", "sca_comm_new_inter_set(call, {$}, {$:length}, {C}, {F});", ""),
    "intercomm": ("", "sca_comm_new_inter(call, {c}, {t}, {C}, {F});", ""),
    "idup": ("", "sca_comm_new_idup(call, {c}, {C}, " + HANDLE + ", {F});", ""),
    "named": ("", "sca_comm_call_it({c}, {$}, {$:length});", ""),
    "freecomm": ("sca_comm_free(sca_abi_comm_at({C}, {F}));", "", ""),
    "part": ("struct sca_communicator *parted = "
             "sca_comm_new_part(sca_abi_comm_at({C}, {F}));", "",
             "sca_comm_new_parted(call, parted, ok);"),
    "psend_init": ("", "sca_partitioned_send_init(call, {n}, {N}, {d}, {p}, {t}, {c}, "
                   + HANDLE + ");", ""),
    "precv_init": ("", "sca_partitioned_recv_init(call, {p}, {t}, {c}, " + HANDLE + ");", ""),
    "pready": ("", "sca_partitioned_ready(call, 1, {R});", ""),
    "pready_list": ("", "sca_partitioned_ready(call, {n}, {R});", ""),
    "pready_range": ("", "sca_partitioned_ready(call, (int64_t){n1} - {n} + 1, {R});", ""),
    "rma": ("", "sca_moved_rma(call, {p}, {n}, {d}, 0, 0);", ""),
    "rma_rfetch": ("", "sca_moved_rma(call, {p}, {n}, {d}, {n1}, {d1});", ""),
    "rma_fetch": ("", used("{n}, {d}, {n1}, {d1}", "READ", "0", "{b1:raw}", "{o}", "{n1}"), ""),
    "rma_fetch_op": ("", used("1, {d}, 0, 0", "FETCH", "0", "{b1:raw}", "{o}", "1"), ""),
    "rma_swap": ("", used("1, {d}, 0, 0", "SWAP", "{b1:raw}", "{b2:raw}", "0", "1"), ""),
    "rma_get": ("", used("{n}, {d}, 0, 0", "READ", "0", "{b:raw}", "sca_abi.no_op", "{n}"), ""),
    "rma_put": ("", used("{n}, {d}, 0, 0", "UPDATE", "0", "0", "0", "{n}"), ""),
    "rma_update": ("", used("{n}, {d}, 0, 0", "UPDATE", "0", "0", "{o}", "{n}"), ""),
    "rma_flush": ("", "sca_word_flushed(call, {w}, {p});", ""),
    "rma_flush_all": ("", "sca_word_flushed(call, {w}, -1);", ""),
    "rma_lock_all": ("", "sca_one_sided_lock_all(sca_shared_window({w}));", ""),
    "rma_unlock_all": ("", "sca_word_forget(); sca_one_sided_unlock_all(sca_shared_window({w}));", ""),
    "rma_lock": ("", "sca_one_sided_lock(call, {t}, {p}, sca_shared_window({w}));", ""),
    "rma_unlock": ("", "sca_word_forget(); sca_one_sided_unlock(call, {p}, sca_shared_window({w}));", ""),
    "rma_post": ("", "sca_one_sided_post(call, {h}, sca_shared_window({w}));", ""),
    "rma_start": ("", "sca_one_sided_start(call, {h}, sca_shared_window({w}));", ""),
    "rma_complete": ("", "sca_word_forget(); sca_one_sided_complete(call, sca_shared_window({w}));", ""),
    "rma_wait": ("sca_one_sided_present(sca_shared_window({w}));", "sca_one_sided_wait(call, sca_shared_window({w}));", ""),
    "newwin": (MEETS, "sca_shared_new(call, sca_abi_win_at({u}, {F}), {c});", ""),
    "win": ("sca_shared_present({w});", "sca_word_forget(); sca_shared_meet(call, {w});", ""),
    "freewin": ("sca_word_forget(); struct sca_communicator *shared = sca_shared_take(sca_abi_win_at({u}, {F}));", "",
                SHARED_END),
    "newfile": (MEETS, "sca_shared_new(call, sca_abi_file_at({g}, {F}), {c});", ""),
    "file": ("sca_shared_present({f});", "sca_shared_meet(call, {f});", ""),
    "freefile": ("struct sca_communicator *shared = "
                 "sca_shared_take(sca_abi_file_at({g}, {F}));", "",
                 SHARED_END),
    "io_all": ("sca_shared_present({f}); " + OWN, "sca_moved_io(call, {s}); sca_shared_meet(call, {f});", ""),
    "io": (OWN, "sca_moved_io(call, {s});", ""),
    "io_begin": ("", "call->bytes += sca_abi_type_bytes({n}, {d});", ""),
}
ACTIONS["sendrecv_replace"] = ACTIONS["sendrecv"]
ACTIONS["isendrecv_replace"] = ACTIONS["isendrecv"]
# By which ranks wait for each other, or sleep, outside MPI (prof/outside). A barrier is recorded as
# a call of MPI's is, and so is where threads that call MPI begin and end; the others beside them.
BARRIERS = ["pthread_barrier_wait", "thread create", "thread start", "thread end", "thread join"]
BLOCKING = ["pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_cond_wait",
            "pthread_cond_timedwait", "pthread_cond_clockwait", "sem_wait", "sem_timedwait",
            "sem_clockwait", "flock", "lockf", "fcntl", "read", "recv", "recvfrom", "recvmsg",
            "accept", "poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "msgrcv",
            "semop", "semtimedop", "sleep", "usleep", "nanosleep", "clock_nanosleep"]
# What several ranks may wait for each other by there; no function.
OBJECTS = ["shared object"]
THREADS = ["OpenMP region", "OpenMP critical", "OpenMP lock", "pthread_rwlock_wrlock",
           "pthread_rwlock_rdlock", "pthread_spin_lock", "mtx_lock", "cnd_wait", "cnd_timedwait",
           "pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join", "pthread_once",
           "call_once", "pthread_barrier", "futex", "OpenMP ordered", "OpenMP doacross",
           "semaphore lock", "OpenMP task"]  # of one process
# By which a process ends itself: where it did is booked.
ENDINGS = ["exit", "_exit", "quick_exit", "abort", "assert"]
SHAPES = {"all": "SCA_ALL_TO_ALL", "one": "SCA_ONE_TO_ALL", "to_one": "SCA_ALL_TO_ONE",
          "prefix": "SCA_PREFIX", "near": "SCA_NEAR"}


class Function:
    def __init__(self, name, args, action, big, pointer=False, extension=False):
        self.x = name.startswith("X:")
        self.name = name[2:] if self.x else name
        self.args = "" if args == "-" else args
        self.action, self.big, self.pointer = action, big, pointer
        self.extension = extension

    def variant(self):
        """The big-count form."""
        twin = Function(self.name + "_c", self.args or "-", self.action, False)
        twin.wide = True
        return twin

    def forms(self):
        """All that there are of it."""
        older = [Function("X:" + self.name, self.args, self.action, False)] if self.extension else []
        return [self] + ([self.variant()] if self.big else []) + older

    wide = False

    @property
    def c_name(self):
        return ("MPIX_" if self.x else "MPI_") + self.name

    @property
    def number(self):
        return "SCA_FN_" + ("X_" if self.x else "") + self.name


def read_table(path):
    functions = []
    with open(path) as table:
        for line in table:
            fields = line.split("#")[0].split()
            if not fields:
                continue
            name, args, action, *rest = fields
            functions.append(Function(name, args, action, "+c" in rest, "+cptr" in rest, "+x" in rest))
    return functions


def volume(f, kind):
    """C expression for the bytes of a collective, and how often it counts them."""
    per = {"P": "SCA_PER_MEMBER", "N": "SCA_PER_NEIGHBOUR"}.get(kind[-1], "SCA_PER_CALL")
    twice = f.args.count("b") > 1 and f.args.count("d") + f.args.count("D") > 1
    if kind == "0" or f.args.count("n") + f.args.count("v") == 0:
        return "0", "SCA_PER_CALL"
    if kind[0] == "v" or kind[0] == "w":
        types, each = ("{D}", "1") if kind[0] == "w" else ("{d}", "0")
        first = "sca_collective_volume({c}, %s, {W}, %s, %s, {F}, %d)" % ("{v}", types, each, "N" in kind)
        if not twice:
            return first, "SCA_PER_CALL"
        second = first.replace("{v}", "{v1}").replace("{d}", "{d1}").replace("{D}", "{D1}")
        return "sca_abi_is_in_place({b}, {F}) ? %s : %s" % (second, first), "SCA_PER_CALL"
    if kind == "last":
        count = "{n1}" if f.args.count("n") > 1 else "{n}"
        return "sca_abi_is_in_place({b1}, {F}) ? 0 : sca_abi_type_bytes(%s, {d1})" % count, per
    if not twice:
        return "sca_abi_type_bytes({n}, {d})", per
    second = "sca_abi_type_bytes({n1}, {d1})" if f.args.count("n") > 1 else "0"
    return "sca_abi_is_in_place({b}, {F}) ? %s : sca_abi_type_bytes({n}, {d})" % second, per


def collective(f):
    _, shape, kind, *init = f.action.split("/")
    bytes_, per = volume(f, kind)
    root = "{r}" if "r" in f.args else "SCA_NO_ROOT"
    handle = HANDLE if "q" in f.args else "0"
    when = "SCA_AT_START" if init else "SCA_NOW"
    post = "sca_collective_record(call, %s, %s, {c}, %s, %s, %s, %s);" % (
        SHAPES[shape], root, bytes_, per, when, handle)
    now = "sca_present_collective(%s, %s, {c});" % (SHAPES[shape], root)
    return "" if handle != "0" or init else now, post, ""


def recipe(f):
    return collective(f) if f.action.startswith("coll/") else ACTIONS[f.action]


def value(letter, i, f, fortran):
    word = "a%d" % i
    if letter == "n":
        width = "int64_t" if f.wide else "int32_t"
        return "*(const %s *)%s" % (width, word) if fortran else "(%s)%s" % (width, word)
    if letter == "N":
        return "*(const int64_t *)%s" % word if fortran else "(int64_t)%s" % word
    if letter == "R":
        return "sca_abi_request_at(%s, 0, 1)" % word if fortran else "sca_abi_handle(%s)" % word
    if letter in "ptr":
        return "*(const int32_t *)" + word if fortran else "(int32_t)" + word
    if letter == "c" and fortran:
        return "sca_abi_fortran_comm(%s)" % word
    if letter == "d" and fortran:
        return "sca_abi_fortran_type(%s)" % word
    if letter == "w":
        return ("sca_abi_fortran_win(%s)" if fortran else "sca_abi_handle(%s)") % word
    if letter == "o":
        return ("sca_abi_fortran_op(%s)" if fortran else "sca_abi_handle(%s)") % word
    if letter == "a":
        return "*(const int64_t *)%s" % word if fortran else "(int64_t)%s" % word
    if letter == "h":
        return ("sca_abi_fortran_group(%s)" if fortran else "sca_abi_handle(%s)") % word
    if letter == "f" and fortran:
        return "sca_abi_fortran_file(%s)" % word
    if letter == "$":
        return "(const char *)" + word
    return word


def text_length(i, nth, f, fortran):
    """Of the nth string: Fortran passes it behind all arguments and ierror."""
    return "(size_t)a%d" % (len(f.args) + 1 + nth) if fortran else "strlen((const char *)a%d)" % i


def described(f, fortran):
    """Whether buffers are descriptors (TS 29113)."""
    return "entry == " + entry_number(f, "_f08ts_large_" if f.wide else "_f08ts_") if fortran else "0"


def fill(text, f, fortran):
    seen = {}
    slots = {"F": str(int(fortran)), "W": str(int(f.wide)), "T": described(f, fortran)}
    for i, letter in enumerate(f.args):
        n = seen[letter] = seen.get(letter, -1) + 1
        key = letter + (str(n) if n else "")
        slots[key] = value(letter, i, f, fortran)
        slots[key + ":raw"] = "a%d" % i
        slots[key + ":length"] = text_length(i, n, f, fortran)
    return re.sub(r"\{([\w:$]+)\}", lambda m: slots[m.group(1)], text)


def words(count):
    return ", ".join("sca_word a%d" % i for i in range(count)) or "void"


def call(real, index, count, result):
    types = ", ".join(["sca_word"] * count) or "void"
    names = ", ".join("a%d" % i for i in range(count))
    return "((%s (*)(%s))%s(%s))(%s)" % (result, types, real, index, names)


def looks(f, out, ok, fortran):
    """Whether a poll found nothing must be known as the call is left."""
    if f.action in LOOKS_AT_WORD:
        out.append(fill("    call->in_vain = %s && %s;" % (ok, LOOKS_AT_WORD[f.action]), f, fortran))
    if f.action not in FOUND:
        return
    flag = FOUND[f.action]
    nothing = " || wait.nothing" if f.action.startswith("test") else ""
    found = " && (!sca_requests_flag(%s)%s)" % (flag, nothing) if flag else ""
    out.append(fill("    call->in_vain = %s%s;" % (ok, found), f, fortran))


def record(out, ok, done, always, failed=""):
    if done or always:
        out.append("    bool ok = %s;" % ok)
    if done:
        out.append("    if (ok) {\n        %s\n    }" % done)
    if failed:
        out.append("    else {\n        %s\n    }" % failed)
    if always:
        out.append("    " + always)


def expect(out, done):
    """The table is told of a new request before it is needed: memory is slower than a clock."""
    handle = re.match(r"sca_traffic_i(?:send|recv)\(.* (sca_abi_request_at\(a\d+, 0, 0\))\);", done)
    if handle:
        out.append("    if ((int32_t)result == 0)")
        out.append("        sca_requests_expect(%s);" % handle.group(1))


def called_back(f):
    """Functions of the program's that MPI will call are to be seen when it does."""
    return ["    a%d = sca_called_back(a%d);" % (i, i) for i, letter in enumerate(f.args) if letter == "k"]


def c_wrapper(f, out):
    before, *after = (fill(part, f, False) for part in recipe(f))
    real = call("SCA_REAL", f.number, len(f.args), "sca_word")
    out.append("SCA_ENTRY sca_word %s(%s)\n{" % (f.c_name, words(len(f.args))))
    out += called_back(f)
    out.append("    struct sca_call *call = sca_activity_enter(%s, SCA_CALLER);" % f.number)
    out.append("    if (!call)\n        return %s;" % real)
    if before:
        out.append("    " + before)
    out.append("    sca_word result = %s;" % real)
    looks(f, out, "(int32_t)result == 0", False)
    expect(out, after[0])
    out.append("    sca_activity_exit(call);")
    record(out, "(int32_t)result == 0", *after)
    out.append("    sca_activity_leave(call);\n    return result;\n}\n")


def below_wrapper(f, out):
    """PMPI_X, for the sake of tools before this library."""
    real = call("SCA_BELOW", f.number, len(f.args), "sca_word")
    names = ", ".join("a%d" % i for i in range(len(f.args)))
    out.append("SCA_ENTRY sca_word P%s(%s)\n{" % (f.c_name, words(len(f.args))))
    out.append("    if (sca_activity_passes_below(%s))\n        return %s;" % (f.number, real))
    out.append("    return %s(%s);\n}\n" % (f.c_name, names))


def spellings(low):
    return [low + "_", low, low + "__", low.upper()]


def fortran_entries(f):
    """(suffix, names) of each real entry; further names are aliases of the first."""
    low = f.c_name.lower()
    if f.wide:
        base = low[:-2]
        return [(s, [base + s]) for s in ("_f08_large_", "_f08ts_large_")]
    found = [("_", spellings(low)), ("_f08_", [low + "_f08_"]), ("_f08ts_", [low + "_f08ts_"])]
    return found + ([("_cptr_", spellings(low + "_cptr"))] if f.pointer else [])


def entry_number(f, suffix):
    return "SCA_FORTRAN_%s%s%s" % ("X_" if f.x else "", f.name, suffix.rstrip("_"))


def fortran_body(f, out):
    count = len(f.args) + 1 + f.args.count("$")
    ierror = "a%d" % len(f.args)
    before, *after = (fill(part, f, True) for part in recipe(f))
    real = call("SCA_REAL_FORTRAN", "entry", count, "void")
    out.append("static void body_%s%s(unsigned entry, bool lends, const void *ra, "
               "const void *cfa, %s)\n{" %
               ("x_" if f.x else "", f.name, words(count)))
    out += called_back(f)
    out.append("    struct sca_call *call = sca_activity_enter_fortran(%s, lends, ra, cfa);" % f.number)
    out.append("    if (!call) {")
    out.append("        %s;\n        sca_activity_pass_fortran();\n        return;\n    }" % real)
    if before:
        out.append("    " + before)
    out.append("    %s;" % real)
    looks(f, out, "sca_abi_fortran_ok(%s)" % ierror, True)
    out.append("    sca_activity_exit(call);")
    record(out, "sca_abi_fortran_ok(%s)" % ierror, *after)
    out.append("    sca_activity_leave(call);\n}\n")


def fortran_wrapper(f, out):
    count = len(f.args) + 1 + f.args.count("$")
    fortran_body(f, out)
    for suffix, names in fortran_entries(f):
        passed = ", ".join("a%d" % i for i in range(count))
        out.append("SCA_ENTRY void %s(%s)\n{" % (names[0], words(count)))
        lends = "false" if suffix.startswith("_f08_") else "true"
        out.append("    body_%s%s(%s, %s, SCA_CALLER, %s);\n}\n" % (
            "x_" if f.x else "", f.name, entry_number(f, suffix), lends, passed))
        for alias in names[1:]:
            out.append('SCA_ENTRY void %s(%s) __attribute__((alias("%s")));' % (
                alias, words(count), names[0]))
        out.append("")


HEAD = """/* Made from mpi.table by gen_wrappers.py. */
#include "calls/activity.h"
#include "calls/called_back.h"
#include "mpi/abi.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "calls/comm_new.h"
#include "calls/one_sided.h"
#include "calls/partitioned.h"
#include "calls/present_call.h"
#include "calls/requests.h"
#include "calls/shared.h"
#include "calls/traffic.h"
#include "calls/word.h"
#include <string.h>

"""


def write(directory, name, text):
    with open(os.path.join(directory, name), "w") as out:
        out.write(text)


def functions_header(functions, entries):
    lines = ["/* Made from mpi.table by gen_wrappers.py: numbers of the wrapped functions. */",
             "#ifndef SCA_PROF_MPI_FUNCTIONS_H", "#define SCA_PROF_MPI_FUNCTIONS_H", "",
             "enum sca_function {"]
    lines += ["    %s," % f.number for f in functions] + ["    SCA_FN_COUNT", "};", ""]
    outside = ["SCA_OUTSIDE_" + name.replace(" ", "_") for name in BARRIERS + BLOCKING + OBJECTS + THREADS + ENDINGS]
    lines += ["/* Outside MPI: names and classes, and no real function. */",
              "enum sca_outside_function {", "    %s = SCA_FN_COUNT," % outside[0]]
    lines += ["    %s," % n for n in outside[1:]] + ["    SCA_FN_ALL", "};", ""]
    lines += ["enum sca_fortran_entry {"] + ["    %s," % n for n, _ in entries]
    lines += ["    SCA_FORTRAN_COUNT", "};", "", "const char *sca_function_name(unsigned function);",
              "const char *sca_fortran_name(unsigned entry);",
              "/* Local: no communication. Asks: local, and ends no interval: it is part of the",
              " * computation around it. Poll: asks whether something has come. Word: may look at one (word.h). */",
              "enum sca_function_class { SCA_CLASS_CALL, SCA_CLASS_WORD, SCA_CLASS_POLL, SCA_CLASS_LOCAL, SCA_CLASS_ASKS };",
              "extern const unsigned char sca_function_classes[];",
              "static inline enum sca_function_class sca_function_class(unsigned function)",
              "{", "    return sca_function_classes[function];", "}",
              "static inline int sca_function_is_local(unsigned function)",
              "{", "    return sca_function_classes[function] >= SCA_CLASS_LOCAL;", "}", "", "#endif", ""]
    return "\n".join(lines)


def function_class(action):
    if action in ("local", "named"):
        return "SCA_CLASS_LOCAL"
    if action == "asks":
        return "SCA_CLASS_ASKS"
    if action in LOOKS_AT_WORD:
        return "SCA_CLASS_WORD"
    return "SCA_CLASS_POLL" if action in FOUND else "SCA_CLASS_CALL"


def functions_source(functions, entries):
    lines = ["/* Made from mpi.table by gen_wrappers.py. */", '#include "mpi_functions.h"', "",
             "static const char *const names[] = {"]
    lines += ['    "%s",' % name for name in [f.c_name for f in functions] + BARRIERS + BLOCKING + OBJECTS + THREADS + ENDINGS]
    lines += ["};", "", "const unsigned char sca_function_classes[] = {"]
    lines += ["    %s," % function_class(f.action) for f in functions]
    lines += ["    SCA_CLASS_CALL,"] * len(BARRIERS) + ["    SCA_CLASS_LOCAL,"] * len(BLOCKING + OBJECTS + THREADS + ENDINGS)
    lines += ["};", "", "static const char *const entries[] = {"]
    lines += ['    "%s",' % n for _, n in entries]
    lines += ["};", ""]
    for name, table in (("sca_function_name", "names"), ("sca_fortran_name", "entries")):
        lines += ["const char *%s(unsigned i)" % name, "{", "    return %s[i];" % table, "}", ""]
    return "\n".join(lines)


def main():
    table, directory = sys.argv[1:]
    functions = []
    for f in read_table(table):
        if f.action != "skip":
            functions += f.forms()
    entries = [(entry_number(f, s), names[0]) for f in functions for s, names in fortran_entries(f)]
    c, fortran = [], []
    for f in functions:
        if f.action != "special":
            c_wrapper(f, c)
            below_wrapper(f, c)
            fortran_wrapper(f, fortran)
    write(directory, "mpi_functions.h", functions_header(functions, entries))
    write(directory, "mpi_functions.c", functions_source(functions, entries))
    write(directory, "wrappers_c.c", HEAD + "\n".join(c))
    write(directory, "wrappers_fortran.c", HEAD + "\n".join(fortran))


if __name__ == "__main__":
    main()
