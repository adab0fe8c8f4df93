/*
 * The parallel task activity graph of the largest run as GraphML (http://graphml.graphdrawing.org),
 * for yEd, networkx, igraph and Gephi: ranks with the same graph are one class. Nodes are
 * activities, edges computation, ways through loops, requests, and messages between classes.
 * `colour` goes from blue to red with the share of the class's time, as in A. Sikora et al., 2016.
 */
#ifndef SCA_DETECT_GRAPHML_H
#define SCA_DETECT_GRAPHML_H

#include "graph/ppg.h"

/* SCA_EIO, SCA_ENOMEM; an earlier file then stays. */
int sca_graphml_write(const struct sca_ppg *ppg, const char *path);

#endif
