// clang-format off: lines are those of the recording (refine.tar.xz)
#include <mpi.h>
#include <vector>
#include <cmath>
#include <numeric>
struct Field {
  std::vector<double> v;
  explicit Field(size_t n) : v(n, 1.0) {}
  void relax(int sweeps) {
    for (int s = 0; s < sweeps; s++)
      for (size_t i = 1; i + 1 < v.size(); i++)
        v[i] = 0.25 * (v[i - 1] + 2 * v[i] + v[i + 1]);
  }
  double norm() const { return std::inner_product(v.begin(), v.end(), v.begin(), 0.0); }
};
class Solver {
  Field f{20000};
  int rank, size;
 public:
  Solver() { MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size); }
  void refine_cells(int step) {
    if (step >= 300 && (rank == 2 || rank == 5))
      f.relax(60);
  }
  void exchange() {
    int l = (rank + size - 1) % size, r = (rank + 1) % size;
    double in, out = f.v[1];
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, l, 1, &in, 1, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    f.v.back() = in;
  }
  void checkpoint() {
    f.relax(80);
    double x = f.norm(), y[2] = {x, x}, z[2];
    for (int k = 0; k < 6; k++) {
      MPI_Allreduce(y, z, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      f.relax(5);
    }
  }
  void step(int n) {
    f.relax(40);
    refine_cells(n);
    exchange();
    double x = f.norm(), s;
    MPI_Allreduce(&x, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (n % 25 == 24) checkpoint();
  }
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Solver s;
  for (int n = 0; n < 600; n++) s.step(n);
  MPI_Finalize();
}
