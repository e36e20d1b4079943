/* SPDX-License-Identifier: Apache-2.0 */
/* The options that say what a raw file is. */
#include "cli/options_raw.h"

#include <string.h>

int etm_cli_set_protocol(struct etm_cli_options *o, const char *value)
{
    const char *names[ETM_PROTOCOL_MTB + 1] = {NULL}; /* not "none" */
    int i;

    for (unsigned p = ETM_PROTOCOL_ETMV1; p <= ETM_PROTOCOL_MTB; p++)
        names[p - ETM_PROTOCOL_ETMV1] = etm_protocol_name((enum etm_protocol)p);
    i = etm_cli_choose(o->name, "--protocol", value, names);
    if (i < 0)
        return ETM_EXIT_USAGE;
    o->session.protocol = (enum etm_protocol)(ETM_PROTOCOL_ETMV1 + i);
    return -1;
}

int etm_cli_set_framing(struct etm_cli_options *o, const char *value)
{
    const char *names[ETM_FRAMING_ORBFLOW + 2] = {NULL};
    int i;

    for (unsigned framing = 0; framing <= ETM_FRAMING_ORBFLOW; framing++)
        names[framing] = etm_framing_name((enum etm_framing)framing);
    i = etm_cli_choose(o->name, "--framing", value, names);
    if (i < 0)
        return ETM_EXIT_USAGE;
    o->session.framing = (enum etm_framing)(ETM_FRAMING_NONE + i);
    o->session.framing_told = true;
    return -1;
}

int etm_cli_set_port_format(struct etm_cli_options *o, const char *value)
{
    const char *names[ETM_PORT_FORM_CSV + 2] = {NULL};
    int i;

    for (unsigned form = 0; form <= ETM_PORT_FORM_CSV; form++)
        names[form] = etm_port_form_name((enum etm_port_form)form);
    i = etm_cli_choose(o->name, "--port-format", value, names);
    if (i < 0)
        return ETM_EXIT_USAGE;
    o->session.form = (enum etm_port_form)i;
    return -1;
}

int etm_cli_set_port_width(struct etm_cli_options *o, const char *value)
{
    uint64_t pins;

    /* table 3-6 */
    if (!etm_cli_number(value, 64, &pins) || pins < 1)
        return etm_cli_bad_value(o->name, "--port-width", value,
                                 "not a number from 1 to 64");
    o->session.port_width = (uint8_t)pins;
    return -1;
}

int etm_cli_set_endian(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"le", "be8", "be32", NULL};
    int i = etm_cli_choose(o->name, "--endian", value, names);

    if (i < 0)
        return ETM_EXIT_USAGE;
    o->session.endian = (enum etm_endian)(ETM_ENDIAN_LITTLE + i);
    return -1;
}

/* N=SHORT or N=SHORT/LONG: words that its LDC and STC move. */
int etm_cli_set_coprocessor(struct etm_cli_options *o, const char *value)
{
    const char *text = value;
    uint64_t n, words[2] = {0};
    bool fine = etm_cli_take_number(&text, 15, &n) && *text++ == '=' &&
                etm_cli_take_number(&text, 32, &words[0]);

    if (fine && *text == '/') {
        text++;
        fine = etm_cli_take_number(&text, 32, &words[1]);
    }
    if (!fine || *text != '\0' || (words[0] == 0 && words[1] == 0))
        return etm_cli_bad_value(
            o->name, "--coprocessor", value,
            "not of the form N=WORDS or N=WORDS/WORDS, with 0 to "
            "15 and 1 to 32 words");
    o->session.coprocessor_words[n][0] = (uint8_t)words[0];
    o->session.coprocessor_words[n][1] = (uint8_t)words[1];
    return -1;
}

int etm_cli_set_reverse_bytes(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"auto", "none", "2", "4", "8", NULL};
    static const uint8_t words[] = {0, 1, 2, 4, 8};
    int i = etm_cli_choose(o->name, "--reverse-bytes", value, names);

    if (i < 0)
        return ETM_EXIT_USAGE;
    o->session.reverse_bytes = words[i];
    return -1;
}

int etm_cli_set_baud(struct etm_cli_options *o, const char *value)
{
    uint64_t baud;

    if (!etm_cli_number(value, UINT32_MAX, &baud) || baud == 0)
        return etm_cli_bad_value(o->name, "--baud", value,
                                 "not a number of bits a second");
    o->session.baud = baud;
    return -1;
}

/* "N", or "N,wrapped", "N,not-wrapped" if that is known. */
int etm_cli_set_write_pointer(struct etm_cli_options *o, const char *value)
{
    const char *text = value;
    bool number =
        etm_cli_take_number(&text, UINT64_MAX, &o->session.write_pointer);

    if (number && strcmp(text, ",wrapped") == 0)
        o->session.wrapped = ETM_TRUE;
    else if (number && strcmp(text, ",not-wrapped") == 0)
        o->session.wrapped = ETM_FALSE;
    else if (!number || *text != '\0')
        return etm_cli_bad_value(o->name, "--write-pointer", value,
                                 "not a number of bytes");
    return -1;
}
