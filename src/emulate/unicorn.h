/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of Unicorn, which is loaded when a program is to be run.
 * Otherwise every command would have to wait for it: loading it takes longer
 * than everything else before a command begins.
 */
#ifndef ETM_EMULATE_UNICORN_H
#define ETM_EMULATE_UNICORN_H

#include <etm/types.h>

#include <unicorn/unicorn.h>

/* X(name): uc_name */
#define ETM_UNICORN_LIST(X)                                                    \
    X(open)                                                                    \
    X(close)                                                                   \
    X(ctl)                                                                     \
    X(strerror)                                                                \
    X(mem_map_ptr)                                                             \
    X(hook_add)                                                                \
    X(reg_read)                                                                \
    X(reg_write)                                                               \
    X(emu_start)                                                               \
    X(emu_stop)                                                                \
    X(context_alloc)                                                           \
    X(context_free)                                                            \
    X(context_save)                                                            \
    X(context_size)

struct etm_unicorn {
    uc_err (*open)(uc_arch arch, uc_mode mode, uc_engine **uc);
    uc_err (*close)(uc_engine *uc);
    uc_err (*ctl)(uc_engine *uc, uc_control_type control, ...);
    const char *(*strerror)(uc_err code);
    uc_err (*mem_map_ptr)(uc_engine *uc, uint64_t address, size_t size,
                          uint32_t perms, void *ptr);
    uc_err (*hook_add)(uc_engine *uc, uc_hook *hook, int type, void *callback,
                       void *user, uint64_t begin, uint64_t end, ...);
    uc_err (*reg_read)(uc_engine *uc, int regid, void *value);
    uc_err (*reg_write)(uc_engine *uc, int regid, const void *value);
    uc_err (*emu_start)(uc_engine *uc, uint64_t begin, uint64_t until,
                        uint64_t timeout, size_t count);
    uc_err (*emu_stop)(uc_engine *uc);
    uc_err (*context_alloc)(uc_engine *uc, uc_context **context);
    uc_err (*context_free)(uc_context *context);
    uc_err (*context_save)(uc_engine *uc, uc_context *context);
    size_t (*context_size)(uc_engine *uc);
};

/* Load it; it stays loaded. ETM_ERR_UNSUPPORTED: it is not there. */
int etm_unicorn_load(struct etm_unicorn *unicorn, struct etm_diag *diag);

#endif
