#include "sca_error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[512];

int sca_error(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return code;
}

const char *sca_error_message(void)
{
    return message;
}
