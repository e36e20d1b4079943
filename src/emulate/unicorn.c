/* SPDX-License-Identifier: Apache-2.0 */
#include "emulate/unicorn.h"

#include "input/text.h"

#include <dlfcn.h>

/* The library with the interface of the header. */
#if UC_API_MAJOR != 2
#error "this needs Unicorn 2"
#endif
#if defined(__APPLE__)
#define LIBRARY "libunicorn.2.dylib"
#else
#define LIBRARY "libunicorn.so.2"
#endif

/* What is declared here is what the header declares. */
#define ETM_UNICORN_CHECK(name)                                                \
    _Static_assert(sizeof(((struct etm_unicorn *)0)->name == &uc_##name) != 0, \
                   #name);
ETM_UNICORN_LIST(ETM_UNICORN_CHECK)
#undef ETM_UNICORN_CHECK

static int fail(struct etm_diag *diag)
{
    const char *why = dlerror();

    return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, "emulator", ETM_DIAG_NONE,
                         "Unicorn cannot be loaded: %s",
                         why != NULL ? why : LIBRARY);
}

/* A function of the library. POSIX has them in void pointers (dlsym()). */
static bool find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

int etm_unicorn_load(struct etm_unicorn *unicorn, struct etm_diag *diag)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        return fail(diag);
#define ETM_UNICORN_FIND(name)                                                 \
    if (!find(library, "uc_" #name, &unicorn->name))                           \
        return fail(diag);
    ETM_UNICORN_LIST(ETM_UNICORN_FIND)
#undef ETM_UNICORN_FIND
    return ETM_OK;
}
