/* SPDX-License-Identifier: Apache-2.0 */
#include "input/libarchive.h"

#include "input/text.h"

#include <dlfcn.h>

/* The library with the interface of the header. */
#if defined(__APPLE__)
#define LIBRARY "libarchive.13.dylib"
#else
#define LIBRARY "libarchive.so.13"
#endif

/* What is declared here is what the header declares. */
#define CHECK(type, name, arguments)                                           \
    _Static_assert(sizeof(((struct etm_libarchive *)0)->name == &name) != 0,   \
                   #name);
ETM_LIBARCHIVE_LIST(CHECK)

static int fail(const char *path, struct etm_diag *diag)
{
    const char *why = dlerror();

    return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, path, ETM_DIAG_NONE,
                         "a session of sigrok, and libarchive cannot be "
                         "loaded (%s): use 'sigrok-cli -i FILE -O vcd |' with "
                         "- as the capture",
                         why != NULL ? why : LIBRARY);
}

/* A function of the library. POSIX has them in void pointers (dlsym()). */
static bool find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

int etm_libarchive_load(struct etm_libarchive *l, const char *path,
                        struct etm_diag *diag)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        return fail(path, diag);
#define FIND(type, name, arguments)                                            \
    if (!find(library, #name, &l->name))                                       \
        return fail(path, diag);
    ETM_LIBARCHIVE_LIST(FIND)
    return ETM_OK;
}
