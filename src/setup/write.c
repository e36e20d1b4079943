/* SPDX-License-Identifier: Apache-2.0 */
/* Setups as text: a table, an array, or a script. */
#include "base/diag.h"
#include "setup/steps.h"

#include "base/size.h"

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
    if (!script->path) /* it stands before the path */
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

/* One row of an array. */
static void write_c_row(const struct etm_setup_value *value,
                        struct etm_setup_text *out)
{
    etm_setup_print(out, "    {0x%03x, 0x%08x}, /* %s */\n",
                    (unsigned)value->number, (unsigned)value->value,
                    name_of(value->number));
}

/* The values alone, of a macrocell that no program can reach in memory. */
static void write_c_array(const struct etm_setup *setup,
                          const struct etm_setup_script *script,
                          struct etm_setup_text *out)
{
    write_title(out, script, "/* ", " */");
    etm_setup_print(out, "#include <stdint.h>\n\n"
                         "static const struct {\n"
                         "    uint16_t number; /* offset / 4 */\n"
                         "    uint32_t value;\n"
                         "} etm_setup[] = {\n");
    for (size_t i = 0; i < setup->n; i++)
        if (etm_setup_programmable(setup->values[i].number))
            write_c_row(&setup->values[i], out);
    etm_setup_print(out, "};\n");
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

/* A path has something to set up in any case. */
static int check_registers(const struct etm_setup *setup,
                           enum etm_setup_format format,
                           const struct etm_setup_script *script,
                           struct etm_diag *diag)
{
    if (script->path && format == ETM_SETUP_FORMAT_SYSFS)
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "sysfs",
                            "Linux's drivers set up the path of the trace "
                            "themselves");
    if (script->path || format == ETM_SETUP_FORMAT_SYSFS ||
        has_any(setup, format))
        return ETM_OK;
    return etm_diag_say(diag, ETM_ERR_UNSUPPORTED,
                        etm_setup_format_name(format),
                        "there is no register to write");
}

static int write_format(const struct etm_setup *setup,
                        enum etm_setup_format format,
                        const struct etm_setup_script *script,
                        struct etm_setup_text *out, struct etm_diag *diag)
{
    bool memory = etm_script_by_memory(script);
    int status = ETM_OK;

    if (format == ETM_SETUP_FORMAT_SYSFS)
        return memory ? etm_setup_write_sysfs(setup, script, out, diag)
                      : etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "sysfs",
                                     "Linux's driver supports memory-mapped "
                                     "macrocells only");
    if (format == ETM_SETUP_FORMAT_C && !memory && !script->path)
        write_c_array(setup, script, out);
    else if (format != ETM_SETUP_FORMAT_TABLE || script->path)
        status = etm_form_write(format, setup, script, out, diag);
    if (format == ETM_SETUP_FORMAT_TABLE && status == ETM_OK)
        write_table(setup, script, out);
    return status;
}

int etm_setup_write(const struct etm_setup *setup, enum etm_setup_format format,
                    const struct etm_setup_script *script, char *text,
                    size_t capacity, struct etm_diag *diag)
{
    static const struct etm_setup_script plain = {0};
    struct etm_setup_script own;
    struct etm_trace_path path;
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
    if ((unsigned)format > ETM_SETUP_FORMAT_PYOCD)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "format",
                            "there is no such format");
    if (capacity != 0)
        text[0] = '\0';
    if (script->path) {
        status = ETM_TAKE(etm_trace_path, &path, script->path, diag);
        own.path = &path;
    }
    if (status == ETM_OK)
        status = check_registers(setup, format, script, diag);
    if (status == ETM_OK)
        status = write_format(setup, format, script, &out, diag);
    return status == ETM_OK ? (int)out.n : status;
}
