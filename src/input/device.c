/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a snapshot's devices: processors and trace sources. */
#include "regs/device.h"
#include "input/snapshot.h"
#include "input/text.h"
#include "regs/cores.h"
#include "regs/regs.h"

#include <string.h>

/*
 * A value, and what follows it after a blank: "0x10", "0x10 (RW)". False: it
 * does not begin with a number.
 */
static bool take_value(const char *text, uint64_t *value, const char **rest)
{
    size_t n = strcspn(text, " \t");
    char number[32] = "";

    *rest = text + n + strspn(text + n, " \t");
    if (n >= sizeof number)
        return false;
    memcpy(number, text, n);
    return etm_text_number(number, value);
}

/* Anything but a word on how the register is accessed is reported, because it
 * may have been meant differently (E-313). */
static int tell_rest(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                     const struct etm_ini_entry *e, const char *rest)
{
    if (rest[0] == '\0')
        return ETM_OK;
    if (etm_register_is_access(rest))
        return etm_build_note(snapshot->capture,
                              "%s:%u: %s after the value of %s is ignored",
                              ini->path, e->line, rest, e->key);
    (void)etm_snapshot_fail(
        snapshot, ini, e->line,
        "there is unexpected text after the value of %s: \"%s\"", e->key, rest);
    return etm_build_fault(snapshot->capture, &snapshot->diag, "it is skipped");
}

/* `which` becomes the number of the register as far as it is known, even if it
 * cannot be read. */
static int take_register(struct etm_snapshot *snapshot,
                         const struct etm_ini *ini,
                         const struct etm_ini_entry *e,
                         struct etm_vec *registers, uint32_t *which)
{
    struct etm_register r = {.number = ETM_REGISTER_NONE};
    struct etm_register_brackets own = {ETM_REGISTER_NONE, 64};
    size_t n = strcspn(e->key, "( \t");
    const char *end = e->key + n, *rest;
    bool fine = n != 0;
    int status;

    if (n < sizeof r.name)
        memcpy(r.name, e->key, n);
    *which = etm_register_number(r.name);

    if (*end != '\0')
        end = etm_register_brackets(end + strspn(end, " \t"), &own);
    fine = fine && end != NULL && *end == '\0';
    if (*which == ETM_REGISTER_NONE && own.number < ETM_REGISTER_NONE)
        *which = (uint32_t)own.number;
    if (!fine)
        return etm_snapshot_fail(snapshot, ini, e->line,
                                 "the register %s is neither NAME nor "
                                 "NAME(NUMBER) nor NAME(size:BITS)",
                                 e->key);
    /* Vector registers do not fit, and are not needed. */
    if (own.bits > 64 || n >= sizeof r.name)
        return etm_build_note(snapshot->capture, "%s:%u: %s is skipped",
                              ini->path, e->line, e->key);
    if (!take_value(e->value, &r.value, &rest))
        return etm_snapshot_fail(snapshot, ini, e->line,
                                 "%s is \"%s\": not a number", e->key,
                                 e->value);
    /* those of a macrocell are checked with the others */
    if (own.bits > 32 && etm_register_name(*which) != NULL &&
        !etm_register_tells_format(*which))
        own.bits = 32;
    if (own.bits < 64 && r.value >> own.bits != 0)
        return etm_snapshot_fail(snapshot, ini, e->line,
                                 "%s is %s: more than %u bits", e->key,
                                 e->value, (unsigned)own.bits);
    if (own.number < ETM_REGISTER_NONE)
        r.number = (uint32_t)own.number;
    status = tell_rest(snapshot, ini, e, rest);
    return status == ETM_OK ? etm_vec_append(registers, &r, 1) : status;
}

/*
 * Add a register. One that cannot be read is no error if it is not needed: for
 * a core, of which few matter and none for its code, and for a source if it
 * does not affect the format of the trace. A register without a value is not
 * given.
 */
static int try_register(struct etm_snapshot *snapshot,
                        const struct etm_ini *ini,
                        const struct etm_ini_entry *e, bool core,
                        struct etm_vec *registers)
{
    bool empty = e->value[0] == '\0';
    uint32_t which = ETM_REGISTER_NONE;
    int status;

    if (empty)
        status = etm_snapshot_fail(snapshot, ini, e->line, "%s has no value",
                                   e->key);
    else
        status = take_register(snapshot, ini, e, registers, &which);
    if (status != ETM_ERR_FORMAT)
        return status;
    if (core)
        return etm_build_note(snapshot->capture, "%s:%u: %s: it is skipped",
                              ini->path, e->line, snapshot->diag.what);
    if (empty || !etm_register_tells_format(which))
        return etm_build_fault(snapshot->capture, &snapshot->diag,
                               "the register is skipped");
    return status;
}

/* All sections [regs] of a file. */
static int take_registers(struct etm_snapshot *snapshot,
                          const struct etm_ini *ini, bool core,
                          struct etm_vec *registers)
{
    const struct etm_ini_section *sections = ini->sections.data;
    int status = ETM_OK;

    for (size_t i = 0; i < ini->sections.n; i++) {
        if (!etm_text_same(sections[i].name, "regs"))
            continue;
        for (size_t k = 0; k < sections[i].n && status == ETM_OK; k++)
            status =
                try_register(snapshot, ini, etm_ini_entry(ini, &sections[i], k),
                             core, registers);
    }
    return status;
}

/* Is there already a core or a source of that name? */
static bool is_taken(struct etm_capture *capture, const char *name)
{
    for (size_t i = 0; i < capture->cores.n; i++) {
        if (etm_text_same(etm_build_core_at(capture, i)->name, name))
            return true;
    }
    for (size_t i = 0; i < capture->sources.n; i++) {
        if (etm_text_same(etm_build_source_at(capture, i)->name, name))
            return true;
    }
    return false;
}

/*
 * Protocol and version from the type of a source: "ETM3.5", "ETMv1.2",
 * "PTM1.1", "PFT1.0", "ITM", "MTB-M0+". False: it is not one that can be
 * decoded.
 */
static bool facts_of_type(const char *type, struct etm_source_facts *facts)
{
    bool etm = etm_text_begins(type, "ETM");
    unsigned major;

    *facts = (struct etm_source_facts){.minor = -1};
    if (etm_text_same(type, "ITM")) {
        facts->protocol = ETM_PROTOCOL_ITM;
        return true;
    }
    if (etm_text_begins(type, "MTB")) { /* MTB-M0+, MTB-M23, MTB-M33 */
        facts->protocol = ETM_PROTOCOL_MTB;
        return true;
    }
    if (!etm && !etm_text_begins(type, "PTM") && !etm_text_begins(type, "PFT"))
        return type[0] == '\0';
    type += 3;
    type += *type == '-' || *type == ' ';
    type += *type == 'v' || *type == 'V';
    facts->protocol = etm ? ETM_PROTOCOL_NONE : ETM_PROTOCOL_PFT;
    if (*type < '0' || *type > '9')
        return true;
    major = (unsigned)(*type - '0');
    if (major < 1 || major > (etm ? 3 : 1))
        return false;
    if (etm)
        facts->protocol = ETM_PROTOCOL_ETMV1 + major - 1;
    if (type[1] == '.' && type[2] >= '0' && type[2] <= '9')
        facts->minor = type[2] - '0';
    if (facts->minor > etm_protocol_last_minor(facts->protocol))
        facts->minor = -1;
    return true;
}

/* A macrocell, whatever its class is called: "tracesource", "etm" ... */
static bool is_macrocell(const char *type)
{
    struct etm_source_facts facts;

    return facts_of_type(type, &facts) && type[0] != '\0';
}

/* What a device is: by its class, or else by its type. */
static int classify(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                    const struct etm_ini_section *section, const char *type,
                    bool *core, bool *source)
{
    const struct etm_ini_entry *class = etm_ini_find(ini, section, "class");
    const char *text = class != NULL ? class->value : "";

    *core = etm_text_same(text, "core") || etm_text_same(text, "cpu");
    *source = etm_text_same(text, "trace_source");
    if (*core || *source)
        return ETM_OK;
    *source = is_macrocell(type);
    *core = !*source && etm_profile_of_core(type) != ETM_PROFILE_UNKNOWN;
    if (!*core && !*source)
        return class != NULL ? ETM_OK /* a trace link, a sink or the like */
                             : etm_snapshot_fail(snapshot, ini, section->line,
                                                 "[device] has no class");
    return etm_build_note(
        snapshot->capture, "%s:%u: class %s of type %s is assumed to be a %s",
        ini->path, class != NULL ? class->line : section->line,
        class != NULL ? text : "(none)", type, *core ? "core" : "trace source");
}

/* Take the device that a file describes; takes ownership of the file if it is
 * kept. */
static int take_device(struct etm_snapshot *snapshot, struct etm_ini *ini,
                       const struct etm_ini_section *section,
                       const struct etm_ini_entry *name)
{
    struct etm_capture *capture = snapshot->capture;
    const struct etm_ini_entry *type = etm_ini_find(ini, section, "type");
    const char *text = type != NULL ? type->value : "";
    bool core, source;
    struct etm_vec *files, *registers;
    int status = classify(snapshot, ini, section, text, &core, &source);

    /* other devices do not matter for the trace */
    if (status != ETM_OK || (!core && !source))
        return status;
    files = core ? &snapshot->core_files : &snapshot->source_files;
    if (is_taken(capture, name->value))
        return etm_snapshot_fail(snapshot, ini, name->line,
                                 "there is already a device called %s",
                                 name->value);
    status = core ? etm_build_core(capture, name->value, text)
                  : etm_build_source(capture, name->value, text);
    if (status != ETM_OK)
        return status;
    if (core) {
        struct etm_capture_core *c =
            etm_build_core_at(capture, capture->cores.n - 1);

        c->profile = etm_profile_of_core(c->type);
        registers = &c->registers;
    } else {
        registers =
            &etm_build_source_at(capture, capture->sources.n - 1)->registers;
    }
    status = take_registers(snapshot, ini, core, registers);
    if (status == ETM_ERR_FORMAT)
        status = etm_snapshot_why_not(snapshot, capture->sources.n - 1);
    if (status == ETM_OK)
        status = etm_vec_append(files, ini, 1);
    if (status == ETM_OK)
        *ini = (struct etm_ini){0};
    return status;
}

int etm_snapshot_device(struct etm_snapshot *snapshot, const char *path,
                        const struct etm_ini *list, unsigned line)
{
    static const char *const sections[] = {"device", "regs", "dump*",
                                           /* further registers of a core */
                                           "extendregs", "global", NULL};
    static const char *const keys[] = {"name", "class", "type", "location",
                                       NULL};
    struct etm_capture *capture = snapshot->capture;
    const struct etm_ini_section *section;
    const struct etm_ini_entry *name;
    struct etm_ini ini = {0};
    int status = etm_build_file(capture, path);

    if (status == ETM_OK)
        status = etm_ini_open(&ini, path, &capture->allocator, &snapshot->diag);
    if (status == ETM_ERR_IO)
        return etm_file_named(&snapshot->diag, list->path, line, path);
    if (status != ETM_OK)
        return status;
    section = etm_ini_section(&ini, "device");
    name = etm_ini_find(&ini, section, "name");
    if (section == NULL)
        status = etm_snapshot_fail(snapshot, &ini, 0,
                                   "there is no section [device]");
    else if (name == NULL || name->value[0] == '\0')
        status = etm_snapshot_fail(snapshot, &ini, section->line,
                                   "[device] has no name");
    else
        status = etm_snapshot_check_keys(snapshot, &ini, section, keys);
    if (status == ETM_OK)
        status = etm_snapshot_check_sections(snapshot, &ini, sections);
    if (status == ETM_OK)
        status = take_device(snapshot, &ini, section, name);
    etm_ini_close(&ini);
    return status;
}

/* Trace ID of a source of another kind, for listings. */
static uint8_t foreign_id(const struct etm_capture_source *source)
{
    static const struct {
        const char *name;
        unsigned shift;
    } rows[] = {
        {"TRCTRACEIDR", 0},
        {"ETMTRACEIDR", 0},
        {"STMTCSR", 16},
    };
    const struct etm_register *r = source->registers.data;

    for (size_t i = 0; i < source->registers.n; i++) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (etm_text_same(r[i].name, rows[k].name))
                return (uint8_t)(r[i].value >> rows[k].shift & 0x7f);
        }
    }
    return 0;
}

/* Set the line of a register in an error about its value. */
static void locate(struct etm_diag *diag, const struct etm_ini *ini)
{
    const struct etm_ini_entry *entries = ini->entries.data;
    uint32_t number;

    number = etm_register_number(diag->source);
    for (size_t i = 0; i < ini->entries.n && diag->source[0] != '\0'; i++) {
        char name[sizeof((struct etm_register *)0)->name] = "";
        size_t n = strcspn(entries[i].key, "( \t");

        if (n >= sizeof name)
            continue;
        memcpy(name, entries[i].key, n);
        if (number != ETM_REGISTER_NONE && etm_register_number(name) == number)
            diag->line = entries[i].line;
    }
    diag->source[0] = '\0';
    strncat(diag->source, ini->path, sizeof diag->source - 1);
}

int etm_snapshot_configure(struct etm_snapshot *snapshot, size_t source)
{
    struct etm_capture *capture = snapshot->capture;
    struct etm_capture_source *s = etm_build_source_at(capture, source);
    const struct etm_capture_buffer *buffers = capture->buffers.data;
    const size_t *used = s->buffers.data;
    struct etm_source_facts facts;
    bool formatted = false;
    int status;

    s->id = foreign_id(s);
    if (!facts_of_type(s->type, &facts))
        return etm_build_why_not(capture, source, "%s trace is not decoded",
                                 s->type);
    if (s->type[0] == '\0' && !etm_build_has_register(s, 0x79) &&
        !etm_build_has_register(s, 0x01))
        return etm_build_why_not(capture, source,
                                 "its file names neither a type nor ETMIDR");
    if (s->core >= 0)
        facts.profile = etm_build_core_at(capture, (size_t)s->core)->profile;
    status = etm_build_configure(capture, source, &facts, &snapshot->diag);
    if (status == ETM_ERR_CONFIG)
        locate(&snapshot->diag,
               (const struct etm_ini *)snapshot->source_files.data + source);
    if (status != ETM_OK)
        return status;
    for (size_t i = 0; i < s->buffers.n; i++) {
        enum etm_framing framing = buffers[used[i]].framing;

        formatted = formatted || (framing != ETM_FRAMING_NONE &&
                                  framing != ETM_FRAMING_PORT);
    }
    if (formatted && s->id == 0 && !etm_build_has_register(s, 0x80)) {
        status = etm_snapshot_only_id(snapshot, source, &s->id);
        if (status != ETM_OK)
            return status;
        s->config.trace_id = s->id;
    }
    /* an ITM that is in no buffer may still be the one of its trace ID */
    if (!formatted && s->config.protocol == ETM_PROTOCOL_ITM &&
        s->buffers.n == 0)
        return ETM_OK;
    if (!formatted)
        s->id = s->config.trace_id = 0;
    else if (s->id == 0)
        return etm_snapshot_fail(
            snapshot,
            (const struct etm_ini *)snapshot->source_files.data + source, 0,
            "ETMTRACEIDR of %s is 0 or missing: its trace cannot be "
            "distinguished from others in %s",
            s->name, buffers[used[0]].name);
    return ETM_OK;
}
