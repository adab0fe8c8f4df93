// Its rows are divided among ranks.
#pragma once
#include <vector>
namespace heat
{
class Field
{
  public:
    Field(int rank, int size, int n);
    void relax();
    void react();
    void exchange();
    double norm() const;

  private:
    int rank_, size_, n_, extra_;
    std::vector<double> now_, next_;
};
} // namespace heat
