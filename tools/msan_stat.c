/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stat() and its like for `make check-msan`: clang 14 knows them by the names that
 * they had before glibc 2.33, and takes what they write for uninitialized. This
 * file is compiled without the sanitizer and linked with --wrap.
 */
#define _FILE_OFFSET_BITS 64

#include <sys/stat.h>

/* weak: Meson also links programs without the sanitizer, to try the compiler */
void __msan_unpoison(const volatile void *at, unsigned long n)
    __attribute__((weak));

#define WRAP(name, file)                                                       \
    int __real_##name(file, struct stat *info);                                \
    int __wrap_##name(file, struct stat *info);                                \
    int __wrap_##name(file, struct stat *info)                                 \
    {                                                                          \
        int status = __real_##name(at, info);                                  \
                                                                               \
        if (status == 0 && __msan_unpoison)                                    \
            __msan_unpoison(info, sizeof *info);                               \
        return status;                                                         \
    }

WRAP(stat64, const char *at)
WRAP(lstat64, const char *at)
WRAP(fstat64, int at)
