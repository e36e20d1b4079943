/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a text says about registers: by name, or by their address. Texts often
 * access other blocks, too, such as a TPIU; so all blocks are counted the first
 * time, and one is chosen.
 */
#include "setup/read.h"

#include "base/diag.h"
#include "base/plain.h"
#include "model/dwt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where M-profile processors have their macrocell. */
#define FRAME_M UINT32_C(0xe0041000)

/* ETMDEVTYPE (3.5.31). */
#define TRACE_SOURCE 0x13

/* Other blocks of M-profile processors: ITM, DWT, breakpoints, the system
 * control space, TPIU, and what chips have beside the macrocell. */
static bool is_other_m(uint32_t base)
{
    return base >> 16 == 0xe000 || base == UINT32_C(0xe0040000) ||
           (base >= UINT32_C(0xe0042000) && base < UINT32_C(0xe0100000));
}

/* A word, cut if it is long, and without what a terminal would interpret. */
static void say_word(struct etm_diag *diag, struct etm_span word)
{
    char text[48];
    size_t n = word.n < sizeof text - 4 ? word.n : sizeof text - 4;

    memcpy(text, word.at, n);
    text[n] = '\0';
    etm_make_plain(text, "");
    etm_diag_text(diag, text);
    etm_diag_text(diag, n < word.n ? "..." : "");
}

enum etm_read_result etm_read_wrong(struct etm_reader *r, const char *what,
                                    struct etm_span word)
{
    (void)etm_diag_begin(r->diag, ETM_ERR_FORMAT, NULL);
    etm_diag_text(r->diag, what);
    if (word.n != 0) {
        etm_diag_text(r->diag, ": ");
        say_word(r->diag, word);
    }
    r->diag->line = r->line;
    return ETM_READ_WRONG;
}

static void forget_vague(struct etm_reader *r, uint32_t number)
{
    for (size_t i = 0; i < r->n_vague; i++)
        if (r->vague[i].number == number)
            r->vague[i--] = r->vague[--r->n_vague];
}

static void add_vague(struct etm_reader *r, uint32_t number,
                      const struct etm_value *value)
{
    struct etm_read_vague *v;
    size_t n = value->word.n;

    forget_vague(r, number);
    if (r->n_vague == ETM_READ_VAGUE)
        return;
    v = &r->vague[r->n_vague++];
    *v = (struct etm_read_vague){number, value->known, r->line, ""};
    n = n < sizeof v->word ? n : sizeof v->word - 1;
    if (n != 0)
        memcpy(v->word, value->word.at, n);
}

/* Whether reading the register gives its value. Others read as nothing useful,
 * or have side effects. */
static bool is_read(uint32_t number)
{
    return etm_register_name(number) != NULL && number != ETM_REG_LAR &&
           number != ETM_REG_OSLAR && number != ETM_REG_OSSRR;
}

enum etm_read_result etm_read_register(struct etm_reader *r, uint32_t number,
                                       struct etm_value value,
                                       enum etm_read_way source)
{
    bool beside = etm_register_beside(number);

    if (!etm_setup_known(number))
        return etm_read_wrong(r, "register numbers are 0 to 0x3ff",
                              (struct etm_span){0});
    /* Of a register beside the macrocell, the bits that are set count. */
    if (beside && value.known == ETM_READ_UNKNOWN)
        value.known = ETM_READ_KNOWN;
    /* Locks and the like belong to the procedure of a script. */
    if (!beside &&
        ((source == ETM_READ_WRITTEN && !etm_setup_programmable(number)) ||
         (source == ETM_READ_LISTED && !is_read(number))))
        return ETM_READ_TAKEN;
    if (value.known != ETM_READ_KNOWN)
        add_vague(r, number, &value);
    else
        forget_vague(r, number);
    if (etm_setup_set(r->setup, number,
                      value.known == ETM_READ_KNOWN ? value.number : 0) !=
        ETM_OK)
        return etm_read_wrong(r, "more registers than a setup can hold",
                              (struct etm_span){0});
    return ETM_READ_TAKEN;
}

/* Is it the value of ETMIDR: of Arm, major version 3 or later of ETMv3 or PFT
 * (3.5.18)? */
static bool is_idr(uint32_t value)
{
    return value >> 24 == 0x41 && (value >> 8 & 0xe) == 2;
}

static void count_frame(struct etm_reader *r, uint32_t address,
                        const struct etm_value *value)
{
    uint32_t base = address & ~(ETM_READ_FRAME - 1);
    uint32_t number = address % ETM_READ_FRAME / 4, v;
    struct etm_read_frame *f = r->frames;

    while (f < r->frames + r->n_frames && f->base != base)
        f++;
    if (f == r->frames + ETM_READ_FRAMES)
        return;
    if (f == r->frames + r->n_frames)
        r->frames[r->n_frames++] = (struct etm_read_frame){.base = base};
    v = value->known == ETM_READ_KNOWN ? value->number : 0;
    f->sum = (f->sum ^ number) * 16777619u;
    f->sum = (f->sum ^ v) * 16777619u;
    if (number == ETM_REG_CR && (v & ETM_CR_PROGRAMMING) != 0)
        f->control = true;
    if (number == ETM_REG_TRIGGER || number == ETM_REG_TEEVR ||
        number == ETM_REG_TECR1 || number == ETM_REG_TRACEIDR)
        f->programs = true;
    if (number == ETM_REG_IDR && is_idr(v))
        f->identified = true;
    if (number == ETM_REG_DEVTYPE && value->known == ETM_READ_KNOWN) {
        f->identified = v == TRACE_SOURCE;
        f->other = v != TRACE_SOURCE;
    }
}

enum etm_read_result etm_read_access(struct etm_reader *r, uint32_t address,
                                     struct etm_value value,
                                     enum etm_read_way source)
{
    r->accesses++;
    if (r->survey) {
        count_frame(r, address, &value);
        return ETM_READ_TAKEN;
    }
    if (etm_register_beside(address) && etm_setup_known(address))
        return etm_read_register(r, address, value, source);
    if (address / ETM_READ_FRAME * ETM_READ_FRAME != r->frame) {
        r->elsewhere++;
        r->other = address;
        return ETM_READ_TAKEN;
    }
    if (address % 4 != 0)
        return etm_read_wrong(r, "the address is not a multiple of 4",
                              (struct etm_span){0});
    return etm_read_register(r, address % ETM_READ_FRAME / 4, value, source);
}

enum etm_read_result etm_read_place(struct etm_reader *r,
                                    struct etm_value place,
                                    struct etm_value value,
                                    enum etm_read_way source)
{
    size_t n = place.word.n < sizeof r->nowhere_at ? place.word.n
                                                   : sizeof r->nowhere_at - 1;

    if (place.known != ETM_READ_KNOWN) {
        r->nowhere++;
        if (n != 0 && r->nowhere_at[0] == '\0')
            memcpy(r->nowhere_at, place.word.at, n);
        return ETM_READ_TAKEN;
    }
    return place.place == ETM_READ_AT_REGISTER
               ? etm_read_register(r, place.number, value, source)
               : etm_read_access(r, place.number, value, source);
}

struct etm_value etm_read_stored(const struct etm_reader *r,
                                 struct etm_value place)
{
    struct etm_value value = {.known = ETM_READ_UNKNOWN, .word = place.word};
    uint32_t number = place.number;

    if (place.known != ETM_READ_KNOWN)
        return value;
    if (place.place == ETM_READ_AT_MEMORY &&
        !(etm_register_beside(number) && etm_setup_known(number))) {
        if (number / ETM_READ_FRAME * ETM_READ_FRAME != r->frame)
            return value;
        number = number % ETM_READ_FRAME / 4;
    }
    for (size_t i = 0; i < r->n_vague; i++)
        if (r->vague[i].number == number)
            return value;
    if (etm_setup_get(r->setup, number, &value.number) == ETM_OK)
        value.known = ETM_READ_KNOWN;
    return value;
}

/* How much a block looks like a macrocell. */
static unsigned likeness(const struct etm_read_frame *f)
{
    if (f->base == FRAME_M)
        return 4;
    if (f->identified || (f->control && f->programs))
        return 3;
    if (f->other || is_other_m(f->base))
        return 0;
    return f->programs ? 2 : 1;
}

enum etm_read_result etm_read_choose(struct etm_reader *r)
{
    const struct etm_read_frame *best = NULL, *second = NULL;

    r->frame = ETM_READ_NO_FRAME;
    for (size_t i = 0; i < r->n_frames; i++) {
        const struct etm_read_frame *f = &r->frames[i];

        if (likeness(f) == 0 || (best && likeness(f) < likeness(best)))
            continue;
        if (!best || likeness(f) > likeness(best))
            second = NULL;
        else if (f->sum != best->sum)
            second = f;
        if (!best || likeness(f) > likeness(best))
            best = f;
    }
    if (best)
        r->frame = best->base;
    if (!second)
        return ETM_READ_TAKEN;
    (void)etm_diag_begin(r->diag, ETM_ERR_FORMAT, NULL);
    etm_diag_text(r->diag, "there are several blocks that may be the "
                           "macrocell, at ");
    etm_diag_hex(r->diag, best->base);
    etm_diag_text(r->diag, " and ");
    etm_diag_hex(r->diag, second->base);
    etm_diag_text(r->diag, ": leave one of them");
    return ETM_READ_WRONG;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
note(struct etm_reader *r, const char *format, ...)
{
    struct etm_notes *notes = r->about ? &r->about->notes : NULL;
    struct etm_setup_text out;
    va_list arguments;

    if (!notes || notes->n == sizeof notes->text / sizeof *notes->text)
        return;
    out = (struct etm_setup_text){notes->text[notes->n],
                                  sizeof notes->text[notes->n], 0};
    va_start(arguments, format);
    (void)vsnprintf(out.text, out.capacity, format, arguments);
    va_end(arguments);
    notes->n++;
}

static void remove_register(struct etm_setup *setup, uint32_t number)
{
    size_t to = 0;

    for (size_t i = 0; i < setup->n; i++)
        if (setup->values[i].number != number)
            setup->values[to++] = setup->values[i];
    setup->n = to;
}

static enum etm_read_result refuse_vague(struct etm_reader *r,
                                         const struct etm_read_vague *v)
{
    struct etm_span word = {v->word, strlen(v->word)};

    r->line = v->line;
    if (v->known == ETM_READ_AMBIGUOUS)
        return etm_read_wrong(r,
                              "a number that may be octal, decimal or "
                              "hexadecimal; write 0x before it if it is that",
                              word);
    return etm_read_wrong(
        r, "the value is not a 32-bit number that is known here", word);
}

enum etm_read_result etm_read_finish(struct etm_reader *r)
{
    for (size_t i = 0; i < r->n_vague; i++) {
        const struct etm_read_vague *v = &r->vague[i];
        const char *name = etm_register_name(v->number);

        if (v->known != ETM_READ_UNKNOWN)
            return refuse_vague(r, v);
        remove_register(r->setup, v->number);
        note(r, "%s is not known: line %lu does not say which value it gets",
             name ? name : "a register", (unsigned long)v->line);
    }
    if (r->devices_elsewhere)
        note(r, "other devices than %s are passed over", r->device);
    if (r->elsewhere != 0)
        note(r,
             "%lu access%s to other addresses %s passed over, such as 0x%08x",
             (unsigned long)r->elsewhere, r->elsewhere == 1 ? "" : "es",
             r->elsewhere == 1 ? "is" : "are", (unsigned)r->other);
    if (r->nowhere != 0 && r->nowhere_at[0] != '\0')
        note(r,
             "%lu access%s to what is not known as the macrocell %s passed "
             "over, such as %s",
             (unsigned long)r->nowhere, r->nowhere == 1 ? "" : "es",
             r->nowhere == 1 ? "is" : "are", r->nowhere_at);
    if (r->setup->n != 0)
        return ETM_READ_TAKEN;
    r->line = ETM_DIAG_NONE;
    return etm_read_wrong(
        r, "no register in it",
        (struct etm_span){r->nowhere_at, strlen(r->nowhere_at)});
}
