"""Programs of the truth suite that nobody thought of: drawn from a seed.

A step goes through two to five phases, each a kernel and a kind of communication. One kernel is
slower on some ranks, in every step or in few, or two are, on different ranks, or on another rank in
each step; or one is not divided among the ranks; or rank 0 does something alone before a broadcast;
or nothing is wrong. Some set up tables first, some read the clock in every step. Drawn are also how
much slower it is, how often, the way of writing it (ways.py) and the compiler's optimisation. What is
drawn for a seed may change from version to version.
"""
import random
import textwrap

WORK = 600_000_000  # iterations of all kernels, steps and ranks together

WRITINGS = ("own", "header", "header", "file", "operator", "lambda", "algorithm", "parallel",
            "functor", "nest", "paths")
FORTRAN_WRITINGS = ("own", "elemental", "internal", "module", "nest", "paths")
OPTS = ("O2", "O2", "O2", "O3", "O0", "lto")
SLIGHT = (1.15, 1.25)

RANKS = {"last": "rank == size - 1", "middle": "rank == size / 2", "1": "rank == 1",
         "0": "rank == 0", "odd": "rank % 2 == 1", "upper-half": "rank >= size / 2",
         "0,last": "rank == 0 || rank == size - 1"}

# Bodies of kernels; how fast they are does not depend on where their data lie.
KERNELS = (
    """for (long i = 0; i < n; i++){mark}
        x = x * 0.9999999 + 1e-8;""",
    """for (long i = 0; i < n; i++){mark}
        x = (i & 7) ? x * 0.9999998 + 2e-8 : x + 1e-9 * (double)(i % 13);""",
    """for (long i = 0; i < n; i++){mark}
        x += 1e-9 * field[(i * 7919) & (FIELD - 1)];""",
    """for (long j = 0; j < n; j += 64)
        for (int k = 0; k < 64; k++){mark}
            x = x * 0.9999997 + 3e-8;""",
)
SERIAL = """for (long i = 0; i < n; i++){mark}
        x = x * 0.9999996 + 4e-8;"""

MEETING = {  # all ranks wait for all others
    "allreduce": """MPI_Allreduce(&x, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = got / size;""",
    "posted": """MPI_Request request;
        MPI_Iallreduce(&x, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        x = got / size;""",
    "barrier": "MPI_Barrier(MPI_COMM_WORLD);",
    "allgather": """MPI_Allgather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        x = 0.5 * (x + all[(rank + 1) % size]);""",
    "alltoall": """for (int i = 0; i < size; i++)
            out[i] = x + i;
        MPI_Alltoall(out, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        x = 0.5 * (x + all[0]);""",
    "polled": """MPI_Request request;
        int done = 0;
        MPI_Iallreduce(&x, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        x = got / size;""",
    "scatter": """for (int i = 0; i < size; i++)
            out[i] = x;
        MPI_Reduce_scatter_block(out, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = got / size;""",
    "reduce": """MPI_Reduce(&x, &got, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        x = got / size;""",
}
OTHER = {
    "none": "",
    "ring": """MPI_Sendrecv(&x, 1, MPI_DOUBLE, (rank + 1) % size, {tag}, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x = 0.5 * (x + got);""",
    "halo": """MPI_Request request[2];
        double edge[2] = {{x, x}};
        MPI_Irecv(&edge[0], 1, MPI_DOUBLE, left, {tag}, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&edge[1], 1, MPI_DOUBLE, right, {tag}, MPI_COMM_WORLD, &request[1]);
        MPI_Send(&x, 1, MPI_DOUBLE, right, {tag}, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_DOUBLE, left, {tag}, MPI_COMM_WORLD);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        x = 0.5 * x + 0.25 * (edge[0] + edge[1]);""",
    "persistent": """static MPI_Request request[2];
        static double mine, next;
        if (!request[0]) {{
            MPI_Recv_init(&next, 1, MPI_DOUBLE, (rank + size - 1) % size, {tag}, MPI_COMM_WORLD,
                          &request[0]);
            MPI_Send_init(&mine, 1, MPI_DOUBLE, (rank + 1) % size, {tag}, MPI_COMM_WORLD,
                          &request[1]);
        }}
        mine = x;
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        x = 0.5 * (x + next);""",
    "probed": """MPI_Message message;
        MPI_Status status;
        MPI_Request request;
        double mine = x;
        MPI_Isend(&mine, 1, MPI_DOUBLE, (rank + 1) % size, {tag}, MPI_COMM_WORLD, &request);
        MPI_Mprobe(MPI_ANY_SOURCE, {tag}, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&got, 1, MPI_DOUBLE, &message, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        x = 0.5 * (x + got);""",
    "one by one": """MPI_Request request[2];
        double edge[2] = {{x, x}};
        MPI_Irecv(&edge[0], 1, MPI_DOUBLE, left, {tag}, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&edge[1], 1, MPI_DOUBLE, right, {tag}, MPI_COMM_WORLD, &request[1]);
        MPI_Send(&x, 1, MPI_DOUBLE, right, {tag}, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_DOUBLE, left, {tag}, MPI_COMM_WORLD);
        for (int i = 0, which; i < 2; i++) {{
            MPI_Waitany(2, request, &which, MPI_STATUS_IGNORE);
            x = 0.5 * (x + edge[which]);
        }}""",
    "broadcast": """got = x;
        MPI_Bcast(&got, 1, MPI_DOUBLE, size / 2, MPI_COMM_WORLD);
        x = 0.9 * x + 0.1 * got;""",
    "gather": "MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
    "scan": """MPI_Scan(&x, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x = 0.9 * x + 0.1 * got / size;""",
    "team": """MPI_Allreduce(&x, &got, 1, MPI_DOUBLE, MPI_MAX, team);
        x = 0.5 * (x + got);""",
}
HEAD = """
#include "truth.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum {{ STEPS = {steps}, FIELD = 1024 }};

static int rank, size, left, right;
static double field[FIELD], all[64], out[64];
static MPI_Comm team;
static double spent;
"""
SETUP = """
static double *set_up(void)
{
    long n = 1 << 20;
    double *table = malloc((size_t)n * sizeof *table);
    for (long i = 0; table && i < n; i++)
        table[i] = 0.5 * (double)(i % 17);
    return table;
}
"""
MAIN = """
static double advance(double x, int step, bool defect)
{
@step
    return x;
}

int main(int argc, char **argv)
{
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &team);
    bool defect = truth_defect(rank);
    for (int i = 0; i < FIELD; i++)
        field[i] = 1 + i % 3;
    double *table = @table;
    for (int step = 0; step < STEPS; step++)
        x = advance(x, step, defect);
    if (rank == 0)
        printf("%g %g %g\\n", x, out[0], table ? table[rank] : spent);
    free(table);
    MPI_Finalize();
    return 0;
}
"""


class Draw:
    """All that is drawn for a seed."""

    def __init__(self, seed):
        self.seed = seed
        r = random.Random(seed)
        self.defect = r.choices(["always", "two", "rarely", "wanders", "undivided", "serial", None],
                                [36, 14, 10, 12, 6, 6, 16])[0]
        count = r.randint(2, 5)
        self.exchanges = [r.choice(sorted(MEETING | OTHER)) for _ in range(count)]
        if not MEETING.keys() & set(self.exchanges):
            self.exchanges[-1] = r.choice(sorted(MEETING))
        self.kernels = [r.choice(KERNELS) for _ in range(count)]
        self.weights = [r.choice([0.3, 0.6, 1, 1.5]) for _ in range(count)]
        self.bad = r.randrange(count)
        if self.defect in ("always", "rarely", "two", "wanders"):
            self.weights[self.bad] = max(1, self.weights[self.bad])
        elif self.defect == "undivided":
            self.weights[self.bad] = 0.15 * (sum(self.weights) - self.weights[self.bad])
        self.steps = r.choice([40, 100, 300, 800])
        self.factor = r.choice([2, 2.5, 3, 4])
        self.every = r.choice([5, 10])
        self.ranks = r.choice(sorted(RANKS))
        self.way = r.choice(["calls", "pointers", "recursion"])
        self.sets_up, self.reads_clock = r.random() < 0.4, r.random() < 0.3
        self.second = None
        self.draw_writing(r)
        if self.defect == "two":
            self.draw_second(r)
        if self.defect == "wanders":
            self.exchanges[self.bad] = r.choice(sorted(MEETING))

    def draw_writing(self, r):
        """How it is written and compiled, and how large and rare the defect is."""
        self.writing, self.opt = r.choice(WRITINGS), r.choice(OPTS)
        self.fortran = r.random() < 0.2
        if self.fortran:
            self.writing = r.choice(FORTRAN_WRITINGS)
        self.every = r.choice([5, 10, 16, self.steps])
        if self.writing == "paths":  # of plain loops, two at least
            self.kernels = [KERNELS[0]] * len(self.kernels)
        if self.defect == "always" and r.random() < 0.25:
            self.factor = r.choice(SLIGHT)
            self.weights[self.bad] = max(1, sum(self.weights) - self.weights[self.bad])

    def draw_second(self, r):
        """Another kernel, half as bad, on other ranks: all meet after either of them."""
        self.bad, self.second = sorted(r.sample(range(len(self.kernels)), 2))
        for k in (self.bad, self.second):
            self.exchanges[k] = r.choice(sorted(MEETING))
        self.second_ranks = r.choice(sorted(RANKS.keys() - {self.ranks}))
        self.weights[self.bad] = max(1, self.weights[self.bad])
        self.second_factor = r.choice([2, 3])
        worse = self.weights[self.bad] * (self.factor - 1)
        self.weights[self.second] = 0.5 * worse / (self.second_factor - 1)

    def truths(self):
        """What a line each says of its causes."""
        imbalance = "category=imbalance ranks={} waits=none"
        if self.defect == "two":
            return [imbalance.format(self.ranks), imbalance.format(self.second_ranks)]
        if self.defect in ("always", "rarely"):
            return [imbalance.format(self.ranks)]
        if self.defect == "wanders":
            return [imbalance.format("all") + " cost=(P-1)*total gain=P*total"]
        return [{"undivided": "category=nonscalable ranks=all waits=none cost=total-each*2 "
                              "gain=total-each",
                 "serial": "category=serial ranks=0 waits=none", None: "none"}[self.defect]]

    def iterations(self, k):
        """Of a kernel in one step, of all ranks together."""
        return int(WORK * self.weights[k] / sum(self.weights) / self.steps)

    def serial_iterations(self):
        """Of rank 0 alone, in one step."""
        return int(0.12 * WORK / self.steps)


def kernel(name, body, marked):
    text = body.replace("{mark}", " /* CAUSE */" if marked else "")
    return f"static double {name}(double x, long n)\n{{\n    {text}\n    return x;\n}}\n"


def slower(k, condition, times, cause):
    return f"""bool slow = defect && {condition};
        truth_begin();
        x = kernel{k}(x, slow ? (long)({times} * n) : n);
        truth_end({cause}, slow * {1 - 1 / times:.4f});"""


def slowness(d, k):
    """(condition, times, cause) of a kernel that is slower on some ranks; None of any other."""
    here = d.defect if k == d.bad else None
    if k == d.second:
        return f"({RANKS[d.second_ranks]})", d.second_factor, 1
    if here in ("always", "two"):
        return f"({RANKS[d.ranks]})", d.factor, 0
    if here == "rarely":
        rare = f"step % {d.every} == {d.every - 1} && ({RANKS[d.ranks]})"
        return rare, int(d.factor * d.every * 0.6), 0
    return ("step % size == rank", d.factor, 0) if here == "wanders" else None


def work(d, k):
    """The phase's computation, with what is wrong with it."""
    here, slow = d.defect if k == d.bad else None, slowness(d, k)
    if slow:
        return slower(k, *slow)
    if here == "undivided":
        return f"""truth_begin();
        x = kernel{k}(x, defect ? n * size : n);
        truth_end(0, defect);"""
    if here == "serial":
        return f"""x = kernel{k}(x, n);
        if (defect && rank == 0) {{
            truth_begin();
            x = serial(x, {d.serial_iterations()});
            truth_end(0, 1);
        }}
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);"""
    return f"x = kernel{k}(x, n);"


def phase(d, k):
    exchange = (MEETING | OTHER)[d.exchanges[k]]
    if d.exchanges[k] in OTHER:
        exchange = exchange.format(tag=k)
    clock = "double begin = MPI_Wtime();" if d.reads_clock else "spent = 1;"
    lines = [clock, f"long n = {d.iterations(k)} / size;", "double got = 0;", work(d, k), exchange,
             "spent += MPI_Wtime() - begin;" if d.reads_clock else "", "(void)got;", "(void)step;",
             "(void)defect;", "return x;"]
    body = textwrap.dedent("".join(f"        {line}\n" for line in lines if line))
    return (f"static double phase{k}(double x, int step, bool defect)\n{{\n"
            f"{textwrap.indent(body, '    ')}}}\n")


def step(d):
    """(declarations, statements): how a step comes to its phases."""
    count = len(d.kernels)
    calls = "\n".join(f"    x = phase{k}(x, step, defect);" for k in range(count))
    if d.way == "pointers":
        names = ", ".join(f"phase{k}" for k in range(count))
        return ("typedef double phase(double, int, bool);\n"
                f"static phase *volatile phases[] = {{{names}}};\n",
                f"    for (int k = 0; k < {count}; k++)\n        x = phases[k](x, step, defect);")
    if d.way == "recursion":
        return ("static double descend(double x, int step, bool defect, int depth)\n{\n"
                "    if (depth)\n        return descend(x, step, defect, depth - 1) + 1e-12;\n"
                f"{calls}\n    return x;\n}}\n", "    x = descend(x, step, defect, 3);")
    return "", calls


def source(d):
    """The C source of what was drawn."""
    planted = d.defect not in (None, "serial")
    declarations, statements = step(d)
    parts = [f"/* Drawn from seed {d.seed}. */",
             *(f"/* TRUTH: {truth} */" for truth in d.truths()), HEAD.strip().format(steps=d.steps)]
    parts += [kernel(f"kernel{k}", d.kernels[k], planted and k in (d.bad, d.second))
              for k in range(len(d.kernels))]
    if d.defect == "serial":
        parts.append(kernel("serial", SERIAL, True))
    parts += [phase(d, k) for k in range(len(d.kernels))]
    if d.sets_up:
        parts.append(SETUP.strip() + "\n")
    main = MAIN.strip().replace("@step", statements)
    main = main.replace("@table", "set_up()" if d.sets_up else "NULL")
    return "\n".join([*parts, declarations, main, ""])
