#include "subjects.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
volatile long sink;

struct Guard {
    ~Guard()
    {
        probe(); /* runs while the exception is on its way, too */
    }
};

struct Shape {
    virtual ~Shape() = default;
    virtual long area(int n)
    {
        probe();
        return n;
    }
};

struct Square : Shape {
    __attribute__((noinline)) long area(int n) override
    {
        return Shape::area(n) * n;
    }
};

__attribute__((noinline)) void thrower(int n)
{
    Guard guard;
    std::string text(static_cast<size_t>(n + 20), 'x');
    if (n <= 0)
        throw std::runtime_error(text);
    thrower(n - 1);
    sink = sink + static_cast<long>(text.size());
}

__attribute__((noinline)) void rethrower(int n)
{
    try {
        thrower(n);
    } catch (const std::exception &) {
        probe();
        throw;
    }
}

template <class F> __attribute__((noinline)) long apply(F f, int n)
{
    return f(n) + 1;
}
} // namespace

extern "C" void subject_cxx(int n)
{
    try {
        rethrower(n);
    } catch (const std::exception &e) {
        probe();
        sink = sink + static_cast<long>(std::string(e.what()).size());
    }
    std::vector<int> values{3, 1, 2};
    std::sort(values.begin(), values.end(), [](int a, int b) {
        probe();
        return a < b;
    });
    Square square;
    Shape *shape = &square;
    std::function<long(int)> f = [shape](int x) { return shape->area(x); };
    sink = sink + apply(f, n);
}
