/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of Linux's driver: what a script writes to them with `echo`, and
 * what `grep .` lists of them.
 */
#include "setup/read.h"

#include <string.h>

/* A path in two: the last part, and the directory of the device, which is the
 * part before it, or before `mgmt`. */
struct path {
    struct etm_span name, device;
};

static struct path split(struct etm_span path)
{
    struct path p = {.name = path};
    size_t end = path.n, from;

    while (end > 0 && path.at[end - 1] != '/')
        end--;
    p.name = (struct etm_span){path.at + end, path.n - end};
    while (end > 0) {
        from = --end;
        while (from > 0 && path.at[from - 1] != '/')
            from--;
        p.device = (struct etm_span){path.at + from, end - from};
        if (!etm_span_is(p.device, "mgmt"))
            break;
        end = from;
        p.device = (struct etm_span){0};
    }
    if (etm_span_is(p.device, "."))
        p.device.n = 0;
    return p;
}

static bool is_device(struct etm_span device)
{
    return etm_span_has(device, "etm") || etm_span_has(device, "ptm");
}

/* Whether this belongs to another device than what came before. */
static bool is_elsewhere(struct etm_reader *r, struct etm_span device)
{
    if (device.n == 0 || device.n >= sizeof r->device)
        return false;
    if (r->device[0] == '\0')
        memcpy(r->device, device.at, device.n);
    if (etm_span_is(device, r->device))
        return false;
    if (is_device(device))
        r->devices_elsewhere = true;
    return true;
}

/* What is written: words, of which variables have values. */
static enum etm_read_result expand(struct etm_reader *r, struct etm_span text,
                                   char *to, size_t room)
{
    struct etm_setup_text out = {to, room, 0};
    const char *end = text.at + text.n;

    to[0] = '\0';
    while (text.at < end) {
        char word[64];
        struct etm_span next = {text.at, 0};
        struct etm_value v;

        while (next.at < end && (etm_line_blank(*next.at) || *next.at == '"' ||
                                 *next.at == '\''))
            next.at++;
        while (next.at + next.n < end && !etm_line_blank(next.at[next.n]) &&
               next.at[next.n] != '"' && next.at[next.n] != '\'')
            next.n++;
        text.at = next.at + next.n;
        if (next.n == 0 || !etm_span_copy(next, word, sizeof word))
            continue;
        if (word[0] == '-') /* an option */
            continue;
        if (word[0] != '$') {
            etm_setup_print(&out, "%s ", word);
            continue;
        }
        v = etm_read_value(r, word, 0);
        if (v.known != ETM_READ_KNOWN)
            return etm_read_wrong(r, "the value is not known here", next);
        etm_setup_print(&out, "0x%x ", (unsigned)v.number);
    }
    return ETM_READ_TAKEN;
}

static enum etm_read_result take(struct etm_reader *r, struct path path,
                                 const char *value)
{
    char name[40];
    const char *why;
    bool known = r->device[0] != '\0' && etm_span_is(path.device, r->device);

    if (!etm_span_copy(path.name, name, sizeof name))
        return ETM_READ_TAKEN;
    if (!etm_setup_is_sysfs(name))
        return known || is_device(path.device)
                   ? etm_read_wrong(r, "the driver has no such attribute",
                                    path.name)
                   : ETM_READ_TAKEN;
    if (strcmp(name, "enable_source") == 0 || strcmp(name, "enable_sink") == 0)
        return ETM_READ_TAKEN;
    if (is_elsewhere(r, path.device))
        return ETM_READ_TAKEN;
    why = etm_setup_read_sysfs(r->setup, &r->sysfs, name, value);
    return why ? etm_read_wrong(r, why, etm_line_word(value, ""))
               : ETM_READ_TAKEN;
}

/* The file to which a command writes: after `>`, or of `tee`. */
static struct etm_span target_of(const char *at, const char **before)
{
    const char *tee = strstr(at, "tee "), *arrow = strchr(at, '>');
    struct etm_span file = {0};

    if (arrow && (!tee || arrow < tee)) {
        *before = arrow;
        at = arrow + 1 + (arrow[1] == '>');
    } else if (tee) {
        *before = strchr(at, '|') ? strchr(at, '|') : tee;
        at = etm_line_skip(tee + 4);
        if (*at == '-')
            at += etm_line_word(at, "").n;
    } else {
        return file;
    }
    at = etm_line_skip(at);
    while (*at == '"' || *at == '\'')
        at++;
    return etm_line_word(at, "\"';&|)");
}

enum etm_read_result etm_read_echo(struct etm_reader *r, const char *line)
{
    const char *at = strstr(line, "echo "), *end;
    struct etm_span file;
    char value[128];
    enum etm_read_result result;

    if (!at || (at > line && etm_line_letter(at[-1])))
        return ETM_READ_OTHER;
    at += strlen("echo ");
    file = target_of(at, &end);
    if (file.n == 0)
        return strchr(at, '>') || !etm_fold_begins(etm_line_skip(line), "echo ")
                   ? etm_read_wrong(r, "echo: there is no file to write to",
                                    (struct etm_span){0})
                   : ETM_READ_TAKEN; /* to the terminal */
    result = expand(r, (struct etm_span){at, (size_t)(end - at)}, value,
                    sizeof value);
    return result == ETM_READ_TAKEN ? take(r, split(file), value) : result;
}

/* What the driver shows of comparators that have no use. */
static bool is_unused(struct etm_span name, const char *value)
{
    uint32_t v;
    const char *end = etm_line_number(value, 16, &v);

    if (!etm_fold_begins(name.at, "addr_") || !end || v != 0)
        return false;
    return !etm_span_is(name, "addr_range") ||
           (etm_line_number(etm_line_skip(end), 16, &v) && v == 0);
}

/* The values of counters: `cntr_val:counter 0: 12`. */
static enum etm_read_result counter(struct etm_reader *r, const char *value)
{
    uint32_t index;
    struct etm_value v = {0};
    const char *at = etm_line_number(value + strlen("counter "), 10, &index);

    if (!at || *at != ':' || index > 3 ||
        !etm_line_number(etm_line_skip(at + 1), 16, &v.number))
        return etm_read_wrong(r, "the value is not a 32-bit number",
                              etm_line_word(value, ""));
    return etm_read_register(r, ETM_REG_CNTVR1 + index, v, ETM_READ_NAMED);
}

static enum etm_read_result listed(struct etm_reader *r, struct etm_span name,
                                   const char *value)
{
    char text[40];
    const char *why;
    struct etm_value ignored;

    if (etm_fold_begins(value, "counter "))
        return counter(r, value);
    if (!etm_span_copy(name, text, sizeof text) || is_unused(name, value))
        return ETM_READ_TAKEN;
    /* indexes come after what they select: those of the first time count */
    if (strstr(text, "_idx") && !r->survey)
        return ETM_READ_TAKEN;
    if (strcmp(text, "mode") == 0 &&
        etm_setup_get(r->setup, ETM_REG_CR, &ignored.number) != ETM_OK)
        (void)etm_setup_set(r->setup, ETM_REG_CR, ETM_CR_PORT_ENABLE);
    why = etm_setup_read_sysfs(r->setup, &r->listed, text, value);
    return why ? etm_read_wrong(r, why, etm_line_word(value, ""))
               : ETM_READ_TAKEN;
}

enum etm_read_result etm_read_attribute(struct etm_reader *r, const char *line)
{
    struct etm_span word = etm_line_word(etm_line_skip(line), ":");
    struct path path = split(word);
    const char *value = word.at + word.n;
    char name[40];

    if (*value != ':' || word.n == 0 ||
        !etm_span_copy(path.name, name, sizeof name))
        return ETM_READ_OTHER;
    value = etm_line_skip(value + 1);
    if (etm_read_number(path.name) != ETM_REGISTER_NONE) {
        if (path.device.n != 0 && is_elsewhere(r, path.device))
            return ETM_READ_TAKEN;
        return ETM_READ_OTHER; /* a list of names */
    }
    if (strcmp(name, "status") == 0 && path.device.n != 0) {
        enum etm_read_result result = etm_read_prose(r, value);

        return result == ETM_READ_OTHER ? etm_read_named(r, value) : result;
    }
    if (!etm_setup_is_sysfs(name) || !etm_line_letter(*value))
        return path.device.n != 0 && !strchr(name, '(') ? ETM_READ_TAKEN
                                                        : ETM_READ_OTHER;
    if (is_elsewhere(r, path.device))
        return ETM_READ_TAKEN;
    return listed(r, path.name, value);
}
