// Exceptions that leave loops, or are caught within them.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

int parse(const std::string &text)
{
    if (text.empty())
        throw std::invalid_argument("empty");
    int value = 0;
    for (char c : text) {
        if (c < '0' || c > '9')
            throw std::out_of_range(text);
        value = value * 10 + (c - '0');
    }
    return value;
}

int caught_inside(const std::vector<std::string> &texts)
{
    int sum = 0;
    for (const auto &text : texts) {
        try {
            sum += parse(text);
        } catch (const std::out_of_range &) {
            sum -= 1;
            for (char c : text)
                sum += c == 'x';
        }
    }
    return sum;
}

int caught_outside(const std::vector<std::string> &texts)
{
    int sum = 0;
    try {
        for (std::size_t i = 0; i < texts.size(); i++)
            sum += parse(texts[i]);
    } catch (const std::exception &) {
        return -sum;
    }
    return sum;
}

struct Logged {
    int depth;
    explicit Logged(int d) : depth(d)
    {
        std::printf("in %d\n", d);
    }
    ~Logged()
    {
        for (int i = 0; i < depth; i++)
            std::putchar(' ');
        std::puts("out");
    }
};

int cleaned_up(const std::vector<std::string> &texts)
{
    int sum = 0;
    for (const auto &text : texts) {
        Logged logged(sum);
        sum += parse(text);
    }
    return sum;
}

int tried_again(const std::string &text)
{
    for (int attempt = 0;; attempt++) {
        try {
            return parse(text.substr(attempt));
        } catch (const std::out_of_range &) {
            if (attempt > 3)
                throw;
        }
    }
}

int main(int argc, char **argv)
{
    std::vector<std::string> texts(argv, argv + argc);
    texts.push_back("12");
    std::printf("%d %d\n", caught_inside(texts), caught_outside(texts));
    std::printf("%d %d\n", cleaned_up({"1", "2"}), tried_again("x12"));
    return 0;
}
