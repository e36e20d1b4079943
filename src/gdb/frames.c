/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/frames.h"

/* Bytes of an exception frame (ARMv7-M ARM, B1.5.6), and where in it the link
 * register, the return address and xPSR are. Of xPSR the bits are set that are
 * known: T, and that the relative stack was aligned. GDB 13 takes T from bit 0
 * of the return address instead. */
#define EXCEPTION_FRAME 32u
#define EXCEPTION_LR 20u
#define EXCEPTION_PC 24u
#define EXCEPTION_XPSR 28u
#define XPSR_T 0x01000000u

void etm_gdb_frames_init(struct etm_gdb_frames *f)
{
    *f = (struct etm_gdb_frames){0};
    etm_vec_init(&f->words, sizeof(struct etm_gdb_word), &etm_allocator_malloc);
}

void etm_gdb_frames_fini(struct etm_gdb_frames *f)
{
    etm_vec_fini(&f->words);
}

static void set(struct etm_gdb_frames *f, unsigned reg, uint32_t value)
{
    f->registers[reg] = value;
    f->known = (uint16_t)(f->known | 1u << reg);
}

static void forget(struct etm_gdb_frames *f, unsigned reg)
{
    f->known = (uint16_t)(f->known & ~(1u << reg));
}

static bool is_known(const struct etm_gdb_frames *f, unsigned reg)
{
    return (f->known >> reg & 1u) != 0;
}

static int put(struct etm_gdb_frames *f, uint32_t address, uint32_t value,
               bool relative)
{
    const struct etm_gdb_word word = {address, value, relative};

    return etm_vec_append(&f->words, &word, 1);
}

/* Going up the stack, from the outermost frame to the innermost one. */
struct climb {
    struct etm_gdb_frames *frames;
    const struct etm_gdb_climb *how;
    const struct etm_calls *calls;
    const struct etm_frame *stack;
    size_t n;
    struct etm_gdb_now now;
};

/* Where the function of frame `i` goes on: its instruction, which of callers is
 * behind a call. */
static struct etm_gdb_now goes_on(const struct climb *c, size_t i, bool *known)
{
    const struct etm_frame *above;

    *known = true;
    if (i + 1 == c->n)
        return c->now;
    above = &c->stack[i + 1];
    *known = above->return_known;
    return (struct etm_gdb_now){above->return_address,
                                (enum etm_isa)above->return_isa};
}

static struct etm_gdb_shape shape_of(const struct climb *c, size_t i,
                                     struct etm_gdb_now at)
{
    const struct etm_frame *f = &c->stack[i];
    struct etm_gdb_shape shape, scanned = etm_gdb_shape_of_entry();
    /* a call may be the last instruction of its function */
    uint32_t address = i + 1 == c->n || etm_frame_is_exception(&c->stack[i + 1])
                           ? at.pc
                           : at.pc - 1;

    /* GDB looks for an epilogue only in the innermost frame, and for nothing
     * where it has no symbol */
    if (f->span != 0 &&
        (i + 1 != c->n ||
         !etm_gdb_shape_epilogue(&scanned, c->how->code, at.isa, at.pc)))
        etm_gdb_shape_scan(&scanned, c->how->code, at.isa, f->low, at.pc);
    if (!etm_gdb_program_shape(c->how->program, address, &shape))
        return scanned;
    if (shape.base != ETM_GDB_SP)
        shape.depth = scanned.depth;
    return shape;
}

static uint32_t with_state(const struct climb *c, uint32_t address, uint8_t isa)
{
    bool thumb = c->how->code->profile == ETM_PROFILE_M ||
                 isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE;

    return address | (thumb ? 1u : 0u);
}

/* A function whose CFA is the stack pointer; it becomes that of what it calls.
 */
static int climb_function(struct climb *c, size_t i)
{
    const struct etm_frame *f = &c->stack[i];
    struct etm_gdb_frames *to = c->frames;
    uint32_t cfa;
    bool known;
    struct etm_gdb_now at = goes_on(c, i, &known);
    struct etm_gdb_shape shape = etm_gdb_shape_of_entry();
    int status = ETM_OK;

    if (known)
        shape = shape_of(c, i, at);
    /* of a caller that is not known GDB must not look for anything */
    if (!f->return_known && !is_known(to, ETM_GDB_LR))
        set(to, ETM_GDB_SP, ETM_GDB_STACK_BASE);
    cfa = to->registers[ETM_GDB_SP];
    if (f->return_known && !etm_frame_is_exception(f))
        set(to, ETM_GDB_LR, with_state(c, f->return_address, f->return_isa));
    for (unsigned r = 0; r < ETM_GDB_PC && status == ETM_OK; r++) {
        if ((shape.saved >> r & 1u) == 0)
            continue;
        if (is_known(to, r))
            status = put(to, cfa + (uint32_t)shape.at[r], to->registers[r],
                         r != ETM_GDB_LR);
        forget(to, r); /* it is free for the function */
    }
    if (shape.base != ETM_GDB_SP)
        set(to, shape.base, cfa - (uint32_t)shape.offset);
    set(to, ETM_GDB_SP, cfa - shape.depth);
    to->saved_lr = (shape.saved >> ETM_GDB_LR & 1u) != 0;
    return status;
}

/* How far behind the preferred return address the link register of a handler
 * is in the A and R profiles (ARMv7-A ARM, table B1-7). False: it has none. */
static bool link_offset(const struct etm_frame *f, uint32_t *offset)
{
    bool thumb = f->return_isa == ETM_ISA_THUMB;

    switch ((enum etm_exception_type)f->type) {
    case ETM_EXCEPTION_SVC:
    case ETM_EXCEPTION_SMC:
        *offset = 0;
        return true;
    case ETM_EXCEPTION_UNDEFINED:
        *offset = thumb ? 2 : 4;
        return true;
    case ETM_EXCEPTION_PREFETCH_ABORT:
    case ETM_EXCEPTION_IRQ:
    case ETM_EXCEPTION_FIQ:
        *offset = 4;
        return true;
    case ETM_EXCEPTION_DATA_ABORT:
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
        *offset = 8;
        return true;
    case ETM_EXCEPTION_RESERVED:
    case ETM_EXCEPTION_RESET:
    case ETM_EXCEPTION_HVC:
    case ETM_EXCEPTION_NMI:
    case ETM_EXCEPTION_DEBUG_HALT:
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
    case ETM_EXCEPTION_GENERIC:
    case ETM_EXCEPTION_HYP_ENTRY:
    case ETM_EXCEPTION_HARD_FAULT:
    case ETM_EXCEPTION_MEM_MANAGE:
    case ETM_EXCEPTION_BUS_FAULT:
    case ETM_EXCEPTION_USAGE_FAULT:
    case ETM_EXCEPTION_DEBUG_MONITOR:
    case ETM_EXCEPTION_PEND_SV:
    case ETM_EXCEPTION_SYS_TICK:
    case ETM_EXCEPTION_IRQ_N:
    case ETM_EXCEPTION_THREAD:
    case ETM_EXCEPTION_SECURE_FAULT:
        break;
    }
    return false;
}

/*
 * A and R profiles: the link register of the handler's mode. If the interrupted
 * function still had its own return address in that of another mode, GDB, which
 * knows of one link register, would take it to be called by itself, without
 * end: then nothing is told.
 */
static void climb_mode(struct climb *c, size_t i)
{
    const struct etm_frame *f = &c->stack[i];
    bool saved = !is_known(c->frames, ETM_GDB_LR);
    uint32_t offset;

    if (saved && i > 0 && f->return_known && link_offset(f, &offset))
        set(c->frames, ETM_GDB_LR, f->return_address + offset);
    else
        forget(c->frames, ETM_GDB_LR);
}

/* The EXC_RETURN of an exception, or 0. A handler is on the main stack; what is
 * not under one is in Thread mode if the program begins there. */
static uint32_t link_of(const struct climb *c, size_t i)
{
    const struct etm_gdb_links *links = &c->how->links;
    uint32_t link = 0;
    size_t above = 0;
    bool nested = false, begins = false;

    for (size_t k = 0; k < c->n; k++) {
        bool exception = etm_frame_is_exception(&c->stack[k]);

        above += exception && k > i;
        nested = nested || (exception && k < i);
        begins = begins ||
                 (!exception && k < i && c->stack[k].span != 0 &&
                  etm_gdb_program_begins(c->how->program, c->stack[k].low));
    }
    if (links->seen)
        link = etm_gdb_exceptions_link(links->seen, above);
    if (link == 0)
        link = nested ? links->to_handler : links->to_thread;
    if (link == 0 && links->never.floats && nested)
        link = ETM_GDB_RETURN_TO_HANDLER;
    else if (link == 0 && links->never.floats && links->never.selects_stack &&
             begins)
        link = ETM_GDB_RETURN_TO_MAIN;
    return link;
}

/* M profile: what the processor saves, and the link register that it sets. */
static int climb_exception(struct climb *c, size_t i)
{
    const struct etm_frame *f = &c->stack[i];
    struct etm_gdb_frames *to = c->frames;
    uint32_t sp = to->registers[ETM_GDB_SP] - EXCEPTION_FRAME;
    uint32_t link = i > 0 && f->return_known ? link_of(c, i) : 0;
    int status = ETM_OK;

    if (is_known(to, ETM_GDB_LR))
        status = put(to, sp + EXCEPTION_LR, to->registers[ETM_GDB_LR], false);
    if (status == ETM_OK && f->return_known)
        status = put(to, sp + EXCEPTION_PC, f->return_address | 1u, false);
    if (status == ETM_OK && f->return_known)
        status = put(to, sp + EXCEPTION_XPSR, XPSR_T, false);
    set(to, ETM_GDB_SP, sp);
    to->cut = i > 0 && f->return_known && link == 0;
    if (link != 0)
        set(to, ETM_GDB_LR, link);
    else
        forget(to, ETM_GDB_LR);
    return status;
}

/* One frame further in. */
static int climb(struct climb *c, size_t i)
{
    if (!etm_frame_is_exception(&c->stack[i]))
        return climb_function(c, i);
    if (c->how->code->profile == ETM_PROFILE_M)
        return climb_exception(c, i);
    climb_mode(c, i);
    return ETM_OK;
}

int etm_gdb_frames_of(struct etm_gdb_frames *frames,
                      const struct etm_gdb_climb *how,
                      const struct etm_calls *calls, uint32_t task,
                      struct etm_gdb_now now)
{
    const struct etm_vec *stack = &calls->tasks[task].frames;
    struct climb c = {.frames = frames,
                      .how = how,
                      .calls = calls,
                      .stack = stack->data,
                      .n = stack->n,
                      .now = now};
    int status = ETM_OK;

    frames->known = 0;
    frames->saved_lr = frames->cut = false;
    frames->words.n = 0;
    set(frames, ETM_GDB_SP, ETM_GDB_STACK_BASE);
    for (size_t i = 0; i < c.n && status == ETM_OK; i++) {
        status = climb(&c, i);
        /* behind a call that is not in the trace, nothing is */
        if (i + 1 < c.n && !etm_frame_is_exception(&c.stack[i]) &&
            !etm_frame_is_exception(&c.stack[i + 1]) &&
            !c.stack[i + 1].return_known)
            forget(frames, ETM_GDB_LR);
    }
    set(frames, ETM_GDB_PC, now.pc);
    return status;
}

static void move(struct etm_gdb_frames *f, uint32_t distance)
{
    struct etm_gdb_word *words = f->words.data;

    for (size_t i = 0; i < f->words.n; i++) {
        words[i].address += distance;
        if (words[i].relative)
            words[i].value += distance;
    }
    for (unsigned r = 0; r < ETM_GDB_LR; r++)
        f->registers[r] += distance; /* all that is known is of the stack */
}

void etm_gdb_frames_know(struct etm_gdb_frames *f,
                         const struct etm_gdb_registers *known)
{
    static const uint8_t of_stack[] = {ETM_GDB_SP, ETM_GDB_R11, ETM_GDB_R7};

    bool rootless = !f->saved_lr && !is_known(f, ETM_GDB_LR) &&
                    !etm_gdb_knows(known, ETM_GDB_LR);

    for (size_t i = 0; i < sizeof of_stack && !rootless; i++) {
        unsigned r = of_stack[i];

        if (!is_known(f, r) || !etm_gdb_knows(known, r))
            continue;
        move(f, known->value[r] - f->registers[r]);
        break;
    }
    for (unsigned r = 0; r < ETM_GDB_PC; r++)
        if (etm_gdb_knows(known, r) && !(rootless && r == ETM_GDB_SP))
            set(f, r, known->value[r]);
}

bool etm_gdb_frames_byte(const struct etm_gdb_frames *f, uint32_t address,
                         uint8_t *byte)
{
    /* the frames further in are nearer to what is asked for */
    for (size_t i = f->words.n; i > 0; i--) {
        const struct etm_gdb_word *w =
            (const struct etm_gdb_word *)f->words.data + i - 1;

        if (address - w->address < 4) {
            *byte = (uint8_t)(w->value >> 8 * (address - w->address));
            return true;
        }
    }
    return false;
}
