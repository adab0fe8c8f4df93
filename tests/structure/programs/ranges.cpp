// Loops over containers, in templates, lambdas and algorithms.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

double total(const std::vector<double> &v)
{
    double sum = 0;
    for (double x : v)
        sum += x * 0.5;
    return sum;
}

long pairs(const std::map<std::string, std::vector<int>> &m)
{
    long sum = 0;
    for (const auto &[name, values] : m) {
        sum += static_cast<long>(name.size());
        for (int value : values)
            sum += value;
    }
    return sum;
}

template <typename T, int Width> struct Grid {
    std::vector<T> cells;
    explicit Grid(int rows) : cells(static_cast<std::size_t>(rows) * Width)
    {
    }
    void smooth()
    {
        int rows = static_cast<int>(cells.size()) / Width;
        for (int i = 1; i < rows - 1; i++)
            for (int j = 0; j < Width; j++)
                cells[i * Width + j] =
                    (cells[(i - 1) * Width + j] + cells[(i + 1) * Width + j]) / 2;
    }
    template <typename F> void each(F &&f)
    {
        for (auto &cell : cells)
            f(cell);
    }
};

int with_lambda(std::vector<int> &v, int limit)
{
    int over = 0;
    auto count = [&](int from) {
        for (std::size_t i = from; i < v.size(); i++)
            if (v[i] > limit)
                over++;
    };
    count(0);
    count(static_cast<int>(v.size()) / 2);
    return over;
}

int algorithms(std::vector<int> &v)
{
    std::sort(v.begin(), v.end(), [](int a, int b) { return a % 10 < b % 10; });
    int sum = std::accumulate(v.begin(), v.end(), 0);
    std::for_each(v.begin(), v.end(), [&](int &x) { x = x * 2 + sum; });
    return static_cast<int>(std::count_if(v.begin(), v.end(), [](int x) { return x % 3 == 0; }));
}

int by_iterator(const std::map<std::string, std::vector<int>> &m)
{
    int found = 0;
    for (auto it = m.begin(); it != m.end(); ++it)
        if (it->second.size() > 2)
            found++;
    return found;
}

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Square : Shape {
    double side = 1;
    double area() const override
    {
        return side * side;
    }
};
struct Ragged : Shape {
    std::vector<double> parts;
    double area() const override
    {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < parts.size(); i++)
            sum += parts[i] * parts[i + 1];
        return sum;
    }
};

double areas(const std::vector<Shape *> &shapes)
{
    double sum = 0;
    for (const Shape *shape : shapes)
        sum += shape->area();
    return sum;
}

int main(int argc, char **)
{
    std::vector<double> v(100, argc);
    std::vector<int> w(100);
    std::iota(w.begin(), w.end(), argc);
    std::map<std::string, std::vector<int>> m{{"a", {1, 2, 3}}, {"b", {4}}};
    Grid<double, 5> grid(argc + 20);
    Grid<float, 7> other(argc + 20);
    grid.smooth();
    other.smooth();
    grid.each([](double &x) { x += 1; });
    other.each([&](float &x) { x += static_cast<float>(argc); });
    Square square;
    Ragged ragged;
    ragged.parts = v;
    std::printf("%g %ld %d %d %d %g\n", total(v), pairs(m), with_lambda(w, 50), algorithms(w),
                by_iterator(m), areas({&square, &ragged}) + grid.cells[7] + other.cells[9]);
    return 0;
}
