/* SPDX-License-Identifier: Apache-2.0 */
/* Run when the project is configured: does Unicorn report all loads on this
 * host? Version 2.0.1 does only on x86. */
#include <unicorn/unicorn.h>

static void note(uc_engine *uc, uc_mem_type type, uint64_t address, int size,
                 int64_t value, void *user)
{
    (void)uc;
    (void)type;
    (void)size;
    (void)value;
    *(int *)user += address == 0x2000;
}

int main(void)
{
    /* ldr r0, [r1], twice: the first one brings the page. The hooks are those
     * of hooks.c. */
    static const uint8_t code[] = {0x00, 0x00, 0x91, 0xe5,
                                   0x00, 0x00, 0x91, 0xe5};
    uint32_t address = 0x2000;
    uc_engine *uc;
    uc_hook hook;
    int loads = 0;

    if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &uc) != UC_ERR_OK ||
        uc_mem_map(uc, 0x1000, 0x2000, UC_PROT_ALL) != UC_ERR_OK ||
        uc_mem_write(uc, 0x1000, code, sizeof code) != UC_ERR_OK ||
        uc_reg_write(uc, UC_ARM_REG_R1, &address) != UC_ERR_OK ||
        uc_hook_add(uc, &hook, UC_HOOK_MEM_READ_AFTER, note, &loads, 1, 0) !=
            UC_ERR_OK ||
        uc_hook_add(uc, &hook, UC_HOOK_MEM_WRITE, note, &loads, 1, 0) !=
            UC_ERR_OK ||
        uc_emu_start(uc, 0x1000, 0x1008, 0, 0) != UC_ERR_OK)
        return 2;
    return loads == 2 ? 0 : 1;
}
