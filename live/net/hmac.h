/*
 * Who wrote this: HMAC (RFC 2104) with SHA-256 (FIPS 180-4), of a key that both sides have.
 */
#ifndef SCA_LIVE_HMAC_H
#define SCA_LIVE_HMAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCA_HMAC_BYTES = 32 };

struct sca_hmac_part {
    const void *bytes;
    size_t length;
};

/* Of the parts one behind the other. */
void sca_hmac(const uint8_t key[SCA_HMAC_BYTES], const struct sca_hmac_part *parts, size_t n,
              uint8_t out[SCA_HMAC_BYTES]);
/* In a time that does not tell where they differ. */
bool sca_hmac_equal(const uint8_t *a, const uint8_t *b, size_t n);

#endif
