/* Included into every file before its first line. The library is loaded into the Python of the user's
   system, whose C library may be older than the one with which this library was built. glibc 2.34 moved
   these functions into libc.so.6 under a new version; under their first version every glibc for this
   architecture has them. */
#pragma once

#include <features.h>

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__LP64__)
__asm__(".symver dladdr, dladdr@GLIBC_2.2.5\n"
        ".symver dlopen, dlopen@GLIBC_2.2.5\n"
        ".symver dlsym, dlsym@GLIBC_2.2.5\n"
        ".symver pthread_once, pthread_once@GLIBC_2.2.5\n");
#endif
