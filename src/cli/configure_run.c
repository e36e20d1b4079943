/* SPDX-License-Identifier: Apache-2.0 */
/* etm configure: the macrocell, its registers, and where they go. */
#include "cli/args.h"
#include "cli/configure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etm configure --core NAME | --dump FILE | --chip NAME  [options]\n"
    "\n"
    "Register values that trace what is asked for; without a request, all\n"
    "instructions. What the macrocell cannot do is refused.\n"
    "\n"
    "  etm configure --chip stm32f407 --sink tpiu:4 --format openocd -o "
    "trace.tcl\n"
    "  etm configure --core cortex-a9 --elf program.elf -o setup \\\n"
    "      --trace-function fibonacci --trigger-at sort --after-count 3\n"
    "\n"
    "  --core NAME          cortex-m3, cortex-a9, arm926ej-s ... (--core "
    "list)\n"
    "  --etm VERSION        with another version: v1.0 ... v3.5, pft1.0, "
    "pft1.1\n"
    "  --dump FILE          registers of the macrocell: ETMIDR, ETMCCR ...\n"
    "  --chip NAME          stm32f407, lpc1768 ...: its core and its pins "
    "(--chip\n"
    "                       list), with a sink: see below\n"
    "  --elf FILE           program; its symbols can be used as addresses in\n"
    "                       the options after this one\n"
    "instructions:\n"
    "  --trace-function NAME, --range FROM-TO, --from ADDR --to ADDR\n"
    "  --exclude-function NAME, --exclude-range FROM-TO   (TO is exclusive)\n"
    "  --start-at ADDR, --stop-at ADDR   or load:ADDR store:ADDR ... ice:N\n"
    "  --when CONDITION     only while it holds\n"
    "  --context-id N, --secure, --non-secure, --user, --privileged\n"
    "data:\n"
    "  --data address|value|both\n"
    "  --data-range FROM-TO, --data-variable NAME, --exclude-data-range "
    "FROM-TO\n"
    "  --data-value VALUE[/MASK][@ADDR]\n"
    "  --data-access load|store, --data-size 1|2|4, --big-endian\n"
    "  --data-when CONDITION, --data-only, --cprt, --cprt-filter\n"
    "events:\n"
    "  --trigger-at CONDITION, --after-count N, --debug-on-trigger\n"
    "  --chain CONDITION,CONDITION[,CONDITION]   in this order\n"
    "  --external-output N=CONDITION, --timestamp-at CONDITION\n"
    "modes:\n"
    "  --cycle-accurate, --timestamps, --return-stack, --branch-broadcast,\n"
    "  --vmid, --context-id-size 1|2|4, --sync N, --trace-id N,\n"
    "  --stall, --suppress, --fifo-level BYTES,\n"
    "  --port-size PINS, --port-mode N, --half-rate\n"
    "the whole chip:\n"
    "  --sink tpiu:PINS|swo:BAUD|etb   pins, clocks, TPIU or ETB, DWT, ITM, "
    "ETM\n"
    "  --clock HZ           of the TPIU, most often the core's: for swo\n"
    "  --trace etm|itm|exceptions|pc-samples|timestamps   several with commas\n"
    "  --read-out           not the setup, but what reads the buffer after it\n"
    "  --rom-table FILE     of an unknown chip: dap info of OpenOCD\n"
    "  --tpiu ADDR, --etb ADDR, --tmc ADDR, --funnel ADDR[:INPUT,...]\n"
    "output:\n"
    "  --format table|c|openocd|gdb|sysfs|jlink|pyocd, -o FILE\n"
    "  --base ADDR, --device NAME, --tap NAME   for the scripts\n"
    "\n"
    "CONDITION: [!]WHAT, or two of them joined by & or |; with *N at the "
    "end:\nfrom the Nth time on. WHAT: ADDR or FROM-TO, optionally after exec: "
    "passed:\nfailed: fetch: load: store: data: (load1: bytes, load2: ...) and "
    "before\n=VALUE[/MASK]; ext:N extended:N ice:N mmd:N dbg:N context:N\n"
    "vmid:N every:CYCLES started non-secure prohibited always chain.\n";

int etm_cli_configure_help(void)
{
    fputs(help, stdout);
    return ETM_EXIT_OK;
}

static int list(const struct etm_cli_configure *c)
{
    struct etm_cli_output output = {0};
    int status = ETM_EXIT_UNREADABLE;

    if (!etm_cli_would_replace(c->output, c->elf, "the program"))
        status = etm_cli_output_open(&output, c->output, NULL);
    if (status != ETM_EXIT_OK)
        return status;
    if (c->chip)
        return etm_cli_configure_list_chips(&output);
    for (size_t i = 0; etm_cores(i); i++) {
        const struct etm_core *core = etm_cores(i);
        char line[128];
        int n = snprintf(line, sizeof line, "%-22s %-24s %s\n", core->name,
                         core->macrocell, core->version);

        (void)etm_cli_write(&output, line, (size_t)n);
    }
    return etm_cli_output_close(&output);
}

static int read_dump(struct etm_cli_configure *c)
{
    struct etm_diag diag = {0};
    struct etm_register *registers;
    size_t n;
    int status = etm_cli_dump_read(c->dump, &registers, &n);

    if (status >= 0)
        return status;
    status = etm_dump_macrocell(registers, n, &c->macrocell, &c->config, &diag);
    if (status != ETM_OK) {
        (void)snprintf(diag.source, sizeof diag.source, "%s", c->dump);
        etm_cli_diag(status, &diag);
    }
    free(registers);
    return status == ETM_OK ? -1 : ETM_EXIT_UNREADABLE;
}

static int fail(int status, const struct etm_diag *diag)
{
    etm_cli_diag(status, diag);
    return status == ETM_ERR_ARGUMENT ? ETM_EXIT_USAGE : ETM_EXIT_UNREADABLE;
}

static int find_core(struct etm_cli_configure *c)
{
    const struct etm_core *core = etm_cli_core(c->core);
    struct etm_diag diag = {0};
    int status;

    if (!core)
        return ETM_EXIT_USAGE;
    status =
        etm_core_macrocell(core, c->version, &c->macrocell, &c->config, &diag);
    return status == ETM_OK ? -1 : fail(status, &diag);
}

/* Write the setup in the requested format. */
static int write_out(struct etm_cli_configure *c, const struct etm_setup *setup)
{
    struct etm_cli_output output = {0};
    struct etm_diag diag = {0};
    int n = etm_setup_write(setup, c->format, &c->script, NULL, 0, &diag);
    char *text = n >= 0 ? malloc((size_t)n + 1) : NULL;
    int status;

    if (n < 0)
        return fail(n, &diag);
    if (!text) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    (void)etm_setup_write(setup, c->format, &c->script, text, (size_t)n + 1,
                          &diag);
    status = ETM_EXIT_UNREADABLE;
    if (!etm_cli_would_replace(c->output, c->dump, "the dump") &&
        !etm_cli_would_replace(c->output, c->elf, "the program"))
        status = etm_cli_output_open(&output, c->output, NULL);
    if (status == ETM_EXIT_OK) {
        (void)etm_cli_write(&output, text, (size_t)n);
        status = etm_cli_output_close(&output);
    }
    free(text);
    return status;
}

static int unused(const char *option, const char *what)
{
    return etm_cli_usage("configure", "%s is for %s", option, what);
}

/* The script's defaults by the macrocell, under what the command line says. */
static int make_script(struct etm_cli_configure *c, char *title, size_t room)
{
    struct etm_setup_script told = c->script;
    bool memory;
    struct etm_diag diag = {0};
    const char *macrocell;
    char version[32];
    int status = etm_setup_script_of(&c->script, &c->macrocell, &diag);

    if (status != ETM_OK)
        return fail(status, &diag);
    memory = c->script.interfaces == 0 ||
             (c->script.interfaces & ETM_INTERFACE_MEMORY) != 0;
    if (told.base != 0 && (!memory || c->format == ETM_SETUP_FORMAT_TABLE ||
                           c->format == ETM_SETUP_FORMAT_SYSFS))
        return unused("--base", "scripts, and a macrocell in memory");
    if (told.device && c->format != ETM_SETUP_FORMAT_SYSFS)
        return unused("--device", "--format sysfs");
    if (told.tap && (memory || c->format != ETM_SETUP_FORMAT_OPENOCD))
        return unused("--tap",
                      "--format openocd, and a macrocell accessed by JTAG");
    c->script.base = told.base;
    c->script.device = told.device;
    c->script.tap = told.tap;
    macrocell = c->core ? c->core : etm_cli_path(c->dump);
    if (etm_cli_configure_macrocell(c))
        (void)snprintf(title, room, "%s: %s", macrocell,
                       etm_config_title(&c->config, version, sizeof version));
    else
        (void)snprintf(title, room, "%s", c->chip ? c->chip : macrocell);
    c->script.title = title;
    return -1;
}

/* Only M-profile processors have their macrocell at the same address. */
static void note_base(const struct etm_cli_configure *c)
{
    bool memory = (c->script.interfaces & ETM_INTERFACE_MEMORY) != 0;

    if (memory && c->script.base == 0 && c->config.profile != ETM_PROFILE_M &&
        c->format != ETM_SETUP_FORMAT_TABLE &&
        c->format != ETM_SETUP_FORMAT_SYSFS)
        etm_cli_error("note: without --base the address is 0xe0041000, as in "
                      "M-profile processors; that of others depends on the "
                      "chip");
}

/*
 * Linux's driver refuses timestamps where ETMCCER[22] is 0; the macrocell may
 * have them all the same (E-337). 0: a dump without ETMCCER.
 */
static int check_driver(const struct etm_cli_configure *c)
{
    uint32_t ccer = c->macrocell.ccer;

    if (c->format != ETM_SETUP_FORMAT_SYSFS || !c->request.timestamps ||
        ccer == 0 || (ccer >> 22 & 1) != 0)
        return -1;
    etm_cli_error("Linux's driver cannot turn timestamps on: ETMCCER[22] of "
                  "this macrocell is 0");
    return ETM_EXIT_UNREADABLE;
}

static bool is_list(const char *name)
{
    return name && strcmp(name, "list") == 0;
}

int etm_cli_configure_run(struct etm_cli_configure *c)
{
    struct etm_setup *setup = calloc(1, sizeof *setup);
    struct etm_notes *notes = calloc(1, sizeof *notes);
    struct etm_diag diag = {0};
    char title[160];
    int status = -1;

    if (!setup || !notes) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    if (status < 0 && (is_list(c->chip) || is_list(c->core)))
        status = list(c);
    if (status < 0)
        status = c->core ? find_core(c) : read_dump(c);
    if (status < 0 && etm_cli_configure_macrocell(c)) {
        int found;

        etm_cli_configure_ids(c);
        found = etm_configure(setup, &c->request, &c->macrocell, notes, &diag);
        status = found == ETM_OK ? -1 : fail(found, &diag);
    }
    if (status < 0)
        status = make_script(c, title, sizeof title);
    if (status < 0)
        status = etm_cli_configure_path(c);
    if (status < 0)
        status = check_driver(c);
    if (status < 0) {
        for (size_t i = 0; i < notes->n; i++)
            etm_cli_error("note: %s", notes->text[i]);
        note_base(c);
        status = write_out(c, setup);
    }
    free(setup);
    free(notes);
    return status;
}
