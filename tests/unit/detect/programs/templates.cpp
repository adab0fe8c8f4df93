// Templates, lambdas, methods and namespaces, inlined and not.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace grid
{
template <typename T> struct Field {
    std::vector<T> cells;
    explicit Field(std::size_t n) : cells(n)
    {
        std::iota(cells.begin(), cells.end(), T(1));
    }
    template <typename F> void apply(F f)
    {
        for (auto &cell : cells)
            cell = f(cell);
    }
    __attribute__((noinline)) T norm() const
    {
        T sum{};
        for (const auto &cell : cells)
            sum += cell * cell;
        return sum;
    }
};
} // namespace grid

struct Base {
    virtual ~Base() = default;
    virtual double operator()(double x) const = 0;
};

struct Square final : Base {
    double operator()(double x) const override
    {
        return x * x + 1;
    }
};

__attribute__((noinline)) double call(const Base &base, double x)
{
    return base(x);
}

int main(int argc, char **)
{
    grid::Field<double> field(100 + argc);
    grid::Field<int> counts(10);
    Square square;
    field.apply([&](double x) { return call(square, x); });
    counts.apply([argc](int x) { return x * argc; });
    std::sort(field.cells.begin(), field.cells.end());
    std::printf("%g %d\n", field.norm(), counts.norm());
}
