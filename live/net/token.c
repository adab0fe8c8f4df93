#include "net/token.h"
#include "sca_cache_folder.h"
#include "sca_error.h"
#include "sca_words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int sca_token_make(struct sca_token *out)
{
    if (getrandom(out->bytes, sizeof out->bytes, 0) == (ssize_t)sizeof out->bytes)
        return SCA_OK;
    return sca_fail(SCA_EIO, "no random bytes: %s", strerror(errno));
}

int sca_token_send(const struct sca_token *token, int fd)
{
    char text[SCA_TOKEN_TEXT + 1];
    for (size_t i = 0; i < sizeof token->bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", token->bytes[i]);
    text[SCA_TOKEN_TEXT - 1] = '\n';
    ssize_t put = write(fd, text, SCA_TOKEN_TEXT);
    memset(text, 0, sizeof text);
    return put == SCA_TOKEN_TEXT ? SCA_OK : SCA_EIO;
}

char *sca_token_keep(const struct sca_token *token)
{
    char folder[4000];
    if (!sca_cache_folder("live", folder, sizeof folder)) {
        sca_fail(SCA_EIO, "no place for the token: neither HOME nor XDG_CACHE_HOME is a folder");
        return NULL;
    }
    sca_cache_make_folder(folder);
    char *path = sca_words_format("%s/token-XXXXXX", folder);
    int fd = mkostemp(path, O_CLOEXEC); /* 0600 */
    int status = fd < 0 ? SCA_EIO : sca_token_send(token, fd);
    if (fd >= 0)
        close(fd);
    if (status == SCA_OK)
        return path;
    sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        unlink(path);
    free(path);
    return NULL;
}

static int check_owner(const char *path, int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077))
        return sca_fail(SCA_EINVAL, "%s: not a file of yours that nobody else can read (mode 0600)",
                        path);
    return SCA_OK;
}

static int read_text(const char *path, int fd, char text[SCA_TOKEN_TEXT])
{
    size_t n = 0;
    while (n < SCA_TOKEN_TEXT) {
        ssize_t got = read(fd, text + n, SCA_TOKEN_TEXT - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return sca_fail(SCA_EFORMAT, "%s: no token of scalana live in it", path);
        n += (size_t)got;
    }
    return SCA_OK;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int parse(const char *path, const char text[SCA_TOKEN_TEXT], struct sca_token *out)
{
    for (size_t i = 0; i < sizeof out->bytes; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return sca_fail(SCA_EFORMAT, "%s: no token of scalana live in it", path);
        out->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return SCA_OK;
}

int sca_token_read(const char *path, struct sca_token *out)
{
    char text[SCA_TOKEN_TEXT];
    bool input = !strcmp(path, "-");
    int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
    int status = input ? SCA_OK : check_owner(path, fd);
    if (status == SCA_OK)
        status = read_text(path, fd, text);
    if (status == SCA_OK)
        status = parse(path, text, out);
    if (!input)
        close(fd);
    return status;
}
