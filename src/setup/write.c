/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setups as text: a table, and scripts with the procedure of 3.4.3. In these,
 * ETMCR is a variable, and each other register one call of etm_write with its
 * number: this is what etm_setup_read() looks for.
 */
#include "base/diag.h"
#include "setup/setup.h"

#include "base/size.h"
#include "model/dwt.h"

/* Where M-profile processors have their ETM. */
#define BASE_M UINT32_C(0xe0041000)

#define INTERFACES                                                             \
    (ETM_INTERFACE_JTAG | ETM_INTERFACE_COPROCESSOR | ETM_INTERFACE_MEMORY)

/* "ETMCR", or "" for what has no name. */
static const char *name_of(uint32_t number)
{
    const char *name = etm_register_name(number);

    return name ? name : "";
}

static void write_title(struct etm_setup_text *out,
                        const struct etm_setup_script *script,
                        const char *before, const char *behind)
{
    if (!script->title || script->title[0] == '\0')
        return;
    etm_setup_print(out, "%s", before);
    etm_setup_comment(out, script->title);
    etm_setup_print(out, "%s\n", behind);
}

static void write_table(const struct etm_setup *setup,
                        const struct etm_setup_script *script,
                        struct etm_setup_text *out)
{
    write_title(out, script, "# ", "");
    for (size_t i = 0; i < setup->n; i++) {
        uint32_t number = setup->values[i].number;
        const char *name = etm_register_name(number);

        if (name)
            etm_setup_print(out, "%-14s = 0x%08x  # 0x%03x\n", name,
                            (unsigned)setup->values[i].value, (unsigned)number);
        else
            etm_setup_print(out, "reg 0x%03x      = 0x%08x\n", (unsigned)number,
                            (unsigned)setup->values[i].value);
    }
}

static bool by_memory(const struct etm_setup_script *script)
{
    return script->interfaces == 0 ||
           (script->interfaces & ETM_INTERFACE_MEMORY) != 0;
}

static uint32_t base_of(const struct etm_setup_script *script)
{
    return script->base == 0 ? BASE_M : script->base;
}

/* One row of an array. */
static void write_c_row(const struct etm_setup_value *value,
                        struct etm_setup_text *out)
{
    etm_setup_print(out, "    {0x%03x, 0x%08x}, /* %s */\n",
                    (unsigned)value->number, (unsigned)value->value,
                    name_of(value->number));
}

static void write_c_array_beside(const struct etm_setup *setup,
                                 struct etm_setup_text *out)
{
    if (!etm_setup_any_beside(setup))
        return;
    etm_setup_print(out, "static const struct {\n"
                         "    uint32_t address;\n"
                         "    uint32_t value;\n"
                         "} etm_beside[] = {\n");
    for (size_t i = 0; i < setup->n; i++)
        if (etm_register_beside(setup->values[i].number))
            write_c_row(&setup->values[i], out);
    etm_setup_print(out, "};\n\n");
}

/* In DEMCR bits are set: others are the debugger's. */
static void write_c_beside(struct etm_setup_text *out)
{
    etm_setup_print(
        out,
        "    for (unsigned i = 0; i < sizeof etm_beside / sizeof *etm_beside;\n"
        "         i++) {\n"
        "        volatile uint32_t *at =\n"
        "            (volatile uint32_t *)(uintptr_t)etm_beside[i].address;\n"
        "        uint32_t keep = etm_beside[i].address == 0x%08x ? *at : 0;\n"
        "\n"
        "        *at = keep | etm_beside[i].value;\n"
        "    }\n",
        (unsigned)ETM_REG_DEMCR);
}

/* The function that writes the array. */
static void write_c_function(const struct etm_setup *setup,
                             const struct etm_setup_script *script,
                             struct etm_setup_text *out)
{
    etm_setup_print(
        out,
        "\n/* `etm`: ETMCR of a memory-mapped macrocell, at 0x%08x. Map\n"
        "   it as Device memory. */\n"
        "static void etm_setup_program(volatile uint32_t *etm)\n{\n"
        "    unsigned n = sizeof etm_setup / sizeof *etm_setup;\n"
        "    uint32_t control;\n\n",
        (unsigned)base_of(script));
    if (etm_setup_any_beside(setup))
        write_c_beside(out);
    if (!script->no_lock)
        etm_setup_print(out, "    etm[0x3ec] = 0xc5acce55; /* unlock */\n");
    if (script->os_lock)
        etm_setup_print(out, "    (void)etm[0x0c5];\n    etm[0x0c0] = 0;\n");
    etm_setup_print(out, "    etm[0x000] &= ~UINT32_C(0x1);\n"
                         "    etm[0x000] |= 0x400;\n");
    if (!script->no_status)
        etm_setup_print(out, "    while ((etm[0x004] & 2) == 0)\n"
                             "        continue;\n");
    if (script->shared) /* its core first, with power off (3.5.1, [27:25]) */
        etm_setup_print(
            out,
            "    for (unsigned i = 0; i < n; i++)\n"
            "        if (etm_setup[i].number == 0x000) {\n"
            "            etm[0x000] |= 0x1;\n"
            "            etm[0x000] = (etm[0x000] & ~UINT32_C(0x0e000000)) |\n"
            "                         (etm_setup[i].value & 0x0e000000);\n"
            "            etm[0x000] &= ~UINT32_C(0x1);\n"
            "        }\n");
    etm_setup_print(
        out, "    control = etm[0x000];\n"
             "    for (unsigned i = 0; i < n; i++) {\n"
             "        if (etm_setup[i].number == 0x000)\n"
             "            control = etm_setup[i].value;\n"
             "        else\n"
             "            etm[etm_setup[i].number] = etm_setup[i].value;\n"
             "    }\n"
             "    etm[0x000] = control | 0x400;\n"
             "    etm[0x000] = control & ~UINT32_C(0x401);\n");
    if (!script->no_status)
        etm_setup_print(out, "    while ((etm[0x004] & 2) != 0)\n"
                             "        continue;\n");
    if (!script->no_lock)
        etm_setup_print(out, "    etm[0x3ec] = 0; /* lock */\n");
    etm_setup_print(out, "}\n");
}

static void write_c(const struct etm_setup *setup,
                    const struct etm_setup_script *script,
                    struct etm_setup_text *out)
{
    write_title(out, script, "/* ", " */");
    etm_setup_print(out, "#include <stdint.h>\n\n");
    write_c_array_beside(setup, out);
    etm_setup_print(out, "static const struct {\n"
                         "    uint16_t number; /* offset / 4 */\n"
                         "    uint32_t value;\n"
                         "} etm_setup[] = {\n");
    for (size_t i = 0; i < setup->n; i++) {
        if (etm_setup_programmable(setup->values[i].number))
            write_c_row(&setup->values[i], out);
    }
    etm_setup_print(out, "};\n");
    if (by_memory(script))
        write_c_function(setup, script, out);
}

/* How OpenOCD accesses a register: through memory, or scan chain 6 of an ARM7
 * or ARM9 (3.2.1). */
static void write_openocd_access(const struct etm_setup_script *script,
                                 struct etm_setup_text *out)
{
    if (by_memory(script)) {
        etm_setup_print(
            out,
            "set etm_base 0x%08x\n"
            "proc etm_write {number value} {\n"
            "    global etm_base\n"
            "    mww [expr {$etm_base + 4 * $number}] $value\n"
            "}\n"
            "proc etm_read {number} {\n"
            "    global etm_base\n"
            "    read_memory [expr {$etm_base + 4 * $number}] 32 1\n"
            "}\n",
            (unsigned)base_of(script));
        return;
    }
    etm_setup_print(
        out,
        "set etm_tap %s\n"
        "# Bits of the scan chain select register: 4 in an ARM7TDMI.\n"
        "set etm_select 5\n"
        "proc etm_scan {number write value} {\n"
        "    global etm_tap etm_select\n"
        "    irscan $etm_tap 0x2\n"
        "    drscan $etm_tap $etm_select 6\n"
        "    irscan $etm_tap 0xc\n"
        "    drscan $etm_tap 32 $value 7 $number 1 $write\n"
        "}\n"
        "proc etm_write {number value} { etm_scan $number 1 $value }\n"
        "proc etm_read {number} {\n"
        "    etm_scan $number 0 0\n"
        "    expr \"0x[lindex [etm_scan $number 0 0] 0]\"\n"
        "}\n",
        script->tap ? script->tap : "$_TARGETNAME");
}

/* Registers beside the macrocell in a script: in DEMCR bits are set, as others
 * are the debugger's. A comment follows in the line if `behind` begins one, or
 * else comes before it. */
static void write_beside(const struct etm_setup *setup, const char *behind,
                         struct etm_setup_text *out)
{
    for (size_t i = 0; i < setup->n; i++) {
        const struct etm_setup_value *v = &setup->values[i];
        const char *name = name_of(v->number);
        const char *call = v->number == ETM_REG_DEMCR ? "set" : "write";

        if (!etm_register_beside(v->number))
            continue;
        if (!behind)
            etm_setup_print(out, "# %s\n", name);
        etm_setup_print(out, "etm_%s_at 0x%08x 0x%08x", call,
                        (unsigned)v->number, (unsigned)v->value);
        if (behind)
            etm_setup_print(out, "%s%s", behind, name);
        etm_setup_print(out, "\n");
    }
}

static int write_openocd(const struct etm_setup *setup,
                         const struct etm_setup_script *script,
                         struct etm_setup_text *out, struct etm_diag *diag)
{
    bool memory = by_memory(script);
    uint32_t cr;

    if (!memory && (script->interfaces & ETM_INTERFACE_JTAG) == 0)
        return etm_diag_say(
            diag, ETM_ERR_UNSUPPORTED, "openocd",
            "a script can access memory-mapped and JTAG registers, but not "
            "those of a coprocessor interface");
    write_title(out, script, "# ", "");
    write_openocd_access(script, out);
    if (!script->no_status)
        etm_setup_print(
            out, "proc etm_wait {level} {\n"
                 "    for {set i 0} {$i < 1000} {incr i} {\n"
                 "        if {([etm_read 0x004] >> 1 & 1) == $level} return\n"
                 "    }\n"
                 "    error \"ETMSR: bit 1 does not follow ETMCR\"\n"
                 "}\n");
    if (etm_setup_any_beside(setup))
        etm_setup_print(out, "proc etm_write_at {address value} {\n"
                             "    mww $address $value\n"
                             "}\n"
                             "proc etm_set_at {address bits} {\n"
                             "    mww $address [expr {[read_memory $address 32 "
                             "1] | $bits}]\n"
                             "}\n");
    etm_setup_print(out, "\n");
    write_beside(setup, " ;# ", out);
    if (memory && !script->no_lock)
        etm_setup_print(out, "etm_write 0x3ec 0xc5acce55 ;# unlock\n");
    if (memory && script->os_lock)
        etm_setup_print(out, "etm_read 0x0c5 ;# clears the sticky bit\n"
                             "etm_write 0x0c0 0\n");
    etm_setup_print(out, "set etmcr [expr {[etm_read 0x000] & ~0x1}]\n"
                         "etm_write 0x000 $etmcr\n"
                         "etm_write 0x000 [expr {$etmcr | 0x400}]\n");
    if (!script->no_status)
        etm_setup_print(out, "etm_wait 1\n");
    if (etm_setup_get(setup, ETM_REG_CR, &cr)) {
        if (script->shared)
            etm_setup_print(out,
                            "# the core, with power off\n"
                            "etm_write 0x000 [expr {$etmcr | 0x401}]\n"
                            "set etmcr [expr {$etmcr & ~0x0e000000 | 0x%08x}]\n"
                            "etm_write 0x000 [expr {$etmcr | 0x401}]\n"
                            "etm_write 0x000 [expr {$etmcr | 0x400}]\n",
                            (unsigned)(cr & ETM_CR_CORE_SELECT));
        etm_setup_print(out, "set etmcr 0x%08x ;# ETMCR\n", (unsigned)cr);
    }
    etm_setup_print(out, "etm_write 0x000 [expr {$etmcr & ~0x1 | 0x400}]\n");
    for (size_t i = 0; i < setup->n; i++) {
        uint32_t number = setup->values[i].number;

        if (number != ETM_REG_CR && etm_setup_programmable(number))
            etm_setup_print(out, "etm_write 0x%03x 0x%08x ;# %s\n",
                            (unsigned)number, (unsigned)setup->values[i].value,
                            name_of(number));
    }
    etm_setup_print(out, "etm_write 0x000 [expr {$etmcr & ~0x401}]\n");
    if (!script->no_status)
        etm_setup_print(out, "etm_wait 0\n");
    if (memory && !script->no_lock)
        etm_setup_print(out, "etm_write 0x3ec 0 ;# lock\n");
    return ETM_OK;
}

/* GDB allows no comment after a command. */
static int write_gdb(const struct etm_setup *setup,
                     const struct etm_setup_script *script,
                     struct etm_setup_text *out, struct etm_diag *diag)
{
    uint32_t cr;

    if (!by_memory(script))
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "gdb",
                            "GDB can access memory-mapped registers only");
    write_title(out, script, "# ", "");
    etm_setup_print(out,
                    "set $etm = 0x%08x\n"
                    "define etm_write\n"
                    "  set *(unsigned int *)($etm + 4 * $arg0) = $arg1\n"
                    "end\n",
                    (unsigned)base_of(script));
    if (!script->no_status)
        etm_setup_print(
            out,
            "define etm_wait\n"
            "  while ((*(unsigned int *)($etm + 0x010) >> 1) & 1) != $arg0\n"
            "  end\n"
            "end\n");
    if (etm_setup_any_beside(setup))
        etm_setup_print(out, "define etm_write_at\n"
                             "  set *(unsigned int *)$arg0 = $arg1\n"
                             "end\n"
                             "define etm_set_at\n"
                             "  set *(unsigned int *)$arg0 = "
                             "*(unsigned int *)$arg0 | $arg1\n"
                             "end\n");
    etm_setup_print(out, "\n");
    write_beside(setup, NULL, out);
    if (!script->no_lock)
        etm_setup_print(out, "# unlock\netm_write 0x3ec 0xc5acce55\n");
    if (script->os_lock)
        etm_setup_print(out, "# clears the sticky bit\n"
                             "set $sticky = *(unsigned int *)($etm + 0x314)\n"
                             "etm_write 0x0c0 0\n");
    etm_setup_print(out, "set $etmcr = *(unsigned int *)$etm & ~0x1\n"
                         "etm_write 0x000 $etmcr\n"
                         "etm_write 0x000 $etmcr|0x400\n");
    if (!script->no_status)
        etm_setup_print(out, "etm_wait 1\n");
    if (etm_setup_get(setup, ETM_REG_CR, &cr)) {
        if (script->shared)
            etm_setup_print(out,
                            "# the core, with power off\n"
                            "etm_write 0x000 $etmcr|0x401\n"
                            "etm_write 0x000 "
                            "($etmcr&~0x0e000000)|0x%08x|0x401\n"
                            "etm_write 0x000 "
                            "($etmcr&~0x0e000000)|0x%08x|0x400\n",
                            (unsigned)(cr & ETM_CR_CORE_SELECT),
                            (unsigned)(cr & ETM_CR_CORE_SELECT));
        etm_setup_print(out, "set $etmcr = 0x%08x\n", (unsigned)cr);
    }
    etm_setup_print(out, "etm_write 0x000 ($etmcr&~0x1)|0x400\n");
    for (size_t i = 0; i < setup->n; i++) {
        uint32_t number = setup->values[i].number;

        if (number == ETM_REG_CR || !etm_setup_programmable(number))
            continue;
        etm_setup_print(out, "# %s\netm_write 0x%03x 0x%08x\n", name_of(number),
                        (unsigned)number, (unsigned)setup->values[i].value);
    }
    etm_setup_print(out, "etm_write 0x000 $etmcr&~0x401\n");
    if (!script->no_status)
        etm_setup_print(out, "etm_wait 0\n");
    if (!script->no_lock)
        etm_setup_print(out, "# lock\netm_write 0x3ec 0\n");
    return ETM_OK;
}

/* Whether there is a register that the format has. */
static bool has_any(const struct etm_setup *setup, enum etm_setup_format format)
{
    for (size_t i = 0; i < setup->n; i++)
        if (format == ETM_SETUP_FORMAT_TABLE ||
            etm_setup_programmable(setup->values[i].number))
            return true;
    return false;
}

int etm_setup_write(const struct etm_setup *setup, enum etm_setup_format format,
                    const struct etm_setup_script *script, char *text,
                    size_t capacity, struct etm_diag *diag)
{
    static const struct etm_setup_script plain = {0};
    struct etm_setup_script own;
    struct etm_setup_text out = {text, capacity, 0};
    int status =
        ETM_TAKE(etm_setup_script, &own, script ? script : &plain, diag);

    if (status != ETM_OK)
        return status;
    script = &own;
    if (!setup || (!text && capacity != 0) || setup->n > ETM_SETUP_CAPACITY)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "setup",
                            "no setup, or no place for the text");
    if ((script->interfaces & ~INTERFACES) != 0)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "interfaces",
                            "there is no such interface");
    if ((unsigned)format > ETM_SETUP_FORMAT_SYSFS)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "format",
                            "there is no such format");
    if (capacity != 0)
        text[0] = '\0';
    if (format != ETM_SETUP_FORMAT_SYSFS && !has_any(setup, format))
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED,
                            etm_setup_format_name(format),
                            "there is no register to write");
    switch (format) {
    case ETM_SETUP_FORMAT_TABLE:
        write_table(setup, script, &out);
        break;
    case ETM_SETUP_FORMAT_C:
        write_c(setup, script, &out);
        break;
    case ETM_SETUP_FORMAT_OPENOCD:
        status = write_openocd(setup, script, &out, diag);
        break;
    case ETM_SETUP_FORMAT_GDB:
        status = write_gdb(setup, script, &out, diag);
        break;
    case ETM_SETUP_FORMAT_SYSFS:
        status =
            by_memory(script)
                ? etm_setup_write_sysfs(setup, script, &out, diag)
                : etm_diag_say(
                      diag, ETM_ERR_UNSUPPORTED, "sysfs",
                      "Linux's driver supports memory-mapped macrocells only");
        break;
    }
    return status == ETM_OK ? (int)out.n : status;
}
