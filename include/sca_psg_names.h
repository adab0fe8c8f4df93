/*
 * By which names a binary shows that it was compiled with scalana-static.
 */
#ifndef SCA_PSG_NAMES_H
#define SCA_PSG_NAMES_H

#define SCA_PSG_SECTION ".scalana.psg"
/* In DW_AT_producer, followed by 16 hex digits of the unit hash. */
#define SCA_PRODUCER_PREFIX "scalana:"

#endif
