/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the execution log (doc/execution-log.md). */
#include "exec/log.h"

#include "base/number.h"

#include <string.h>

/* "=value" of a transfer: a number, or ?TAG if it comes later. */
static int take_value(struct etm_execution_reader *r,
                      const struct etm_word *whole,
                      const struct etm_word *value, struct etm_event *event)
{
    uint64_t most = event->u.data.size >= 8
                        ? UINT64_MAX
                        : (UINT64_C(1) << 8 * event->u.data.size) - 1;
    uint64_t tag;

    if (value->n == 2 && value->text[0] == '?') {
        struct etm_word digit = {value->text + 1, 1};

        if (!etm_word_dec(&digit, 4, &tag) || tag == 0)
            return etm_log_bad(r, whole, "not a transfer: tags are 1 to 4");
        event->u.data.tag = (uint8_t)tag;
        return ETM_OK;
    }
    if (!etm_word_hex(value, most, &event->u.data.value))
        return etm_log_bad(r, whole, "not a transfer: the value does not fit");
    return ETM_OK;
}

/* "w4:9000=1": the size may be followed by b (big-endian), f (filtered), x (did
 * not store), and +N, cycles. */
static int take_kind(struct etm_execution_reader *r,
                     const struct etm_word *whole, struct etm_word word,
                     struct etm_event *event)
{
    struct etm_word cycles;
    bool fine = word.n >= 2 && strchr("1248", word.text[1]) != NULL;

    if (etm_word_cut(&word, '+', &cycles) &&
        !etm_word_dec(&cycles, UINT64_MAX - 1, &event->cycles))
        return etm_log_bad(r, whole,
                           "not a transfer: no number of cycles after the +");
    if (!fine || word.n < 2)
        return etm_log_bad(r, whole, "not a transfer: sizes are 1, 2, 4 and 8");
    event->u.data.store = word.text[0] == 'w';
    event->u.data.size = (uint8_t)(word.text[1] - '0');
    for (size_t i = 2; i < word.n; i++) {
        event->u.data.big_endian |= word.text[i] == 'b';
        event->u.data.filtered |= word.text[i] == 'f';
        event->u.data.failed |= word.text[i] == 'x';
        if (strchr("bfx", word.text[i]) == NULL)
            return etm_log_bad(r, whole,
                               "not a transfer: b, f and x may follow the "
                               "size");
    }
    return ETM_OK;
}

static int take_transfer(struct etm_execution_reader *r, struct etm_word word,
                         struct etm_event *event)
{
    struct etm_word whole = word, value, address;
    uint64_t number;
    int status;

    if (!etm_word_cut(&word, '=', &value) ||
        !etm_word_cut(&word, ':', &address))
        return etm_log_bad(r, &whole, "not understood here");
    status = take_kind(r, &whole, word, event);
    if (status != ETM_OK)
        return status;
    if (!etm_word_hex(&address, UINT32_MAX, &number))
        return etm_log_bad(
            r, &whole, "not a transfer: the address is not a 32-bit number");
    event->u.data.address = (uint32_t)number;
    return take_value(r, &whole, &value, event);
}

static bool is_transfer(const struct etm_word *word)
{
    return word->n > 2 && (word->text[0] == 'r' || word->text[0] == 'w') &&
           word->text[1] >= '0' && word->text[1] <= '9';
}

/* One transfer; a doubleword is two, of which the lower address comes first,
 * with the high word in big-endian data (4.9.2). */
static int add_transfer(struct etm_execution_reader *r,
                        const struct etm_word *word,
                        const struct etm_event *event)
{
    struct etm_event first = *event, second;
    uint64_t high = event->u.data.value >> 32;
    uint64_t low = event->u.data.value & UINT32_MAX;
    int status;

    r->data.seen++;
    r->report.transfers++;
    if (event->u.data.size != 8)
        return etm_pending_add(r, &first);
    if (event->u.data.tag != 0)
        return etm_log_bad(r, word,
                           "not a transfer: one of 8 bytes whose value is "
                           "still to come is written as two of 4");
    r->data.seen++;
    r->report.transfers++;
    first.u.data.size = 4;
    first.u.data.value = event->u.data.big_endian ? high : low;
    second = first;
    second.cycles = 0;
    second.u.data.address += 4;
    second.u.data.value = event->u.data.big_endian ? low : high;
    status = etm_pending_add(r, &first);
    return status == ETM_OK ? etm_pending_add(r, &second) : status;
}

/* The words of a line from a transfer on: nothing else follows. */
static int take_transfers(struct etm_execution_reader *r, struct etm_word *line,
                          struct etm_word word)
{
    do {
        struct etm_event event = {.kind = ETM_EVENT_DATA};
        int status = take_transfer(r, word, &event);

        if (status == ETM_OK)
            status = add_transfer(r, &word, &event);
        if (status != ETM_OK)
            return status;
    } while (etm_word_next(line, &word));
    return ETM_OK;
}

/* They are those of the instruction in the last line, or more of them. */
static int take_list(struct etm_execution_reader *r, struct etm_word *line,
                     struct etm_word word)
{
    int status = take_transfers(r, line, word);

    if (status == ETM_OK)
        etm_pending_list_more(r);
    return status;
}

/* Digits without 0x. */
static size_t digits(const struct etm_word *word)
{
    bool prefix = word->n > 2 && etm_is_0x(word->text);

    return prefix ? word->n - 2 : word->n;
}

/* The opcode: the number of digits gives its size. */
static int take_opcode(struct etm_execution_reader *r,
                       const struct etm_word *word, struct etm_event *event)
{
    size_t n = digits(word);
    uint64_t opcode;
    bool fits = n == 8;

    if (event->u.insn.isa == ETM_ISA_JAZELLE)
        fits = n == 2 || n == 4 || n == 6 || n == 8;
    else if (event->u.insn.isa != ETM_ISA_ARM)
        fits = n == 4 || n == 8;
    if (!fits || !etm_word_hex(word, UINT32_MAX, &opcode))
        return etm_reader_fail(
            r, "\"%.*s\" is not an opcode of the %s instruction set",
            ETM_WORD_TEXT(word), etm_isa_name((enum etm_isa)event->u.insn.isa));
    event->u.insn.opcode = (uint32_t)opcode;
    event->u.insn.size = (uint8_t)(n / 2);
    return ETM_OK;
}

/* One word after the opcode. */
static int take_insn_word(struct etm_execution_reader *r,
                          const struct etm_word *word, struct etm_event *event,
                          bool *led)
{
    struct etm_word value;
    uint64_t number = 0;
    int status = ETM_OK;

    if (word->text[0] == '+')
        return etm_log_cycles(r, word, event);
    if (etm_word_is(word, "fail")) {
        event->u.insn.passed = false;
    } else if (etm_word_is(word, "return")) {
        event->u.insn.exception_return = true;
    } else if (etm_word_key(word, "next", &value)) {
        *led = true;
        status = etm_log_place(r, value, &event->u.insn.next);
    } else if (etm_word_key(word, "resume", &value)) {
        status =
            etm_log_count(r, &value, 15, "not a number of transfers", &number);
        event->u.insn.resume = (uint8_t)number;
    } else if (etm_word_key(word, "size", &value)) {
        status = etm_log_count(r, &value, 255, "not a size", &number);
        if (status == ETM_OK && (event->u.insn.isa != ETM_ISA_JAZELLE ||
                                 number <= 4 || event->u.insn.size != 4))
            status = etm_log_bad(r, word,
                                 "for Jazelle instructions of 5 bytes or more "
                                 "only");
        event->u.insn.size = (uint8_t)number;
    } else {
        status = etm_log_bad(r, word, "not understood here");
    }
    return status;
}

/* "8000 e3a00001 ..." */
static int insn_line(struct etm_execution_reader *r, struct etm_word *line,
                     const struct etm_word *first)
{
    struct etm_place here = r->now;
    struct etm_event event = {.kind = ETM_EVENT_INSN, .cycles = 1};
    struct etm_word word;
    bool led = false, more;
    int status = etm_log_place(r, *first, &here);

    if (status != ETM_OK)
        return status;
    if (!etm_word_next(line, &word))
        return etm_reader_fail(r, "the opcode is missing");
    event.u.insn.address = here.address;
    event.u.insn.isa = here.isa;
    event.u.insn.passed = true;
    event.u.insn.next = here;
    status = take_opcode(r, &word, &event);
    more = etm_word_next(line, &word);
    while (status == ETM_OK && more && !is_transfer(&word)) {
        status = take_insn_word(r, &word, &event, &led);
        more = etm_word_next(line, &word);
    }
    if (status != ETM_OK)
        return status;
    r->now = here;
    status = etm_pending_data_insn(r, &event);
    if (status == ETM_OK)
        status = etm_pending_insn(r, &event, led);
    if (led)
        etm_pending_told(r, &event);
    etm_pending_list(r);
    return status == ETM_OK && more ? take_list(r, line, word) : status;
}

static int data_line(struct etm_execution_reader *r, struct etm_word *line)
{
    struct etm_word word;

    if (!etm_word_next(line, &word))
        return etm_reader_fail(r, "there is no transfer in the line");
    return take_list(r, line, word);
}

/* "push" and "pop", with the transfers after them. */
static int stacking_line(struct etm_execution_reader *r, struct etm_word *line,
                         bool pop)
{
    struct etm_event event = {.kind = ETM_EVENT_STACKING};
    struct etm_word word, value;
    bool more = etm_word_next(line, &word);
    int status = ETM_OK;

    event.u.stacking.pop = pop;
    r->data.due = 0;
    while (status == ETM_OK && more && !is_transfer(&word)) {
        if (word.text[0] == '+') {
            status = etm_log_cycles(r, &word, &event);
        } else if (etm_word_key(&word, "next", &value)) {
            event.u.stacking.next = r->now;
            status = etm_log_place(r, value, &event.u.stacking.next);
        } else {
            status = etm_log_bad(r, &word, "not understood here");
        }
        more = etm_word_next(line, &word);
    }
    if (status == ETM_OK)
        status = etm_pending_add(r, &event);
    if (status == ETM_OK && more)
        status = take_transfers(r, line, word);
    return status;
}

static int push_line(struct etm_execution_reader *r, struct etm_word *line)
{
    return stacking_line(r, line, false);
}

static int pop_line(struct etm_execution_reader *r, struct etm_word *line)
{
    return stacking_line(r, line, true);
}

/* Lines that may carry transfers. */
static const struct {
    const char *name;
    int (*take)(struct etm_execution_reader *reader, struct etm_word *line);
} lines[] = {
    {"data", data_line},
    {"push", push_line},
    {"pop", pop_line},
};

/* Could it be a place? */
static bool is_place(struct etm_word word)
{
    struct etm_word letters;
    uint64_t address;

    (void)etm_word_cut(&word, ':', &letters);
    return etm_word_hex(&word, UINT64_MAX, &address);
}

int etm_log_line(struct etm_execution_reader *r, struct etm_word line)
{
    struct etm_word comment, word;
    bool known;
    int status;

    (void)etm_word_cut(&line, '#', &comment);
    if (!etm_word_next(&line, &word))
        return ETM_OK;
    r->list.is_open = r->list.is_open && etm_word_is(&word, "data");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (etm_word_is(&word, lines[i].name))
            return lines[i].take(r, &line);
    }
    status = etm_log_event_line(r, &word, &line, &known);
    if (known)
        return status;
    if (!is_place(word))
        return etm_log_bad(r, &word,
                           "neither the address of an instruction nor a word "
                           "that begins a line");
    return insn_line(r, &line, &word);
}
