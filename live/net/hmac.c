#include "net/hmac.h"

#include <sha2.h>
#include <string.h>

enum { BLOCK = SHA256_BLOCK_LENGTH };

static void begin(SHA2_CTX *c, const uint8_t key[SCA_HMAC_BYTES], uint8_t pad)
{
    uint8_t block[BLOCK];
    memset(block, pad, sizeof block);
    for (size_t i = 0; i < SCA_HMAC_BYTES; i++)
        block[i] ^= key[i];
    SHA256Init(c);
    SHA256Update(c, block, sizeof block);
}

void sca_hmac(const uint8_t key[SCA_HMAC_BYTES], const struct sca_hmac_part *parts, size_t n,
              uint8_t out[SCA_HMAC_BYTES])
{
    SHA2_CTX c;
    begin(&c, key, 0x36);
    for (size_t i = 0; i < n; i++)
        SHA256Update(&c, parts[i].bytes, parts[i].length);
    SHA256Final(out, &c);
    begin(&c, key, 0x5c);
    SHA256Update(&c, out, SCA_HMAC_BYTES);
    SHA256Final(out, &c);
}

bool sca_hmac_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    volatile uint8_t differ = 0;
    for (size_t i = 0; i < n; i++)
        differ = differ | (a[i] ^ b[i]);
    return !differ;
}
