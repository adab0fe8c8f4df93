"""Wait states and delay costs of a trace, found the straightforward way: all calls, times as
measured. Definitions: Scalasca's patterns; delay costs as in Boehme, Geimer, Wolf, Arnold, ICPP
2010. Two ranks, MPI_COMM_WORLD, seconds.
"""
import collections
import dataclasses

SENDS = ("MPI_Send", "MPI_Ssend")
EVERYBODY = ("MPI_Barrier", "MPI_Allreduce")


@dataclasses.dataclass
class Call:
    rank: int
    index: int
    function: str
    number: int
    peer: int
    enter: float
    exit: float
    cpu_enter: float
    cpu_exit: float

    @property
    def site(self):
        return self.function, self.number


@dataclasses.dataclass
class Wait:
    call: Call  # that waited
    other: Call  # whose entering ended the wait
    seconds: float


def read(folder, ranks=2):
    """The calls of each rank, in order."""
    trace = []
    for rank in range(ranks):
        trace.append([])
        for index, row in enumerate((folder / str(rank)).read_text().splitlines()):
            function, number, peer, *times = row.split()
            trace[-1].append(Call(rank, index, function, int(number), int(peer),
                                  *(int(t) / 1e9 for t in times)))
    return trace


def pairs(trace):
    """(call, call) that meet: the k-th send and receive of a channel, the k-th collectives."""
    met = collections.defaultdict(list)
    for calls in trace:
        count = collections.Counter()
        for call in calls:
            if call.function in SENDS:
                key = ("message", call.rank, call.peer, call.number)
            elif call.function == "MPI_Recv":
                key = ("message", call.peer, call.rank, call.number)
            else:
                key = ("collective",)
            side = call.rank, key
            met[key, count[side]].append(call)
            count[side] += 1
    return [tuple(calls) for calls in met.values() if len(calls) == 2]


def meetings(trace):
    """{(rank, index): the call it meets}"""
    met = {}
    for a, b in pairs(trace):
        met[a.rank, a.index], met[b.rank, b.index] = b, a
    return met


def wait_between(call, other):
    """Of `call` for `other`, None if it is of a kind that does not wait for that."""
    waits = (call.function in EVERYBODY or call.function in ("MPI_Recv", "MPI_Ssend") or
             (call.function == "MPI_Bcast" and call.rank != call.peer) or
             (call.function == "MPI_Reduce" and call.rank == call.peer))
    seconds = min(other.enter, call.exit) - call.enter
    return Wait(call, other, seconds) if waits and seconds > 0 else None


def find_waits(trace):
    waits = []
    for a, b in pairs(trace):
        waits += [w for w in (wait_between(a, b), wait_between(b, a)) if w]
    return waits


def waits_by_site(waits):
    """{site: (how many, seconds)}"""
    found = {}
    for wait in waits:
        count, seconds = found.get(wait.call.site, (0, 0.0))
        found[wait.call.site] = count + 1, seconds + wait.seconds
    return found


def interval(calls, call, since):
    """({gap: computed}, [(call, waiting seconds of it)]) of a rank from `since` to entering
    `call`. A gap is called after the site it leads to."""
    gaps, i = collections.Counter(), call.index
    inside = []
    while True:
        begin = calls[i - 1].exit if i else since
        gaps[calls[i].site] += max(0.0, calls[i].enter - max(begin, since))
        if i == 0 or begin <= since:
            return gaps, inside
        i -= 1
        inside.append(calls[i])


def last_meeting(trace, met, call, other):
    """When both had last left a call in which they met: the interval of the wait begins there."""
    for calls in ((call, other), (other, call)):
        i = calls[0].index - 1
        while i >= 0:
            before = trace[calls[0].rank][i]
            partner = met.get((before.rank, before.index))
            if partner and partner.index < calls[1].index:
                return max(min(before.exit, partner.exit), 0.0)
            i -= 1
    return 0.0


def delay_costs(trace, waits):
    """({(rank, gap): seconds others waited for it}, seconds nobody caused)"""
    met = meetings(trace)
    own = {(w.call.rank, w.call.index): w.seconds for w in waits}
    carried, costs, unexplained = collections.Counter(), collections.Counter(), 0.0
    for wait in sorted(waits, key=lambda w: -w.call.exit):
        call, other = wait.call, wait.other
        amount = wait.seconds + carried[call.rank, call.index]
        since = last_meeting(trace, met, call, other)
        mine, _ = interval(trace[call.rank], call, since)
        theirs, inside = interval(trace[other.rank], other, since)
        excess = {gap: s - mine[gap] for gap, s in theirs.items() if s > mine[gap]}
        waited = {(c.rank, c.index): min(own.get((c.rank, c.index), 0.0), c.exit - since)
                  for c in inside}  # of a wait that began before the interval, what lies in it
        whole = sum(excess.values()) + sum(waited.values())
        if whole <= 0:
            unexplained += amount
            continue
        for gap, seconds in excess.items():
            costs[other.rank, gap] += amount * seconds / whole
        for key, seconds in waited.items():
            carried[key] += amount * seconds / whole
    return costs, unexplained


def needs(call, partner):
    """Whether the call can be left only after the other was entered."""
    return partner is not None and wait_between(
        dataclasses.replace(call, enter=0.0, exit=2.0),
        dataclasses.replace(partner, enter=1.0)) is not None


def undisturbed(trace):
    """The same trace as if nobody else had used the cores: computation takes its CPU time, and
    calls nothing but waiting."""
    met = meetings(trace)
    played, now = [[] for _ in trace], [0.0 for _ in trace]
    entered = {}
    while any(len(done) < len(calls) for done, calls in zip(played, trace)):
        for rank, calls in enumerate(trace):
            if len(played[rank]) == len(calls):
                continue
            call = calls[len(played[rank])]
            cpu = calls[call.index - 1].cpu_exit if call.index else call.cpu_enter
            enter = now[rank] + call.cpu_enter - cpu
            entered[rank, call.index] = enter
            partner = met.get((rank, call.index))
            leave = enter
            if needs(call, partner):
                if (partner.rank, partner.index) not in entered:
                    continue
                leave = max(enter, entered[partner.rank, partner.index])
            played[rank].append(dataclasses.replace(call, enter=enter, exit=leave))
            now[rank] = leave
    return played
