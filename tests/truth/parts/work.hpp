// What C++ programs have instead of plain arithmetic in plain loops. The ways `operator`, `lambda`,
// `algorithm`, `parallel` and `functor`.
#ifndef WORK_HPP
#define WORK_HPP

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace work
{

struct Real {
    double value;
};

inline Real operator*(Real a, double b)
{
    return {a.value * b};
}

inline Real operator+(Real a, double b)
{
    return {a.value + b};
}

// Goes through numbers as other iterators do through elements.
class Count
{
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = long;
    using difference_type = std::ptrdiff_t;
    using pointer = const long *;
    using reference = const long &;

    explicit Count(long at) : at(at)
    {
    }
    reference operator*() const
    {
        return at;
    }
    Count &operator++()
    {
        ++at;
        return *this;
    }
    bool operator==(const Count &other) const
    {
        return at == other.at;
    }
    bool operator!=(const Count &other) const
    {
        return at != other.at;
    }

  private:
    long at;
};

template <class Body> void parallel_for(long first, long end, Body body)
{
    for (long i = first; i < end; i++)
        body(i);
}

struct Flop {
    double &x;
    double a, b;

    void operator()(long) const
    {
        x = x * a + b;
    }
};

} // namespace work

#endif
