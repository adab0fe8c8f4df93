/*
 * Where things stand in a picture: a lane for each group, a column for each place of the program,
 * so that what several groups do stands one above the other. Coordinates are pixels.
 */
#ifndef SCA_DETECT_PICTURE_LAYOUT_H
#define SCA_DETECT_PICTURE_LAYOUT_H

#include "pictures/picture.h"

struct sca_picture_lane {
    double y;            /* of its nodes' middles */
    double above, below; /* how far arcs reach */
};

struct sca_picture_layout {
    double left, head, width, height; /* head: the room of the columns' names */
    struct sca_picture_lane *lanes;   /* [group]; in the picture's workspace */
};

enum { SCA_PICTURE_COLUMN = 50, SCA_PICTURE_NODE = 36, SCA_PICTURE_HALF = 14 };

/* The picture is arranged. */
void sca_picture_lay_out(const struct sca_picture *p, struct sca_picture_layout *out);
double sca_picture_x(const struct sca_picture_layout *at, const struct sca_picture_node *n);
double sca_picture_y(const struct sca_picture_layout *at, uint32_t group);
/* How an edge within a group is drawn: 0 straight, else how far the arc reaches, < 0: above. */
double sca_picture_bend(const struct sca_picture *p, const struct sca_picture_edge *e);

#endif
