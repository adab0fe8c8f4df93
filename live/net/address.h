/*
 * Where somebody listens, and how to get there. Addresses are numbers: "10.0.0.7:41234",
 * "[fe80::1%eth0]:41234"; no name is looked up.
 */
#ifndef SCA_LIVE_ADDRESS_H
#define SCA_LIVE_ADDRESS_H

#include <stdint.h>

/* A socket that listens on all interfaces; *port 0 becomes a free one. SCA_EIO is -1. */
int sca_address_listen(uint16_t *port);
/* Who knocks, or -1. */
int sca_address_accept(int listener);
/* "A:port,B:port": all addresses of this host, those that other hosts may reach first, in memory of
 * the caller's. */
char *sca_address_list(uint16_t port);
/* Connected to the first of such a list that answers in time; -1 with a message. */
int sca_address_connect(const char *list, int timeout_ms);
/* "10.0.0.7" and a port. Memory of the caller's. */
char *sca_address_join(const char *host, uint16_t port);

#endif
