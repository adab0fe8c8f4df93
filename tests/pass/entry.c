// A load in a loop that lost its place, with nothing before it that has one: the row of the
// function's first line still holds there, and is not believed.
// RUN: scalana-static clang -O3 %s -o entry
// RUN: llvm-objdump -d --no-show-raw-insn entry | sed -n '/<add>:/,/ret/s/^ *\([0-9a-f]*\):.*sd.*(%r[a-d]x.*/\1/p' > loads
// RUN: %b/tests/support/show_places $PWD/entry < loads > places && cat places
// RUN: test $(grep -c 'loop:14 loop:13 ' places) -ge 4 && ! grep -v 'loop:14 loop:13 ' places
enum { N = 512 };
static double a[N][N], b[N][N];

__attribute__((noinline)) void add(void)
{

    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            a[i][j] += b[i][j] * 0.5;
}

int main(void)
{
    add();
    return a[1][2] > 1;
}
