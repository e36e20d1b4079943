/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The debugger's side of semihosting ("Semihosting for AArch32 and AArch64"): a
 * console, and the end of the program. The only files are the console and the
 * one with the features; time is the count of cycles at 100 MHz.
 */
#include "emulate/machine.h"

#include <string.h>

enum {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITEC = 0x03,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_READC = 0x07,
    SYS_ISERROR = 0x08,
    SYS_ISTTY = 0x09,
    SYS_SEEK = 0x0a,
    SYS_FLEN = 0x0c,
    SYS_CLOCK = 0x10,
    SYS_TIME = 0x11,
    SYS_ERRNO = 0x13,
    SYS_GET_CMDLINE = 0x15,
    SYS_HEAPINFO = 0x16,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    SYS_ELAPSED = 0x30,
    SYS_TICKFREQ = 0x31
};

#define FREQUENCY 100000000u
#define FAILED 0xffffffffu
#define APPLICATION_EXIT 0x20026u /* ADP_Stopped_ApplicationExit */
#define STACK_ROOM 0x10000u

/* Handles. Errors and output go the same way. */
#define HANDLE_INPUT 1u
#define HANDLE_OUTPUT 2u
#define HANDLE_FEATURES 3u

/* SYS_EXIT_EXTENDED, and output apart from errors. */
static const uint8_t features[5] = {'S', 'H', 'F', 'B', 3};

static uint32_t word_at(const struct etm_emulator *e, uint32_t address)
{
    uint32_t value = 0;

    etm_machine_read32(e, address, &value);
    return value;
}

static void print(struct etm_emulator *e, uint32_t address, uint32_t n)
{
    const char *text = (const char *)etm_machine_memory(e, address, n);

    if (n != 0 && text != NULL && e->output != NULL)
        e->output(e->context, text, n);
}

static void print_string(struct etm_emulator *e, uint32_t address)
{
    uint32_t n = 0;
    const uint8_t *p = etm_machine_memory(e, address, 1);

    while (p != NULL && *p != 0) {
        n++;
        p = etm_machine_memory(e, address + n, 1);
    }
    print(e, address, n);
}

/* Name, mode, length of the name. */
static uint32_t open_file(struct etm_emulator *e, uint32_t block)
{
    uint32_t n = word_at(e, block + 8), mode = word_at(e, block + 4);
    const uint8_t *name = etm_machine_memory(e, word_at(e, block), n);

    if (name == NULL)
        return FAILED;
    if (n == 3 && memcmp(name, ":tt", 3) == 0)
        return mode < 4 ? HANDLE_INPUT : HANDLE_OUTPUT;
    if (n == 22 && memcmp(name, ":semihosting-features", 21) == 0)
        n--;
    if (n == 21 && memcmp(name, ":semihosting-features", 21) == 0) {
        e->features_at = 0;
        return HANDLE_FEATURES;
    }
    return FAILED;
}

/* Handle, buffer, length; returns how many bytes were not read. */
static uint32_t read_file(struct etm_emulator *e, uint32_t block)
{
    uint32_t n = word_at(e, block + 8), left = n;
    uint32_t buffer = word_at(e, block + 4);

    if (word_at(e, block) != HANDLE_FEATURES)
        return n;
    while (left != 0 && e->features_at < sizeof features) {
        uint8_t *p = etm_machine_memory(e, buffer + (n - left), 1);

        if (p == NULL)
            break;
        *p = features[e->features_at++];
        left--;
    }
    return left;
}

/* Buffer and its length, which becomes that of the text. */
static uint32_t command_line(struct etm_emulator *e, uint32_t block)
{
    uint32_t n = (uint32_t)strlen(e->command_line);
    uint8_t *p = etm_machine_memory(e, word_at(e, block), n + 1);

    if (p == NULL || n + 1 > word_at(e, block + 4))
        return FAILED;
    memcpy(p, e->command_line, n + 1);
    etm_machine_write32(e, block + 4, n);
    return 0;
}

/*
 * Heap base and limit, stack base and limit. The heap begins after the last
 * segment below the stack, and ends where there is room for the stack.
 */
static uint32_t heap_info(struct etm_emulator *e, uint32_t block)
{
    uint32_t at = word_at(e, block), base = 0, limit, floor = 0;
    const struct etm_memory *s = e->segments.data, *m = e->memory.data;

    for (size_t i = 0; i < e->memory.n; i++) {
        if (e->stack - 1 >= m[i].base && e->stack - 1 <= m[i].last)
            floor = m[i].base;
    }
    base = floor;
    for (size_t i = 0; i < e->segments.n; i++) {
        if (s[i].base >= floor && s[i].last < e->stack)
            base = (s[i].last + 8) & ~7u;
    }
    if (base > e->stack) /* there is no room for either */
        base = e->stack & ~7u;
    limit = e->stack - base > 2 * STACK_ROOM ? e->stack - STACK_ROOM
                                             : base + (e->stack - base) / 2;
    etm_machine_write32(e, at, base);
    etm_machine_write32(e, at + 4, limit & ~7u);
    etm_machine_write32(e, at + 8, e->stack & ~7u);
    etm_machine_write32(e, at + 12, limit & ~7u);
    return 0;
}

static void leave(struct etm_emulator *e, uint32_t reason, uint32_t status)
{
    e->result.exit_status = reason == APPLICATION_EXIT ? status : 1;
    etm_machine_end(e, ETM_RUN_END_EXIT, e->at);
}

static uint32_t elapsed(struct etm_emulator *e, uint32_t block)
{
    etm_machine_write32(e, block, (uint32_t)e->result.cycles);
    etm_machine_write32(e, block + 4, (uint32_t)(e->result.cycles >> 32));
    return 0;
}

static uint32_t console(struct etm_emulator *e, uint32_t operation,
                        uint32_t parameter)
{
    uint32_t handle = word_at(e, parameter);

    switch (operation) {
    case SYS_OPEN:
        return open_file(e, parameter);
    case SYS_WRITEC:
        print(e, parameter, 1);
        return 0;
    case SYS_WRITE0:
        print_string(e, parameter);
        return 0;
    case SYS_WRITE:
        if (handle != HANDLE_OUTPUT)
            return word_at(e, parameter + 8);
        print(e, word_at(e, parameter + 4), word_at(e, parameter + 8));
        return 0;
    case SYS_READ:
        return read_file(e, parameter);
    case SYS_ISTTY:
        return handle == HANDLE_INPUT || handle == HANDLE_OUTPUT;
    case SYS_SEEK:
        if (handle != HANDLE_FEATURES)
            return FAILED;
        e->features_at = word_at(e, parameter + 4);
        return 0;
    case SYS_FLEN:
        return handle == HANDLE_FEATURES ? (uint32_t)sizeof features : 0;
    default:
        return FAILED; /* READC: no input; operations on files: there are
                          none */
    }
}

static uint32_t call(struct etm_emulator *e, uint32_t operation,
                     uint32_t parameter)
{
    switch (operation) {
    case SYS_CLOSE:
    case SYS_ERRNO:
        return 0;
    case SYS_ISERROR:
        return (word_at(e, parameter) >> 31) != 0;
    case SYS_CLOCK:
        etm_machine_repeat_forget(e);
        return (uint32_t)(e->result.cycles / (FREQUENCY / 100));
    case SYS_TIME:
        etm_machine_repeat_forget(e);
        return (uint32_t)(e->result.cycles / FREQUENCY);
    case SYS_GET_CMDLINE:
        return command_line(e, parameter);
    case SYS_HEAPINFO:
        return heap_info(e, parameter);
    case SYS_EXIT:
        leave(e, parameter, 0);
        return 0;
    case SYS_EXIT_EXTENDED:
        leave(e, word_at(e, parameter), word_at(e, parameter + 4));
        return 0;
    case SYS_ELAPSED:
        etm_machine_repeat_forget(e);
        return elapsed(e, parameter);
    case SYS_TICKFREQ:
        return FREQUENCY;
    default:
        return console(e, operation, parameter);
    }
}

void etm_machine_semihost(struct etm_emulator *e)
{
    uint32_t operation = etm_machine_get(e, UC_ARM_REG_R0);
    uint32_t parameter = etm_machine_get(e, UC_ARM_REG_R1);
    uint32_t result = call(e, operation, parameter);

    if (!e->done)
        etm_machine_set(e, UC_ARM_REG_R0, result);
}
