/*
 * Programs for the runtime's tests. Every message has a size no other message of its sender has,
 * so that the size tells which message it is: what the checker joins can be judged.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <mpi.h>

enum { MOST = 1 << 16 };

extern int me, size;

int fresh(void);           /* bytes of the next message */
char *buffer(void);        /* another one with each call, of MOST bytes */
unsigned dice(unsigned n); /* 0 .. n - 1, differs between ranks */
void pause_a_little(void);

typedef void (*scenario)(void);

void ring(void);
void halo(void);
void many_tags(void);
void master(void);
void mixed(void);
void persistent(void);
void mprobe(void);
void testsome(void);
void waitany(void);
void self(void);
void cancel(void);
void proc_null(void);
void comms(void);
void intercomm(void);
void steps(void);
void marathon(void);
void near(void);
void odd(void);
void failed(void);
void isendrecv(void);
void paused(void);

#endif
