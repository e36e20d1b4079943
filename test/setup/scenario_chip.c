/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of cores, chips and the path of the trace out of them, of texts
 * that are read, and of setups that the model of a macrocell takes.
 */
#include "scenario.h"

#include "model/macrocell.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct etm_trace_path path;
    struct etm_chip foreign; /* one that is not in the table */
    bool has_path, given;
    struct etm_setup setup; /* that was read, in place of a request */
    char title[128], device[32];
    bool has_title;
    struct etm_macrocell *etm;
} chip;

void chip_begin(void)
{
    etm_macrocell_free(chip.etm);
    memset(&chip, 0, sizeof chip);
}

const struct etm_setup *chip_setup(void)
{
    return chip.given ? &chip.setup : NULL;
}

void chip_script(struct etm_setup_script *script)
{
    script->path = chip.has_path ? &chip.path : NULL;
    script->title = chip.has_title ? chip.title : NULL;
    script->device = chip.device[0] != 0 ? chip.device : NULL;
}

/* ---- Paths --------------------------------------------------------------- */

/* path [CHIP] [foreign] [NAME=VALUE ...] */
static bool path(struct words *w)
{
    struct etm_trace_path *p = &chip.path;
    static const struct field decimal[] = {
        FIELD(etm_trace_path, baud),
        FIELD(etm_trace_path, clock),
        FIELD(etm_trace_path, pins),
        NO_FIELD,
    };
    static const struct field hexadecimal[] = {
        FIELD(etm_trace_path, tpiu),
        FIELD(etm_trace_path, etb),
        FIELD(etm_trace_path, origins),
        NO_FIELD,
    };
    unsigned sink = 0;

    *p = (struct etm_trace_path){.size = sizeof *p};
    chip.has_path = true;
    for (unsigned i = 1; i < w->n; i++) {
        const char *word = w->word[i], *equals = strchr(word, '=');

        if (equals != NULL && (field_set(decimal, p, word, 10) ||
                               field_set(hexadecimal, p, word, 16)))
            continue;
        if (strncmp(word, "sink=", 5) == 0) {
            for (sink = ETM_SINK_ETB; sink > 0; sink--)
                if (strcmp(etm_sink_name((enum etm_sink)sink), word + 5) == 0)
                    p->sink = (enum etm_sink)sink;
        } else if (strcmp(word, "profile=m") == 0) {
            p->profile = ETM_PROFILE_M;
        } else if (strcmp(word, "foreign") == 0 && p->chip != NULL) {
            chip.foreign = *p->chip;
            p->chip = &chip.foreign;
        } else if (equals != NULL || etm_chip_find(word, &p->chip) != ETM_OK) {
            return wrong("not understood: %s", word);
        }
    }
    return true;
}

/* path [argument | unsupported] ["TEXT" ...] [notes N]: it is refused and says
 * so, and so is a script with it; or it has such notes. */
static bool expect_path(struct words *w)
{
    static const struct etm_setup setup;
    const char *how = w->n > 2 ? w->word[2] : "";
    int status = strcmp(how, "argument") == 0      ? ETM_ERR_ARGUMENT
                 : strcmp(how, "unsupported") == 0 ? ETM_ERR_UNSUPPORTED
                                                   : ETM_OK;
    struct etm_setup_script script = {.size = sizeof script};
    struct etm_notes notes = {0};
    struct etm_diag diag = {0};
    struct scenario_text all = {NULL, 0, 0};
    int is = etm_trace_path_notes(&chip.path, &notes, &diag);

    chip_script(&script);
    if (is != status ||
        (status != ETM_OK && etm_setup_write(&setup, ETM_SETUP_FORMAT_C,
                                             &script, NULL, 0, NULL) != status))
        return wrong("%s: %s", etm_status_text(is), diag.what);
    text_add(&all, "%s", status != ETM_OK ? diag.what : "");
    for (size_t i = 0; i < notes.n; i++)
        text_add(&all, "%s\n", notes.text[i]);
    for (unsigned i = status != ETM_OK ? 3 : 2; i < w->n; i++) {
        const char *text = quoted(w->word[i]);

        if (text != NULL ? strstr(all.text, text) == NULL
                         : strtoul(w->word[i], NULL, 10) != notes.n)
            (void)wrong("it says: %s", all.text);
    }
    free(all.text);
    return !cases.failed;
}

/* chip NAME FOUND | none */
static bool expect_chip(struct words *w)
{
    const struct etm_chip *found;
    const char *name = w->n == 4 ? w->word[2] : "";
    int status = etm_chip_find(*name == '"' ? "" : name, &found);

    if (w->n != 4 || (status == ETM_OK) != (found != NULL) ||
        (status != ETM_OK && status != ETM_ERR_NOT_FOUND))
        return wrong("expect chip NAME FOUND | none");
    return strcmp(found != NULL ? found->name : "none", w->word[3]) == 0 ||
           wrong("it is %s", found != NULL ? found->name : "none");
}

/* rom "TEXT" NAME=ADDRESS ... | format | unsupported */
static bool expect_rom(struct words *w)
{
    const char *text = w->n > 3 ? quoted(w->word[2]) : NULL;
    struct etm_rom_table t;
    struct etm_diag diag = {0};
    struct scenario_text is = {NULL, 0, 0};
    int status;

    if (text == NULL)
        return wrong("expect rom TEXT WORD ...");
    status = etm_rom_table_read(&t, text, strlen(text), &diag);
    text_add(&is, status == ETM_OK                ? " ok"
                  : status == ETM_ERR_FORMAT      ? " format"
                  : status == ETM_ERR_UNSUPPORTED ? " unsupported"
                                                  : " otherwise");
    if (status == ETM_OK)
        text_add(&is,
                 " tpiu=%" PRIx32 " macrocell=%" PRIx32 " etb=%" PRIx32
                 " tmc=%" PRIx32 " funnel=%" PRIx32 "%s",
                 t.tpiu, t.macrocell, t.etb, t.tmc, t.funnel,
                 t.several ? " several" : " one");
    return all_among(w, 3, &is);
}

/* ---- Cores --------------------------------------------------------------- */

/* core NAME [WORD ...]: what the table has of it; `none`. */
static bool expect_core(struct words *w)
{
    const struct etm_core *core = w->n > 3 ? core_named(w->word[2]) : NULL;
    struct scenario_text is = {NULL, 0, 0};

    if (core == NULL)
        return (w->n == 4 && strcmp(w->word[3], "none") == 0) ||
               wrong("there is no such core");
    text_add(&is, " name=%s part=%x fifo=%u %s architecture=%u", core->name,
             core->part, core->fifo_size,
             core->no_os_lock ? "no_os_lock" : "os_lock", core->architecture);
    for (unsigned isa = ETM_ISA_ARM; isa <= ETM_ISA_JAZELLE; isa++)
        if ((core->isas >> isa & 1) != 0)
            text_add(&is, " %s", etm_isa_name((enum etm_isa)isa));
        else
            text_add(&is, " no_%s", etm_isa_name((enum etm_isa)isa));
    return all_among(w, 3, &is);
}

/* macrocell WORD ...: of the core, or of the dump; NAME[&MASK]=VALUE are
 * registers as they are after a reset, writable:NAME&MASK=VALUE the bits that
 * can be written. */
static bool expect_macrocell(struct words *w)
{
    struct etm_regfile file;
    const struct etm_resource_counts *n = &file.counts;
    const struct etm_macrocell_config *m = &subject.macrocell;
    struct scenario_text is = {NULL, 0, 0};

    if (etm_regfile_init(&file, m, NULL) != ETM_OK)
        return wrong("no such macrocell");
    text_add(&is,
             " %s.%u idr=%" PRIx32 " ccer=%" PRIx32
             " pairs=%u dvcs=%u mmds=%u counters=%u sequencer=%u in=%u out=%u "
             "fifofull=%u cidcs=%u selectors=%u extended=%u fifo=%u system=%x"
             " return_stack=%u",
             etm_protocol_name(subject.config.protocol), subject.config.minor,
             m->idr, m->ccer, n->sac_pairs, n->dvcs, n->mmds, n->counters,
             n->sequencer, n->ext_in, n->ext_out, n->fifofull, n->cidcs,
             n->extsels, n->ext_ext_in, file.fifo_size,
             (unsigned)etm_regfile_system(&file),
             subject.config.return_stack_implemented);
    for (unsigned i = 2; i < w->n && !cases.failed; i++) {
        char *word = w->word[i];
        bool writable = strncmp(word, "writable:", 9) == 0;
        uint32_t number, value, mask;

        if (strchr(word, '&') == NULL)
            (void)among(word, is.text);
        else if (!register_mask(word + (writable ? 9 : 0), &number, &mask,
                                &value))
            break;
        else if (((writable ? file.writable : file.value)[number] & mask) !=
                 value)
            (void)wrong(
                "%s: it is %x", word,
                (unsigned)(writable ? file.writable : file.value)[number]);
    }
    free(is.text);
    return !cases.failed;
}

/* no_core NAME VERSION config | argument "TEXT" */
static bool expect_no_core(struct words *w)
{
    struct etm_macrocell_config m = {0};
    struct etm_config config = {0};
    struct etm_diag diag = {0};
    int status = w->n < 6 ? ETM_OK
                          : etm_core_macrocell(core_named(w->word[2]),
                                               w->word[3], &m, &config, &diag);

    return (status == (w->n > 4 && strcmp(w->word[4], "config") == 0
                           ? ETM_ERR_CONFIG
                           : ETM_ERR_ARGUMENT) &&
            strstr(diag.what, quoted(w->word[5])) != NULL) ||
           wrong("%s: %s", etm_status_text(status), diag.what);
}

/* The registers tell what the macrocell is. "dump": they are its own. */
static int dump(struct etm_diag *diag)
{
    for (size_t i = 0; i < subject.explain.n_registers; i++)
        snprintf(subject.registers[i].name, sizeof subject.registers[i].name,
                 "%s", etm_register_name(subject.registers[i].number));
    return etm_dump_macrocell(subject.registers, subject.explain.n_registers,
                              &subject.macrocell, &subject.config, diag);
}

static bool expect_no_dump(struct words *w)
{
    struct etm_diag diag = {0};
    int status = dump(&diag);

    return (status == ETM_ERR_CONFIG && w->n == 3 &&
            strcmp(diag.source + 3, w->word[2]) == 0) ||
           wrong("%s: %s", diag.source, diag.what);
}

/* ---- Configurations --------------------------------------------------------
 */

static void add_config(struct scenario_text *t, const struct etm_config *c)
{
    static const char *const profiles[] = {"", " a", " r", " m"};
    struct etm_config fields = *c;

    fields.minor = 0;
    text_add(t, " %s.%u%s", etm_protocol_name(c->protocol), c->minor,
             profiles[c->profile]);
    add_fields(t, config_fields, &fields);
}

/* config [of PROTOCOL] WORD ... [...]: the registers tell this and nothing
 * else. no_config [of PROTOCOL] NAME "TEXT": one of them is wrong. */
static bool expect_config(struct words *w)
{
    bool good = strcmp(w->word[1], "config") == 0;
    struct etm_config config = {0};
    struct etm_diag diag = {0};
    struct scenario_text is = {NULL, 0, 0};
    enum etm_protocol protocol = ETM_PROTOCOL_NONE;
    unsigned from = 2, words = 0, to = w->n;
    int status;

    if (w->n > 3 && strcmp(w->word[2], "of") == 0) {
        from = 4;
        while (strcmp(etm_protocol_name(protocol), w->word[3]) != 0 &&
               protocol < ETM_PROTOCOL_PFT)
            protocol++;
    }
    for (size_t i = 0; i < subject.explain.n_registers; i++)
        subject.registers[i].name[0] = 0;
    status = etm_config_from_registers(&config, protocol, subject.registers,
                                       subject.explain.n_registers, &diag);
    if (!good)
        return (status == ETM_ERR_CONFIG &&
                config.protocol == ETM_PROTOCOL_NONE && w->n == from + 2 &&
                strcmp(diag.source + 3, w->word[from]) == 0 &&
                strstr(diag.what, quoted(w->word[from + 1])) != NULL) ||
               wrong("%s: %s", diag.source, diag.what);
    if (status != ETM_OK || config.size != sizeof config)
        return wrong("%s: %s", diag.source, diag.what);
    add_config(&is, &config);
    to -= strcmp(w->word[w->n - 1], "...") == 0;
    for (unsigned i = from; i < to; i++)
        (void)among(w->word[i], is.text);
    for (const char *at = is.text; (at = strchr(at, ' ')) != NULL; at++)
        words++;
    if (to == w->n && words != to - from && !cases.failed)
        (void)wrong("it is%s", is.text);
    free(is.text);
    return !cases.failed;
}

/* ---- Texts that are read, and the model ---------------------------------- */

bool format_of(const char *word, enum etm_setup_format *format)
{
    unsigned f = 0;

    while (f <= ETM_SETUP_FORMAT_PYOCD &&
           strcmp(etm_setup_format_name((enum etm_setup_format)f), word) != 0)
        f++;
    *format = (enum etm_setup_format)f;
    return f <= ETM_SETUP_FORMAT_PYOCD || wrong("in which format? %s", word);
}

/* read "TEXT"; read FORMAT: what is written of the setup so far */
static bool read_setup(struct words *w)
{
    struct etm_diag diag = {0};
    const char *text = w->n == 2 ? quoted(w->word[1]) : NULL;
    char *written = NULL;
    enum etm_setup_format format;
    int status;

    if (w->n != 2)
        return wrong("read what?");
    if (text == NULL && (!format_of(w->word[1], &format) ||
                         (text = written = script_text(format, NULL)) == NULL))
        return false;
    status = etm_setup_read(&chip.setup, text, strlen(text), &diag);
    chip.given = true;
    free(written);
    return status == ETM_OK ||
           wrong("line %u: %s", (unsigned)diag.line, diag.what);
}

static const struct named accesses[] = {{"software", ETM_ACCESS_SOFTWARE},
                                        {"debugger", ETM_ACCESS_DEBUGGER},
                                        {"coprocessor", ETM_ACCESS_COPROCESSOR},
                                        {"jtag", ETM_ACCESS_JTAG}};

/* applied ACCESS [NAME=VALUE ...]: the macrocell, which is there from the first
 * of them on, takes the setup without a mistake, runs, and has these values.
 * unapplied ACCESS NAME [TEXT]: it does not, because of this register. */
static bool expect_applied(struct words *w)
{
    bool good = strcmp(w->word[1], "applied") == 0;
    struct etm_setup_script script;
    struct etm_setup setup;
    struct etm_diag diag = {0};
    enum etm_access access;
    uint32_t number, value, is = 0;
    int status, found;

    if (w->n < 3 || !NAMED(accesses, w->word[2], &found) ||
        !setup_of(&setup, &script, NULL))
        return wrong("applied by what access?");
    access = (enum etm_access)found;
    if (chip.etm == NULL &&
        etm_macrocell_new(&chip.etm, &subject.macrocell, NULL) != ETM_OK)
        return wrong("no such macrocell");
    status = etm_setup_apply(&setup, chip.etm, access, &diag);
    if (!good)
        return (status == ETM_ERR_CONFIG && w->n > 3 &&
                (w->word[3][0] == '-' ||
                 strcmp(diag.source + 3, w->word[3]) == 0) &&
                (w->n == 4 || strstr(diag.what, quoted(w->word[4])) != NULL)) ||
               wrong("%s: %s", diag.source, diag.what);
    if (status != ETM_OK || etm_macrocell_mistakes(chip.etm) != 0)
        return wrong("%s: %s", diag.source, diag.what);
    (void)etm_macrocell_read(chip.etm, ETM_REG_SR, access, &is);
    if ((is & ETM_SR_PROGRAMMING) != 0)
        return wrong("it does not run");
    for (unsigned i = 3; i < w->n; i++) {
        if (!register_word(w->word[i], &number, &value))
            return false;
        (void)etm_macrocell_read(chip.etm, number, access, &is);
        if (is != value)
            return wrong("%s is %x", w->word[i], (unsigned)is);
    }
    return true;
}

/* Where ETMCCER[11] is clear (table 3-3). */
static bool is_readable(uint32_t number)
{
    return number <= 0x001 || number == 0x004 || number == 0x005 ||
           (number >= 0x05c && number <= 0x05f) || number == 0x067 ||
           number == 0x079 || number == 0x07a || number >= 0x080;
}

/* The model takes the setup, from a debugger or by JTAG; its registers, as far
 * as they can be read, are all that is known. */
static bool dumped(struct words *w)
{
    bool all = (subject.macrocell.ccer >> 11 & 1) != 0;
    enum etm_access access = ETM_ACCESS_DEBUGGER;
    struct etm_setup_script script;
    struct etm_setup setup;
    struct etm_diag diag = {0};
    uint32_t value;

    (void)w;
    if (!setup_of(&setup, &script, NULL) ||
        etm_macrocell_new(&chip.etm, &subject.macrocell, NULL) != ETM_OK)
        return wrong("no such macrocell");
    if (etm_setup_apply(&setup, chip.etm, access, NULL) != ETM_OK)
        access = ETM_ACCESS_JTAG;
    if (etm_setup_apply(&setup, chip.etm, access, &diag) != ETM_OK)
        return wrong("%s: %s", diag.source, diag.what);
    subject.explain.n_registers = 0;
    subject.explain.macrocell = NULL;
    for (uint32_t number = 0; number < 0x400; number++)
        if ((all || is_readable(number)) && etm_register_name(number) != NULL &&
            etm_macrocell_read(chip.etm, number, access, &value) ==
                ETM_ACCESS_OK &&
            !put(&subject, number, value))
            return false;
    return true;
}

/* ---- Lines --------------------------------------------------------------- */

static bool dump_line(struct words *w)
{
    struct etm_diag diag = {0};

    (void)w;
    return dump(&diag) == ETM_OK || wrong("%s: %s", diag.source, diag.what);
}

/* title "TEXT", device "TEXT": of a script */
static bool title(struct words *w)
{
    bool device = strcmp(w->word[0], "device") == 0;
    const char *text = w->n == 2 ? quoted(w->word[1]) : NULL;

    if (text == NULL)
        return wrong("%s TEXT", w->word[0]);
    snprintf(device ? chip.device : chip.title,
             device ? sizeof chip.device : sizeof chip.title, "%s", text);
    chip.has_title = chip.has_title || !device;
    return true;
}

const struct verb chip_verbs[] = {
    {"path", path},      {"read", read_setup}, {"dumped", dumped},
    {"dump", dump_line}, {"title", title},     {"device", title},
    {NULL, NULL},
};

const struct verb chip_expected[] = {
    {"path", expect_path},         {"chip", expect_chip},
    {"config", expect_config},     {"no_config", expect_config},
    {"rom", expect_rom},           {"core", expect_core},
    {"no_core", expect_no_core},   {"macrocell", expect_macrocell},
    {"no_dump", expect_no_dump},   {"applied", expect_applied},
    {"unapplied", expect_applied}, {NULL, NULL},
};
