/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps as text: a row for each language. In its templates @a is the address of
 * a step, @r the number of a register, @m its mask, @v its value, @c a comment,
 * and @t the TAP.
 */
#include "setup/steps.h"

#include "base/diag.h"

#include <string.h>

struct form {
    const char *comment, *comment_end; /* around a line of comment */
    const char *helpers;               /* what the steps use */
    const char *drain_etb, *drain_tmc; /* to read a buffer; NULL: it cannot */
    const char *open, *close;          /* around the steps */
    const char *open_read_out, *close_read_out;
    const char *steps[ETM_STEP_CAPTURE_SWO + 1]; /* by kind */
};

static const struct form table = {
    .comment = "# ",
    .comment_end = "",
    .helpers = "",
    .open = "",
    .close = "",
    .steps = {[ETM_STEP_SECTION] = "# @c:\n",
              [ETM_STEP_WRITE] = "#   @a = @v  @c\n",
              [ETM_STEP_CHANGE] = "#   @a: clear @m, set @v  @c\n",
              [ETM_STEP_WAIT] = "#   @a & @m == @v  @c\n",
              [ETM_STEP_READ] = "#   @a is read  @c\n"}};

static const struct form openocd = {
    .comment = "# ",
    .comment_end = "",
    .helpers =
        "proc etm_change {address clear set} {\n"
        "    mww $address [expr {[read_memory $address 32 1] & ~$clear | "
        "$set}]\n"
        "}\n"
        "proc etm_wait {address mask value} {\n"
        "    for {set i 0} {$i < 1000} {incr i} {\n"
        "        if {([read_memory $address 32 1] & $mask) == $value} return\n"
        "    }\n"
        "    error [format {0x%08x: bits 0x%08x do not become 0x%08x} \\\n"
        "        $address $mask $value]\n"
        "}\n",
    .drain_etb =
        "proc etm_put {out word} {\n"
        "    for {set i 0} {$i < 32} {incr i 8} {\n"
        "        puts -nonewline $out [format %c [expr {$word >> $i & 255}]]\n"
        "    }\n"
        "}\n"
        "# A buffer that is full begins at its write pointer.\n"
        "proc etm_drain {base file} {\n"
        "    set n [read_memory [expr {$base + 0x018}] 32 1]\n"
        "    set from 0\n"
        "    if {[read_memory [expr {$base + 0x00c}] 32 1] & 1} {\n"
        "        set from $n\n"
        "        set n [read_memory [expr {$base + 0x004}] 32 1]\n"
        "    }\n"
        "    mww [expr {$base + 0x014}] $from\n"
        "    set out [open $file wb]\n"
        "    for {set i 0} {$i < $n} {incr i} {\n"
        "        etm_put $out [read_memory [expr {$base + 0x010}] 32 1]\n"
        "    }\n"
        "    close $out\n"
        "}\n",
    .drain_tmc =
        "proc etm_put {out word} {\n"
        "    for {set i 0} {$i < 32} {incr i 8} {\n"
        "        puts -nonewline $out [format %c [expr {$word >> $i & 255}]]\n"
        "    }\n"
        "}\n"
        "# Behind the last word it reads as all ones.\n"
        "proc etm_drain {base file} {\n"
        "    set out [open $file wb]\n"
        "    while {1} {\n"
        "        set word [read_memory [expr {$base + 0x010}] 32 1]\n"
        "        if {$word == 0xffffffff} break\n"
        "        etm_put $out $word\n"
        "    }\n"
        "    close $out\n"
        "}\n",
    .open = "",
    .close = "",
    .open_read_out = "",
    .close_read_out = "",
    .steps = {[ETM_STEP_SECTION] = "\n# @c\n",
              [ETM_STEP_WRITE] = "mww @a @v ;# @c\n",
              [ETM_STEP_CHANGE] = "etm_change @a @m @v ;# @c\n",
              [ETM_STEP_WAIT] = "etm_wait @a @m @v ;# @c\n",
              [ETM_STEP_READ] = "read_memory @a 32 1 ;# @c\n",
              [ETM_STEP_DRAIN_ETB] = "etm_drain @a etb.bin\n",
              [ETM_STEP_DRAIN_TMC] = "etm_drain @a etb.bin\n",
              [ETM_STEP_CAPTURE_SWO] =
                  "set etm_tpiu [lindex [tpiu names] 0]\n"
                  "$etm_tpiu configure -protocol uart -output swo.bin\n"
                  "$etm_tpiu configure -traceclk @M -pin-freq @V "
                  "-formatter @f\n"
                  "$etm_tpiu enable\n"}};

/* Scan chain 6 of an ARM7 or ARM9 (3.2.1). */
static const struct form openocd_jtag = {
    .comment = "# ",
    .comment_end = "",
    .helpers =
        "set etm_tap @t\n"
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
        "}\n"
        "proc etm_change {number clear set} {\n"
        "    etm_write $number [expr {[etm_read $number] & ~$clear | $set}]\n"
        "}\n"
        "proc etm_wait {number mask value} {\n"
        "    for {set i 0} {$i < 1000} {incr i} {\n"
        "        if {([etm_read $number] & $mask) == $value} return\n"
        "    }\n"
        "    error \"register $number does not become $value\"\n"
        "}\n",
    .open = "\n",
    .close = "",
    .steps = {[ETM_STEP_WRITE] = "etm_write @r @v ;# @c\n",
              [ETM_STEP_CHANGE] = "etm_change @r @m @v ;# @c\n",
              [ETM_STEP_WAIT] = "etm_wait @r @m @v ;# @c\n",
              [ETM_STEP_READ] = "etm_read @r ;# @c\n"}};

/* GDB allows no comment after a command. */
static const struct form gdb = {
    .comment = "# ",
    .comment_end = "",
    .helpers =
        "set mem inaccessible-by-default off\n"
        "define etm_change\n"
        "  set *(unsigned int *)$arg0 = *(unsigned int *)$arg0 & ~$arg1 | "
        "$arg2\n"
        "end\n"
        "define etm_wait\n"
        "  set $etm_tries = 0\n"
        "  while (*(unsigned int *)$arg0 & $arg1) != $arg2 && $etm_tries < "
        "1000\n"
        "    set $etm_tries = $etm_tries + 1\n"
        "  end\n"
        "  if $etm_tries == 1000\n"
        "    printf \"0x%08x: bits 0x%08x do not become 0x%08x\\n\", $arg0, "
        "$arg1, $arg2\n"
        "  end\n"
        "end\n",
    .drain_etb = "# A buffer that is full begins at its write pointer.\n"
                 "define etm_drain\n"
                 "  set $etm_n = *(unsigned int *)($arg0 + 0x018)\n"
                 "  set $etm_from = 0\n"
                 "  if *(unsigned int *)($arg0 + 0x00c) & 1\n"
                 "    set $etm_from = $etm_n\n"
                 "    set $etm_n = *(unsigned int *)($arg0 + 0x004)\n"
                 "  end\n"
                 "  set *(unsigned int *)($arg0 + 0x014) = $etm_from\n"
                 "  set $etm_i = 0\n"
                 "  while $etm_i < $etm_n\n"
                 "    set $etm_word = *(unsigned int *)($arg0 + 0x010)\n"
                 "    if $etm_i == 0\n"
                 "      dump binary value $arg1 $etm_word\n"
                 "    else\n"
                 "      append binary value $arg1 $etm_word\n"
                 "    end\n"
                 "    set $etm_i = $etm_i + 1\n"
                 "  end\n"
                 "end\n",
    .drain_tmc = "# Behind the last word it reads as all ones.\n"
                 "define etm_drain\n"
                 "  set $etm_i = 0\n"
                 "  set $etm_word = *(unsigned int *)($arg0 + 0x010)\n"
                 "  while $etm_word != 0xffffffff\n"
                 "    if $etm_i == 0\n"
                 "      dump binary value $arg1 $etm_word\n"
                 "    else\n"
                 "      append binary value $arg1 $etm_word\n"
                 "    end\n"
                 "    set $etm_i = $etm_i + 1\n"
                 "    set $etm_word = *(unsigned int *)($arg0 + 0x010)\n"
                 "  end\n"
                 "end\n",
    .open = "",
    .close = "",
    .open_read_out = "",
    .close_read_out = "",
    .steps = {[ETM_STEP_SECTION] = "\n# @c\n",
              [ETM_STEP_WRITE] = "# @c\nset *(unsigned int *)@a = @v\n",
              [ETM_STEP_CHANGE] = "# @c\netm_change @a @m @v\n",
              [ETM_STEP_WAIT] = "# @c\netm_wait @a @m @v\n",
              [ETM_STEP_READ] = "# @c\nset $etm_read = *(unsigned int *)@a\n",
              [ETM_STEP_DRAIN_ETB] = "etm_drain @a etb.bin\n",
              [ETM_STEP_DRAIN_TMC] = "etm_drain @a etb.bin\n"}};

static const struct form c = {
    .comment = "/* ",
    .comment_end = " */",
    .helpers =
        "#include <stdint.h>\n"
        "\n"
        "/* How registers are accessed; both may be defined before, for "
        "memory\n"
        "   that is mapped elsewhere. */\n"
        "#ifndef ETM_STORE\n"
        "#define ETM_STORE(a, v) (*(volatile uint32_t *)(uintptr_t)(a) = (v))\n"
        "#endif\n"
        "#ifndef ETM_LOAD\n"
        "#define ETM_LOAD(a) (*(volatile uint32_t *)(uintptr_t)(a))\n"
        "#endif\n"
        "\n"
        "static inline void etm_change(uint32_t address, uint32_t clear,\n"
        "                              uint32_t set)\n"
        "{\n"
        "    uint32_t value = ETM_LOAD(address);\n"
        "\n"
        "    ETM_STORE(address, (value & ~clear) | set);\n"
        "    (void)ETM_LOAD(address); /* it is there, such as a clock */\n"
        "}\n"
        "\n"
        "static inline void etm_wait(uint32_t address, uint32_t mask,\n"
        "                            uint32_t value)\n"
        "{\n"
        "    while ((ETM_LOAD(address) & mask) != value)\n"
        "        continue;\n"
        "}\n",
    .drain_etb =
        "\n/* A buffer that is full begins at its write pointer. */\n"
        "static inline unsigned etm_drain(uint32_t base, uint32_t *words,\n"
        "                                 unsigned room)\n"
        "{\n"
        "    uint32_t n = ETM_LOAD(base + 0x018), from = 0;\n"
        "\n"
        "    if ((ETM_LOAD(base + 0x00c) & 1) != 0) {\n"
        "        from = n;\n"
        "        n = ETM_LOAD(base + 0x004);\n"
        "    }\n"
        "    ETM_STORE(base + 0x014, from);\n"
        "    for (unsigned i = 0; i < n && i < room; i++)\n"
        "        words[i] = ETM_LOAD(base + 0x010);\n"
        "    return n < room ? (unsigned)n : room;\n"
        "}\n",
    .drain_tmc =
        "\n/* Behind the last word it reads as all ones. */\n"
        "static inline unsigned etm_drain(uint32_t base, uint32_t *words,\n"
        "                                 unsigned room)\n"
        "{\n"
        "    unsigned n = 0;\n"
        "\n"
        "    for (uint32_t word; n < room; words[n++] = word) {\n"
        "        word = ETM_LOAD(base + 0x010);\n"
        "        if (word == 0xffffffff)\n"
        "            break;\n"
        "    }\n"
        "    return n;\n"
        "}\n",
    .open = "\nstatic inline void etm_setup_program(void)\n{\n",
    .close = "}\n",
    .open_read_out =
        "\n/* How many words of the buffer there are, the oldest first. */\n"
        "static inline unsigned etm_read_out(uint32_t *words, unsigned room)\n"
        "{\n"
        "    unsigned n;\n"
        "\n",
    .close_read_out = "    return n;\n}\n",
    .steps = {[ETM_STEP_SECTION] = "\n    /* @c */\n",
              [ETM_STEP_WRITE] = "    ETM_STORE(@a, @v); /* @c */\n",
              [ETM_STEP_CHANGE] = "    etm_change(@a, @m, @v); /* @c */\n",
              [ETM_STEP_WAIT] = "    etm_wait(@a, @m, @v); /* @c */\n",
              [ETM_STEP_READ] = "    (void)ETM_LOAD(@a); /* @c */\n",
              [ETM_STEP_DRAIN_ETB] = "    n = etm_drain(@a, words, room);\n",
              [ETM_STEP_DRAIN_TMC] = "    n = etm_drain(@a, words, room);\n"}};

/* Its language has functions of C, but neither files nor prototypes. J-Link
 * calls SetupTarget() when it has connected, and OnTraceStart() before it
 * captures trace itself. */
static const struct form jlink = {
    .comment = "/* ",
    .comment_end = " */",
    .helpers = "int etm_change(U32 address, U32 clear, U32 set) {\n"
               "  U32 value;\n"
               "\n"
               "  value = JLINK_MEM_ReadU32(address);\n"
               "  value = (value & ~clear) | set;\n"
               "  JLINK_MEM_WriteU32(address, value);\n"
               "  return 0;\n"
               "}\n"
               "\n"
               "int etm_wait(U32 address, U32 mask, U32 value) {\n"
               "  int tries;\n"
               "\n"
               "  tries = 0;\n"
               "  while (tries < 1000) {\n"
               "    if ((JLINK_MEM_ReadU32(address) & mask) == value) {\n"
               "      return 0;\n"
               "    }\n"
               "    tries = tries + 1;\n"
               "  }\n"
               "  JLINK_SYS_Report(\"a register does not change\");\n"
               "  return -1;\n"
               "}\n",
    .open = "\nint etm_setup_program(void) {\n",
    .close = "  return 0;\n"
             "}\n"
             "\n"
             "int SetupTarget(void) {\n"
             "  return etm_setup_program();\n"
             "}\n"
             "\n"
             "int OnTraceStart(void) {\n"
             "  return etm_setup_program();\n"
             "}\n",
    .steps = {[ETM_STEP_SECTION] = "\n  /* @c */\n",
              [ETM_STEP_WRITE] = "  JLINK_MEM_WriteU32(@a, @v); /* @c */\n",
              [ETM_STEP_CHANGE] = "  etm_change(@a, @m, @v); /* @c */\n",
              [ETM_STEP_WAIT] = "  if (etm_wait(@a, @m, @v) < 0) { /* @c */\n"
                                "    return -1;\n"
                                "  }\n",
              [ETM_STEP_READ] = "  JLINK_MEM_ReadU32(@a); /* @c */\n"}};

static const struct form pyocd = {
    .comment = "# ",
    .comment_end = "",
    .helpers =
        "from pyocd.core.helpers import ConnectHelper\n"
        "\n"
        "\n"
        "def etm_wait(target, address, mask, value):\n"
        "    for _ in range(1000):\n"
        "        if target.read32(address) & mask == value:\n"
        "            return\n"
        "    raise RuntimeError('0x%08x: bits 0x%08x do not become 0x%08x' %\n"
        "                       (address, mask, value))\n",
    .drain_etb = "\n"
                 "\n"
                 "def etm_drain(target, base, name):\n"
                 "    \"\"\"A buffer that is full begins at its write "
                 "pointer.\"\"\"\n"
                 "    n, first = target.read32(base + 0x018), 0\n"
                 "    if target.read32(base + 0x00c) & 1:\n"
                 "        n, first = target.read32(base + 0x004), n\n"
                 "    target.write32(base + 0x014, first)\n"
                 "    with open(name, 'wb') as out:\n"
                 "        for _ in range(n):\n"
                 "            word = target.read32(base + 0x010)\n"
                 "            out.write(word.to_bytes(4, 'little'))\n",
    .drain_tmc = "\n"
                 "\n"
                 "def etm_drain(target, base, name):\n"
                 "    \"\"\"Behind the last word it reads as all ones.\"\"\"\n"
                 "    with open(name, 'wb') as out:\n"
                 "        word = target.read32(base + 0x010)\n"
                 "        while word != 0xffffffff:\n"
                 "            out.write(word.to_bytes(4, 'little'))\n"
                 "            word = target.read32(base + 0x010)\n",
    .open = "\n\ndef etm_setup_program(target):\n",
    .close = "\n\nif __name__ == '__main__':\n"
             "    with ConnectHelper.session_with_chosen_probe() as session:\n"
             "        etm_setup_program(session.target)\n",
    .open_read_out = "\n\ndef etm_read_out(target):\n",
    .close_read_out =
        "\n\nif __name__ == '__main__':\n"
        "    with ConnectHelper.session_with_chosen_probe() as session:\n"
        "        etm_read_out(session.target)\n",
    .steps = {[ETM_STEP_SECTION] = "    # @c\n",
              [ETM_STEP_WRITE] = "    target.write32(@a, @v)  # @c\n",
              [ETM_STEP_CHANGE] =
                  "    target.write32(@a, target.read32(@a) & ~@m | @v)"
                  "  # @c\n",
              [ETM_STEP_WAIT] = "    etm_wait(target, @a, @m, @v)  # @c\n",
              [ETM_STEP_READ] = "    target.read32(@a)  # @c\n",
              [ETM_STEP_DRAIN_ETB] = "    etm_drain(target, @a, 'etb.bin')\n",
              [ETM_STEP_DRAIN_TMC] = "    etm_drain(target, @a, 'etb.bin')\n"}};

static const struct form *form_of(enum etm_setup_format format)
{
    switch (format) {
    case ETM_SETUP_FORMAT_TABLE:
        return &table;
    case ETM_SETUP_FORMAT_C:
        return &c;
    case ETM_SETUP_FORMAT_OPENOCD:
        return &openocd;
    case ETM_SETUP_FORMAT_GDB:
        return &gdb;
    case ETM_SETUP_FORMAT_JLINK:
        return &jlink;
    case ETM_SETUP_FORMAT_PYOCD:
        return &pyocd;
    case ETM_SETUP_FORMAT_SYSFS:
        break;
    }
    return NULL;
}

struct printer {
    struct etm_steps steps; /* the first member: take() gets it */
    const struct form *form;
    const struct etm_setup_script *script;
    struct etm_setup_text *out;
};

static void print_comment(struct etm_setup_text *out,
                          const struct etm_step *step)
{
    const char *name = step->name ? step->name : "";

    etm_setup_print(out, "%s%s%s", name,
                    step->why && name[0] != '\0' ? ": " : "",
                    step->why ? step->why : "");
}

static void print_field(struct printer *p, char what,
                        const struct etm_step *step)
{
    switch (what) {
    case 'a':
        etm_setup_print(p->out, "0x%08x", (unsigned)step->address);
        break;
    case 'r':
        etm_setup_print(p->out, "0x%03x", (unsigned)(step->address / 4));
        break;
    case 'm':
        etm_setup_print(p->out, "0x%08x", (unsigned)step->mask);
        break;
    case 'v':
        etm_setup_print(p->out, "0x%08x", (unsigned)step->value);
        break;
    case 'M':
        etm_setup_print(p->out, "%lu", (unsigned long)step->mask);
        break;
    case 'V':
        etm_setup_print(p->out, "%lu", (unsigned long)step->value);
        break;
    case 'f':
        etm_setup_print(p->out, "%s", step->address != 0 ? "off" : "on");
        break;
    case 't':
        etm_setup_print(p->out, "%s",
                        p->script->tap ? p->script->tap : "$_TARGETNAME");
        break;
    default:
        print_comment(p->out, step);
        break;
    }
}

static void expand(struct printer *p, const char *template,
                   const struct etm_step *step)
{
    while (*template != '\0') {
        size_t n = strcspn(template, "@");

        etm_setup_print(p->out, "%.*s", (int)n, template);
        template += n;
        if (*template == '\0')
            return;
        print_field(p, template[1], step);
        template += 2;
    }
}

static void take(struct etm_steps *steps, const struct etm_step *step)
{
    struct printer *p = (struct printer *)steps;

    expand(p, p->form->steps[step->kind], step);
}

static void print_line(struct printer *p, const char *before, const char *text)
{
    if (!text || text[0] == '\0')
        return;
    etm_setup_print(p->out, "%s%s", p->form->comment, before);
    etm_setup_comment(p->out, text);
    etm_setup_print(p->out, "%s\n", p->form->comment_end);
}

static void print_head(struct printer *p)
{
    const struct etm_trace_path *path = p->script->path;

    print_line(p, "", p->script->title);
    if (!path || !path->chip)
        return;
    print_line(p, "chip: ", path->chip->models);
    print_line(p, "pins: ", path->chip->pins);
    print_line(p, "values from: ", path->chip->source);
    print_line(p, "but: ", path->chip->caveat);
}

/* What the language cannot do. */
static int check_read_out(const struct form *form,
                          const struct etm_trace_path *path,
                          struct etm_diag *diag)
{
    if (path->sink == ETM_SINK_SWO)
        return form == &openocd
                   ? ETM_OK
                   : etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "swo",
                                  "OpenOCD alone captures SWO by a script");
    if (path->sink == ETM_SINK_TPIU)
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "tpiu",
                            "a trace port is captured from its pins, not by a "
                            "script");
    if (!form->drain_etb)
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "etb",
                            "scripts of this language write no files");
    return ETM_OK;
}

static int print_path(struct printer *p, const struct etm_setup *setup,
                      struct etm_diag *diag)
{
    const struct etm_trace_path *path = p->script->path;
    int status = etm_path_check(p->script, diag);

    if (status == ETM_OK && path->read_out)
        status = check_read_out(p->form, path, diag);
    if (status != ETM_OK)
        return status;
    print_head(p);
    if (!path->read_out || path->sink == ETM_SINK_ETB)
        etm_setup_print(p->out, "%s", p->form->helpers);
    if (path->read_out && path->sink == ETM_SINK_ETB)
        etm_setup_print(p->out, "%s",
                        path->tmc != 0 ? p->form->drain_tmc
                                       : p->form->drain_etb);
    etm_setup_print(p->out, "%s",
                    path->read_out ? p->form->open_read_out : p->form->open);
    etm_path_steps(&p->steps, setup, p->script);
    etm_setup_print(p->out, "%s",
                    path->read_out ? p->form->close_read_out : p->form->close);
    return ETM_OK;
}

int etm_form_write(enum etm_setup_format format, const struct etm_setup *setup,
                   const struct etm_setup_script *script,
                   struct etm_setup_text *out, struct etm_diag *diag)
{
    const struct etm_step nothing = {.kind = ETM_STEP_SECTION};
    struct printer p = {.steps = {.take = take},
                        .form = form_of(format),
                        .script = script,
                        .out = out};

    p.steps.no_setup = p.form == &table;
    if (script->path)
        return print_path(&p, setup, diag);
    if (!etm_script_by_memory(script)) {
        if (p.form != &openocd ||
            (script->interfaces & ETM_INTERFACE_JTAG) == 0)
            return etm_diag_say(
                diag, ETM_ERR_UNSUPPORTED, etm_setup_format_name(format),
                p.form == &openocd
                    ? "a script can access memory-mapped and JTAG registers, "
                      "but not those of a coprocessor interface"
                    : "scripts of this language access memory-mapped registers "
                      "only");
        p.form = &openocd_jtag;
    }
    print_head(&p);
    expand(&p, p.form->helpers, &nothing);
    etm_setup_print(out, "%s", p.form->open);
    etm_steps_beside(&p.steps, setup);
    etm_steps_stop(&p.steps, script);
    etm_steps_program(&p.steps, setup, script);
    etm_setup_print(out, "%s", p.form->close);
    return ETM_OK;
}
