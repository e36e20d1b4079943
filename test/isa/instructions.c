/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the scenarios of a folder: instructions, and what is known of each
 * (test/README.md). */
#include "../support/case_words.h"
#include "isa/insn.h"

#include <etm/setup.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum etm_isa isa;
static enum etm_profile profile;
static uint32_t address;

/* "arm", "thumb", "thumbee" or "jazelle", then "m" or "at=ADDRESS"; false: the
 * word is none of these. */
static bool state(struct words *w)
{
    enum etm_isa named = ETM_ISA_ARM;

    while (named <= ETM_ISA_JAZELLE &&
           strcmp(w->word[0], etm_isa_name(named)) != 0)
        named++;
    if (named > ETM_ISA_JAZELLE)
        return false;
    isa = named;
    profile = ETM_PROFILE_A;
    address = 0x8000;
    for (unsigned i = 1; i < w->n; i++)
        if (strcmp(w->word[i], "m") == 0)
            profile = ETM_PROFILE_M;
        else if (strncmp(w->word[i], "at=", 3) == 0)
            address = (uint32_t)strtoul(w->word[i] + 3, NULL, 16);
        else
            return wrong("not understood: %s", w->word[i]);
    return true;
}

/* Digits as they stand in an opcode, or in Jazelle state in memory; the bytes
 * in memory are as many. A dot separates digits. */
static size_t bytes_of(const char *digits, uint8_t *bytes, size_t most)
{
    char two[3] = "";
    size_t n = 0;

    for (const char *c = digits; *c != 0 && n < most; c++) {
        if (*c == '.')
            continue;
        two[two[0] != 0] = *c;
        if (two[1] == 0)
            continue;
        bytes[n++] = (uint8_t)strtoul(two, NULL, 16);
        memset(two, 0, sizeof two);
    }
    /* halfwords of Thumb and words of ARM are little-endian */
    for (size_t unit = isa == ETM_ISA_ARM ? 4 : 2, i = 0;
         isa != ETM_ISA_JAZELLE && i + unit <= n; i += unit)
        for (size_t k = 0; k < unit / 2; k++) {
            uint8_t byte = bytes[i + k];

            bytes[i + k] = bytes[i + unit - 1 - k];
            bytes[i + unit - 1 - k] = byte;
        }
    return n;
}

static void add_transfers(struct scenario_text *t,
                          const struct etm_transfers *of)
{
    static const char *const kinds[] = {
        "",      "",       " single", " double", " coprocessor",
        " cprt", " table", " unfixed"};
    static const char *const directions[] = {"", " load", " store", " swap"};

    if (of->kind == (isa == ETM_ISA_JAZELLE ? ETM_TRANSFER_OTHER : 0) &&
        of->count == 0)
        return;
    text_add(t, "%s%s %u*%u", kinds[of->kind], directions[of->direction],
             of->count, of->size);
    if (of->base != ETM_NO_REGISTER)
        text_add(t, " base=%u", of->base);
    if (of->first != ETM_NO_REGISTER)
        text_add(t, " first=%u", of->first);
    if (of->second != ETM_NO_REGISTER)
        text_add(t, " second=%u", of->second);
    if (of->registers != 0)
        text_add(t, " list=%x", of->registers);
    text_add(t, "%s%s%s%s", of->multiple ? " multiple" : "",
             of->exclusive ? " exclusive" : "",
             of->sign_extend ? " signed" : "", of->pc ? " pc" : "");
}

/* Whatever is known of it, in words. */
static void add_insn(struct scenario_text *t, const struct etm_insn *i)
{
    static const char *const barriers[] = {"", " isb", " dsb", " dmb",
                                           " same_state"};
    static const char *const traps[] = {"",     " svc",  " smc",
                                        " hvc", " bkpt", " udf"};
    static const char *const flags[] = {" link", " return", " conditional",
                                        " exception"};

    if (isa == ETM_ISA_JAZELLE)
        text_add(t, " size=%u", i->size);
    if (i->size == 0) {
        text_add(t, " none");
        return;
    }
    if (i->type != ETM_INSN_TYPE_OTHER)
        text_add(t, " %s", etm_insn_type_name((enum etm_insn_type)i->type));
    text_add(t, "%s%s", barriers[i->barrier], traps[i->trap]);
    if (i->target_isa != ETM_ISA_UNKNOWN)
        text_add(t, " %" PRIx32, i->target);
    if (i->target_isa != ETM_ISA_UNKNOWN && i->target_isa != isa)
        text_add(t, " %s", etm_isa_name((enum etm_isa)i->target_isa));
    for (unsigned bit = 0; bit < 4; bit++)
        text_add(t, "%s", i->flags >> bit & 1 ? flags[bit] : "");
    if (i->condition != 14)
        text_add(t, " condition=%x", i->condition);
    if (i->it != 0)
        text_add(t, " it=%02x", i->it);
    if (i->undefined != (i->trap == ETM_TRAP_UDF))
        text_add(t, " undefined=%u", i->undefined);
    add_transfers(t, &i->transfers);
    if (t->n == 0)
        text_add(t, " other");
}

/* OPCODE [TEXT ...] | WORD ...: what is known of it. */
static bool row(const struct line *l, const struct words *w)
{
    struct scenario_text given = {NULL, 0, 0};
    uint8_t bytes[24] = {0};
    size_t n = bytes_of(w->word[0], bytes, sizeof bytes);
    struct etm_insn insn;
    unsigned i = 0;

    while (i < w->n && strcmp(w->word[i], "|") != 0)
        i++;
    if (i == w->n || n == 0)
        return wrong("OPCODE [TEXT ...] | WORD ...");
    cases.n_expected++;
    etm_insn_decode(&insn, isa, profile, address, bytes, n);
    add_insn(&given, &insn);
    return all_words(w, i + 1, &given, strcspn(l->text, "|") + 1);
}

static bool line(const struct line *l)
{
    static char text[4096];
    static struct words w;

    if (!substitute(l->text, text, sizeof text) || !cut(text, &w))
        return false;
    return state(&w) || (!cases.failed && row(l, &w));
}

int main(int argc, char **argv)
{
    static const struct case_room room = {.ending = ".scn", .line = line};

    return cases_main(argc, argv, &room);
}
