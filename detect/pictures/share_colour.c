#include "pictures/share_colour.h"

#include <math.h>
#include <stdio.h>

struct colour {
    int red, green, blue;
};

/* Along the edges of the colour cube: blue, cyan, green, yellow, red. The root spreads the small
 * shares, of which there are most. */
static struct colour colour_of(double share)
{
    double hue = 4 * (1 - sqrt(fmin(fmax(share, 0), 1))), part = hue - floor(hue);
    int sector = (int)hue, up = (int)lround(255 * part), down = 255 - up;
    return (struct colour){.red = sector == 0   ? 255
                                  : sector == 1 ? down
                                                : 0,
                           .green = sector == 0  ? up
                                    : sector < 3 ? 255
                                    : sector < 4 ? down
                                                 : 0,
                           .blue = sector == 2   ? up
                                   : sector >= 3 ? 255
                                                 : 0};
}

const char *sca_share_colour(char out[8], double share)
{
    struct colour c = colour_of(isnan(share) ? 0 : share);
    snprintf(out, 8, "#%02x%02x%02x", c.red & 0xff, c.green & 0xff, c.blue & 0xff);
    return out;
}

/* Luma of ITU-R BT.601. */
bool sca_share_colour_is_light(double share)
{
    struct colour c = colour_of(isnan(share) ? 0 : share);
    return 299 * c.red + 587 * c.green + 114 * c.blue > 128000;
}
