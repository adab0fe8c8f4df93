// The graph takes under a tenth of an object with line tables alone (-g1), where templates make
// hundreds of small functions with long names; and the object as a whole does not swell.
// RUN: scalana-static mpicxx -O2 -c %s -o with.o && OMPI_CXX=clang++ mpicxx -O2 -g1 -c %s -o plain.o
// RUN: size=$(readelf -SW with.o | sed -n 's/.*\.scalana\.psg *PROGBITS *0* [0-9a-f]* \([0-9a-f]*\) .*/\1/p'); echo "graph $((0x$size)) of $(wc -c < plain.o), whole $(wc -c < with.o)" | tee /dev/stderr; test $((0x$size * 10)) -lt $(wc -c < plain.o)
// RUN: test $(wc -c < with.o) -lt $(($(wc -c < plain.o) * 6 / 5))
// RUN: test $(scalana-static --dump=json with.o | grep -o '"linkage"' | wc -l) -gt 300
#include <algorithm>
#include <functional>
#include <map>
#include <mpi.h>
#include <numeric>
#include <string>
#include <vector>

template <int Width, class Number> class Table
{
  public:
    using Row = std::vector<Number>;
    explicit Table(int rows) : rows(rows, Row(Width)), filter([rows](Number x) { return x + rows; })
    {
    }
    void fill()
    {
        for (size_t i = 0; i < rows.size(); i++)
            for (int j = 0; j < Width; j++)
                rows[i][j] = filter(Number(i ^ j));
    }
    template <class Change> void each(Change change)
    {
        std::for_each(rows.begin(), rows.end(), [&](Row &row) {
            std::transform(row.begin(), row.end(), row.begin(), change);
        });
    }
    double sum()
    {
        std::sort(rows.begin(), rows.end());
        double mine = 0, all;
        for (const Row &row : rows)
            mine = std::accumulate(row.begin(), row.end(), mine);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return all;
    }

  private:
    std::vector<Row> rows;
    std::function<Number(Number)> filter;
};

template <int Width, class Number> double work(std::map<std::string, Number> &results)
{
    Table<Width, Number> table(10);
    table.fill();
    table.each([](Number x) { return x * 3; });
    results[std::to_string(Width)] = Number(table.sum());
    return double(results.begin()->second);
}

template <class Number> double all()
{
    std::map<std::string, Number> results;
    return work<2, Number>(results) + work<3, Number>(results) + work<4, Number>(results);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double x = all<double>() + all<float>() + all<long>();
    MPI_Finalize();
    return x < 0;
}
