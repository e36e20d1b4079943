/* SPDX-License-Identifier: Apache-2.0 */
/* Words that several lines of the execution log have (doc/execution-log.md). */
#include "exec/log.h"

#include "base/isa.h"

int etm_log_bad(struct etm_execution_reader *r, const struct etm_word *word,
                const char *what)
{
    return etm_reader_fail(r, "\"%.*s\" is %s", ETM_WORD_TEXT(word), what);
}

/* The letters after the colon of a place. */
static bool take_state(const struct etm_word *letters, struct etm_place *place)
{
    for (size_t i = 0; i < letters->n; i++) {
        switch (letters->text[i]) {
        case 'a':
            place->isa = ETM_ISA_ARM;
            break;
        case 't':
            place->isa = ETM_ISA_THUMB;
            break;
        case 'e':
            place->isa = ETM_ISA_THUMBEE;
            break;
        case 'j':
            place->isa = ETM_ISA_JAZELLE;
            break;
        case 's':
        case 'n':
            place->ns = letters->text[i] == 'n';
            place->hyp = false;
            break;
        case 'h':
            place->hyp = true;
            break;
        default:
            return false;
        }
    }
    return letters->n > 0;
}

int etm_log_place(struct etm_execution_reader *r, struct etm_word word,
                  struct etm_place *place)
{
    struct etm_word whole = word, letters;
    uint64_t address;

    if (etm_word_cut(&word, ':', &letters) && !take_state(&letters, place))
        return etm_log_bad(r, &whole,
                           "not a place: the state is made of a, t, e, j, "
                           "s, n, h");
    if (!etm_word_hex(&word, UINT32_MAX, &address))
        return etm_log_bad(r, &whole,
                           "not a place: its address is not a 32-bit number");
    if (!etm_isa_is_aligned((enum etm_isa)place->isa, (uint32_t)address))
        return etm_log_bad(r, &whole, "not aligned to its instruction set");
    place->address = (uint32_t)address;
    return ETM_OK;
}

int etm_log_cycles(struct etm_execution_reader *r, const struct etm_word *word,
                   struct etm_event *event)
{
    struct etm_word number = {word->text + 1, word->n - 1};

    if (event->kind == ETM_EVENT_TRACE_ON && etm_word_is(&number, "?"))
        event->cycles = ETM_CYCLES_UNKNOWN;
    else if (!etm_word_dec(&number, UINT64_MAX - 1, &event->cycles))
        return etm_log_bad(r, word, "not a number of cycles");
    return ETM_OK;
}

int etm_log_count(struct etm_execution_reader *r, const struct etm_word *value,
                  uint64_t most, const char *what, uint64_t *number)
{
    return etm_word_dec(value, most, number) ? ETM_OK
                                             : etm_log_bad(r, value, what);
}
