#include "library/plain_numbers.h"

void sca_plain_numbers_begin(struct sca_plain_numbers *numbers)
{
    locale_t now = uselocale((locale_t)0), copy = duplocale(now);
    numbers->plain = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : (locale_t)0;
    if (copy && !numbers->plain)
        freelocale(copy);
    numbers->before = numbers->plain ? uselocale(numbers->plain) : (locale_t)0;
}

void sca_plain_numbers_end(struct sca_plain_numbers *numbers)
{
    if (!numbers->plain)
        return;
    uselocale(numbers->before);
    freelocale(numbers->plain);
}
