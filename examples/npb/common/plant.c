/* Which defect is planted, on which rank, and how much of it. The defects
 * themselves are loops in the kernels, where a user's own would be. */
#include "npb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double amount; /* default, in percent */
} kinds[] = {
    [NPB_PLANT_NONE] = {"none", 0},
    [NPB_PLANT_DELAY] = {"delay", 25},
    [NPB_PLANT_BOUNDARY] = {"boundary", 10},
    [NPB_PLANT_SEARCH] = {"search", 50},
    [NPB_PLANT_MEMORY] = {"memory", 10},
    [NPB_PLANT_SERIAL] = {"serial", 10},
    [NPB_PLANT_UNDIVIDED] = {"undivided", 10},
};

const char *npb_plant_name(enum npb_plant_kind kind)
{
    return kinds[kind].name;
}

static enum npb_plant_kind find_kind(const char *name, size_t length)
{
    for (int kind = NPB_PLANT_DELAY; kind <= NPB_PLANT_UNDIVIDED; kind++)
        if (strlen(kinds[kind].name) == length && !memcmp(kinds[kind].name, name, length))
            return kind;
    return NPB_PLANT_NONE;
}

/* An empty field keeps the default: "delay::50" is 50 % on the usual rank. */
static const char *parse_rank(struct npb_plant *plant, const char **text)
{
    char *end;
    long rank = strtol(*text, &end, 10);

    if (end != *text) {
        if (rank < 0 || rank > 0x7fffff)
            return "the rank is out of range";
        plant->rank = (int)rank;
    }
    if (*end && *end != ':')
        return "the rank is not a number";
    *text = end;
    return NULL;
}

static const char *parse_amount(struct npb_plant *plant, const char *text)
{
    char *end;
    double amount = strtod(text, &end);

    if (end == text || *end)
        return "the amount is not a number";
    if (!(amount > 0 && amount <= 1e6))
        return "the amount is not between 0 and 1000000 percent";
    plant->amount = amount;
    return NULL;
}

const char *npb_plant_parse(struct npb_plant *plant, const char *text)
{
    size_t length = strcspn(text, ":");

    plant->kind = find_kind(text, length);
    plant->rank = NPB_KIND_DECIDES;
    plant->amount = kinds[plant->kind].amount;
    if (plant->kind == NPB_PLANT_NONE)
        return "the kinds are delay, boundary, search, memory, serial and undivided";
    text += length;
    if (*text == ':') {
        text++;
        const char *wrong = parse_rank(plant, &text);
        if (wrong)
            return wrong;
    }
    return *text == ':' ? parse_amount(plant, text + 1) : NULL;
}

bool npb_plant_here(const struct npb_run *run, enum npb_plant_kind kind, bool by_kind)
{
    if (run->plant.kind != kind)
        return false;
    return run->plant.rank == NPB_KIND_DECIDES ? by_kind : run->plant.rank == run->rank;
}

long npb_plant_share(const struct npb_run *run, double units)
{
    return lround(units * run->plant.amount / 100);
}
