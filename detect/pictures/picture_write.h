/*
 * Pictures in the formats that other tools read: Graphviz' dot, GraphML
 * (http://graphml.graphdrawing.org), with yEd's figures, and SVG. They are arranged before
 * (sca_picture_arrange).
 */
#ifndef SCA_DETECT_PICTURE_WRITE_H
#define SCA_DETECT_PICTURE_WRITE_H

#include "pictures/picture.h"

#include <stdio.h>

enum { SCA_MOST_DRAWN = 4096 }; /* nodes of dot and SVG: more nobody can look at */

void sca_picture_put_dot_file(FILE *out, const struct sca_picture *p);
void sca_picture_put_graphml(FILE *out, const struct sca_picture *p);
/* An <svg> element without style sheets. `alone`: a document of its own, with a white ground. */
void sca_picture_put_svg(FILE *out, const struct sca_picture *p, bool alone);

#endif
