#include "stats/two_groups.h"

struct sca_two_groups sca_two_groups_find(const double *x, uint32_t n)
{
    struct sca_two_groups out = {0};
    double total = 0, squares = 0, left = 0, best = -1;
    for (uint32_t i = 0; i < n; i++)
        total += x[i];
    for (uint32_t i = 0; i < n; i++)
        squares += (x[i] - total / n) * (x[i] - total / n);
    for (uint32_t cut = 1; cut < n; cut++) {
        left += x[cut - 1];
        double right = total - left;
        double between = left * left / cut + right * right / (n - cut);
        if (between <= best)
            continue;
        best = between;
        out = (struct sca_two_groups){cut, left / cut, right / (n - cut), 0};
    }
    double apart = out.upper - out.lower;
    if (squares > 0)
        out.explained = apart * apart * out.cut * (n - out.cut) / n / squares;
    return out;
}
