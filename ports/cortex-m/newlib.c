// SPDX-License-Identifier: Apache-2.0
// newlib: the few system calls behind printf and malloc, for the tests and the examples. A cell
// needs none of them.
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "port.h"

extern char port_heap_begin[], port_heap_end[];

void *_sbrk(ptrdiff_t more);
int _write(int file, const char *bytes, int count);
int _read(int file, char *bytes, int count);
int _close(int file);
int _lseek(int file, int offset, int from);
int _fstat(int file, struct stat *about);
int _isatty(int file);
int _kill(int process, int signal);
int _getpid(void);
void _exit(int code);

void *_sbrk(ptrdiff_t more)
{
    static char *end = port_heap_begin;
    if (more > port_heap_end - end) {
        errno = ENOMEM;
        return (void *)-1;
    }
    end += more;
    return end - more;
}

int _write(int file, const char *bytes, int count)
{
    char text[65];
    (void)file;
    for (int done = 0, part; done < count; done += part) {
        part = count - done < 64 ? count - done : 64;
        memcpy(text, bytes + done, (size_t)part);
        text[part] = 0;
        port_print(text);
    }
    return count;
}

int _read(int file, char *bytes, int count)
{
    (void)file, (void)bytes, (void)count;
    return 0;
}

int _close(int file)
{
    (void)file;
    return 0;
}

int _lseek(int file, int offset, int from)
{
    (void)file, (void)offset, (void)from;
    return 0;
}

int _fstat(int file, struct stat *about)
{
    (void)file;
    about->st_mode = S_IFCHR;
    return 0;
}

int _isatty(int file)
{
    (void)file;
    return 1;
}

int _kill(int process, int signal)
{
    (void)process, (void)signal;
    port_exit(4); // abort
    return -1;
}

int _getpid(void)
{
    return 1;
}

void _exit(int code)
{
    port_exit(code);
    for (;;)
        ;
}
