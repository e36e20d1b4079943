/* SPDX-License-Identifier: Apache-2.0 */
#include "port_example.h"

#include <etm/write.h>

const struct etm_port_sample example[] = {
    {0x80, 1, BE}, {0xa0, 0, IE}, {0x80, 0, IE}, {0x80, 0, WT}, {0x10, 0, WT},
    {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, IE},
    {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD},
    {0x11, 0, ID}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD},
    {0x01, 0, TD}, {0x11, 0, ID}, {0x22, 0, WT}, {0x01, 0, TD}, {0x01, 0, TD},
    {0x11, 0, WT}, {0x22, 0, WT}, {0x33, 0, WT}, {0x44, 0, WT}, {0x01, 0, ID},
    {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, IE}, {0x00, 1, BE},
    {0x00, 0, IE}, {0x00, 0, IE}, {0x00, 0, TD},
};

const uint8_t code[] = {0x02, 0x28, 0xa0, 0xe3, 0x00, 0x00, 0xd2, 0xe5,
                        0xb0, 0x00, 0xd2, 0xe1, 0x00, 0x00, 0x92, 0xe5,
                        0x00, 0x00, 0xa0, 0xe1, 0xf9, 0xff, 0xff, 0xea};

const struct etm_register etmcr[] = {{"ETMCR", 0, 0x1014},
                                     {"ETMCCR", 1, UINT32_C(0x30000000)}};

struct etm_session_options options_of(const char *const *image)
{
    return (struct etm_session_options){.framing = ETM_FRAMING_PORT,
                                        .registers = etmcr,
                                        .n_registers = 2,
                                        .endian = ETM_ENDIAN_LITTLE,
                                        .images = image,
                                        .n_images = 1};
}

const char *image_of(void)
{
    static char image[1100];

    write_file("code.bin", code, sizeof code);
    snprintf(image, sizeof image, "%s@0x1000", in_directory("code.bin"));
    return image;
}

size_t add_line(char text[TEXT_MAX], size_t n,
                const struct etm_port_sample *sample)
{
    int more = snprintf(text + n, TEXT_MAX - n, "%x %x %02x\n", sample->control,
                        sample->status, (unsigned)sample->data);

    assert_true(more > 0 && n + (size_t)more < TEXT_MAX);
    return n + (size_t)more;
}

void write_samples(const char *name)
{
    char text[TEXT_MAX];
    size_t n = 0;

    for (size_t i = 0; i < N; i++)
        n = add_line(text, n, &example[i]);
    write_file(name, text, n);
}

void write_records(const char *name)
{
    uint8_t bytes[2 * N];

    for (size_t i = 0; i < N; i++) {
        bytes[2 * i] =
            (uint8_t)(example[i].status | (unsigned)example[i].control << 7);
        bytes[2 * i + 1] = (uint8_t)example[i].data;
    }
    write_file(name, bytes, sizeof bytes);
}

/* The highest byte first. */
static void put_be32(uint8_t *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

void write_openocd(const char *name)
{
    uint8_t bytes[12 * (N + 1)];

    put_be32(bytes, 4);
    put_be32(bytes + 4, 0x1014);
    put_be32(bytes + 8, (uint32_t)N);
    for (size_t i = 0; i < N; i++) {
        put_be32(bytes + 12 * (i + 1), example[i].status);
        put_be32(bytes + 12 * (i + 1) + 4, (uint32_t)example[i].data);
        put_be32(bytes + 12 * (i + 1) + 8, example[i].control);
    }
    write_file(name, bytes, sizeof bytes);
}

void write_etb(const char *name)
{
    uint8_t bytes[2 * N];

    assert_int_equal(N % 2, 0);
    for (size_t i = 0; i < N; i += 2) {
        uint32_t word = 0;

        for (unsigned k = 0; k < 2; k++)
            word |=
                (example[i + k].status | (uint32_t)example[i + k].data << 3 |
                 (uint32_t)example[i + k].control << 11)
                << 12 * k;
        for (unsigned k = 0; k < 4; k++)
            bytes[2 * i + k] = (uint8_t)(word >> 8 * k);
    }
    write_file(name, bytes, sizeof bytes);
}

struct text {
    char all[16384];
    size_t n;
};

static int take_text(void *context, const char *text, size_t n)
{
    struct text *t = context;

    assert_true(t->n + n < sizeof t->all);
    memcpy(t->all + t->n, text, n);
    t->n += n;
    return ETM_OK;
}

void write_port_vcd(const char *name, enum etm_port_mode mode, bool half_rate)
{
    const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV1,
                                         .width = 8,
                                         .mode = mode,
                                         .half_rate = half_rate};
    struct text text = {.n = 0};
    const struct etm_vcd_writer_config config = {
        .port = &port, .write = take_text, .context = &text};
    struct etm_vcd_writer *writer;

    assert_int_equal(etm_vcd_writer_new(&writer, &config, NULL), ETM_OK);
    assert_int_equal(etm_vcd_writer_push(writer, example, N), ETM_OK);
    assert_int_equal(etm_vcd_writer_finish(writer), ETM_OK);
    etm_vcd_writer_free(writer);
    write_file(name, text.all, text.n);
}

void write_vcd(const char *name)
{
    write_port_vcd(name, ETM_PORT_NORMAL, false);
}

struct etm_session *open_port(const char *name,
                              const struct etm_session_options *options)
{
    struct etm_session *session;
    struct etm_diag diag = {0};

    if (etm_session_open(&session, in_directory(name), options, &diag) !=
        ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    return session;
}

void expect_example(const struct seen *s)
{
    static const struct {
        uint32_t address;
        uint64_t offset, cycles;
    } insns[] = {{0x1000, 9, 9},  {0x1004, 15, 6}, {0x1008, 21, 6},
                 {0x100c, 29, 8}, {0x1010, 33, 4}, {0x1014, 34, 1}};
    static const struct {
        uint32_t value;
        uint8_t size;
    } data[] = {{0x11, 1}, {0x2211, 2}, {0x44332211, 4}};
    size_t n = 0, m = 0;

    for (size_t i = 0; i < s->elements.n; i++) {
        const struct etm_element *e = &s->elements.all[i];

        if (e->kind == ETM_ELEMENT_INSN) {
            assert_true(n < COUNT(insns));
            assert_int_equal(e->u.insn.address, insns[n].address);
            assert_int_equal(e->offset, insns[n].offset);
            assert_int_equal(e->u.insn.cycles, insns[n].cycles);
            n++;
        } else if (e->kind == ETM_ELEMENT_DATA) {
            assert_true(m < COUNT(data));
            assert_int_equal(e->u.data.value, data[m].value);
            assert_int_equal(e->u.data.size, data[m].size);
            m++;
        }
    }
    assert_int_equal(n, COUNT(insns));
    assert_int_equal(m, COUNT(data));
    assert_int_equal(s->elements.all[s->elements.n - 1].offset, N);
}
