/*
 * What a key does: to what is shown, and to the session. No terminal is needed.
 */
#ifndef SCA_LIVE_KEYS_H
#define SCA_LIVE_KEYS_H

#include "follow/session.h"
#include "show/page.h"

enum sca_live_key { /* others are characters */
                    SCA_LIVE_UP = 256,
                    SCA_LIVE_DOWN,
                    SCA_LIVE_PAGE_UP,
                    SCA_LIVE_PAGE_DOWN,
                    SCA_LIVE_ENTER,
                    SCA_LIVE_BACKSPACE
};

struct sca_keyed {
    struct sca_shown shown;
    bool quit, asks; /* asks: a rank's number is being typed */
    char number[12];
    char message[512];
    bool since_mark;
    unsigned snapshots;
};

void sca_keys_begin(struct sca_keyed *keyed, const struct sca_session *session);
void sca_keys_press(struct sca_keyed *keyed, struct sca_session *session, int key);
/* Shown is what the session has now. */
void sca_keys_refresh(struct sca_keyed *keyed, const struct sca_session *session);

#endif
