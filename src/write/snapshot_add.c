/* SPDX-License-Identifier: Apache-2.0 */
/* Adding the contents of a snapshot. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_STAT 1
#endif

#include "write/snapshot.h"

#include "base/size.h"
#include "input/elf_segments.h"
#include "input/file.h"

#include <string.h>

#ifdef HAS_STAT
#include <sys/stat.h>
#endif

/* Take a name given by the caller, which must be valid in an ini file and a
 * file system. */
static int take_name(char to[ETM_SNAPSHOT_NAME], const char *name,
                     struct etm_diag *diag)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = strlen(name);

    if (n == 0 || n >= ETM_SNAPSHOT_NAME || strspn(name, letters) != n ||
        name[0] == '.')
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "%s: not a name for a part of a snapshot", name);
    memcpy(to, name, n + 1);
    return ETM_OK;
}

/* Take a name for a device, if it is not used yet. */
static int take_device(const struct etm_snapshot_writer *w,
                       char to[ETM_SNAPSHOT_NAME], const char *name,
                       struct etm_diag *diag)
{
    bool taken = false;
    int status = take_name(to, name, diag);

    for (size_t i = 0; i < w->cores.n; i++)
        taken = taken || strcmp(etm_snap_core(w, i)->name, name) == 0;
    for (size_t i = 0; i < w->sources.n; i++)
        taken = taken || strcmp(etm_snap_source(w, i)->name, name) == 0;
    if (status == ETM_OK && taken)
        status = etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                               "there is already a device called %s", name);
    return status;
}

static int take_registers(struct etm_vec *to,
                          const struct etm_register *registers, size_t n,
                          bool numbered, struct etm_diag *diag)
{
    if (registers == NULL && n != 0)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "the registers are NULL");
    for (size_t i = 0; i < n; i++) {
        struct etm_register r = registers[i];
        char name[ETM_SNAPSHOT_NAME];
        int status = take_name(name, r.name, diag);

        if (!numbered)
            r.number = ETM_REGISTER_NONE;
        else if (r.number == 0 || r.number == ETM_REGISTER_NONE)
            r.number = etm_register_number(r.name);
        if (status == ETM_OK && etm_vec_append(to, &r, 1) != ETM_OK)
            status = etm_snap_no_memory(diag);
        if (status != ETM_OK)
            return status;
    }
    return ETM_OK;
}

int etm_snapshot_add_core(struct etm_snapshot_writer *w,
                          const struct etm_snapshot_core *core, size_t *index,
                          struct etm_diag *diag)
{
    struct etm_snapshot_core own;
    struct etm_snap_core c = {0};
    char name[ETM_SNAPSHOT_NAME];
    int status = ETM_TAKE(etm_snapshot_core, &own, core, diag);

    if (status != ETM_OK)
        return status;
    core = &own;
    (void)snprintf(name, sizeof name, "cpu_%zu", w->cores.n);
    status = etm_snap_open_still(w, diag);
    if (status == ETM_OK)
        status = take_device(w, c.name, core->name != NULL ? core->name : name,
                             diag);
    if (status == ETM_OK && core->type != NULL)
        status = take_name(c.type, core->type, diag);
    etm_vec_init(&c.registers, sizeof(struct etm_register), &w->allocator);
    etm_vec_init(&c.memory, sizeof(struct etm_snap_memory), &w->allocator);
    if (status == ETM_OK)
        status = take_registers(&c.registers, core->registers,
                                core->n_registers, false, diag);
    if (status == ETM_OK && etm_vec_append(&w->cores, &c, 1) != ETM_OK)
        status = etm_snap_no_memory(diag);
    if (status != ETM_OK)
        etm_vec_fini(&c.registers);
    else if (index != NULL)
        *index = w->cores.n - 1;
    return status;
}

static int open_file(const struct etm_snapshot_writer *w, const char *path,
                     struct etm_file *file, struct etm_diag *diag)
{
    int status = etm_file_open(file, path, &w->allocator, diag);

    return status == ETM_ERR_MEMORY ? etm_snap_no_memory(diag) : status;
}

/* Does the file, which was written, have these bytes? Not if it cannot be
 * read. */
static int has_bytes(const struct etm_snapshot_writer *w, const char *path,
                     const uint8_t *bytes, size_t n, bool *same,
                     struct etm_diag *diag)
{
    struct etm_file there;
    int status = open_file(w, path, &there, diag);

    if (status == ETM_OK) {
        *same = there.n == n && (n == 0 || memcmp(there.bytes, bytes, n) == 0);
        etm_file_close(&there, &w->allocator);
    }
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}

static int file_taken(const char *file, struct etm_diag *diag)
{
    return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                         "there is already a file called %s in the snapshot",
                         file);
}

/* Whether a name is reserved for the snapshot's own files. */
static bool is_reserved(const char *file)
{
    static const char device[] = "device_";
    size_t n = sizeof device - 1;

    if (strncmp(file, device, n) == 0 && file[n] >= '0' && file[n] <= '9')
        return strcmp(file + n + strspn(file + n, "0123456789"), ".ini") == 0;
    return strcmp(file, "snapshot.ini") == 0 || strcmp(file, "trace.ini") == 0;
}

/* Write a file; two cores may have the same program. */
static int write_file(struct etm_snapshot_writer *w, const char *file,
                      const uint8_t *bytes, size_t n, struct etm_diag *diag)
{
    const char *path = etm_snap_wrote(w, file);
    bool same = false;
    FILE *out;
    int status = ETM_OK;

    if (path != NULL)
        status = has_bytes(w, path, bytes, n, &same, diag);
    if (status != ETM_OK || same)
        return status;
    if (is_reserved(file) || path != NULL)
        return file_taken(file, diag);
    status = etm_snap_create(w, file, &out, diag);
    if (status != ETM_OK)
        return status;
    (void)fwrite(bytes, 1, n, out);
    return etm_snap_close(w, out, diag);
}

/* The number of bytes of a file that is there already. */
static int count_bytes(const struct etm_snapshot_writer *w, const char *file,
                       uint64_t *n, struct etm_diag *diag)
{
    const char *wrote = etm_snap_wrote(w, file);
    struct etm_file there;
    char *path = NULL;
    int status;

    if (is_reserved(file))
        return file_taken(file, diag);
    if (wrote == NULL)
        path = etm_snap_path(w, file);
    if (wrote == NULL && path == NULL)
        return etm_snap_no_memory(diag);
    status = open_file(w, wrote != NULL ? wrote : path, &there, diag);
    if (status == ETM_OK) {
        *n = there.n;
        etm_file_close(&there, &w->allocator);
    }
    etm_alloc_free(&w->allocator, path);
    return status;
}

/* May there be such memory? What an image refuses could not be read again. */
static int check_memory(const struct etm_snap_memory *m, uint64_t n,
                        struct etm_diag *diag)
{
    if ((unsigned)m->space.secure > ETM_TRUE)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, m->file,
                             "there is no such security state");
    if (n > UINT64_C(0x100000000) - m->address)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, m->file,
                             "the memory goes past the end of the address "
                             "space");
    return ETM_OK;
}

int etm_snapshot_add_memory(struct etm_snapshot_writer *w, size_t core,
                            const char *file, uint32_t address,
                            const uint8_t *bytes, size_t n,
                            const struct etm_space *space,
                            struct etm_diag *diag)
{
    struct etm_snap_memory m = {.address = address};
    uint64_t there = n;
    int status;

    if (core >= w->cores.n || file == NULL)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL, "no such core");
    if (bytes == NULL && n != 0)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, file, "no bytes");
    if (space != NULL)
        m.space = *space;
    status = etm_snap_open_still(w, diag);
    if (status == ETM_OK)
        status = take_name(m.file, file, diag);
    if (status == ETM_OK && n == 0)
        status = count_bytes(w, m.file, &there, diag);
    if (status == ETM_OK)
        status = check_memory(&m, there, diag);
    if (status == ETM_OK && n > 0)
        status = write_file(w, m.file, bytes, n, diag);
    if (status == ETM_OK &&
        etm_vec_append(&etm_snap_core(w, core)->memory, &m, 1) != ETM_OK)
        status = etm_snap_no_memory(diag);
    return status;
}

/* The bytes of all pieces, and a [dump] for each. */
static int gather_pieces(struct etm_snapshot_writer *w, size_t core,
                         struct etm_snap_memory m,
                         const struct etm_snapshot_piece *pieces, size_t n,
                         struct etm_vec *bytes, struct etm_diag *diag)
{
    int status = ETM_OK;

    m.piece = n > 1;
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_snapshot_piece *p = &pieces[i];

        if (p->bytes == NULL || p->n == 0 || p->n > UINT32_MAX - bytes->n)
            return etm_snap_fail(diag, ETM_ERR_ARGUMENT, m.file,
                                 "a piece has no bytes, or all have too many");
        m.address = p->address;
        m.offset = (uint32_t)bytes->n;
        m.length = (uint32_t)p->n;
        status = check_memory(&m, p->n, diag);
        if (status == ETM_OK &&
            (etm_vec_append(bytes, p->bytes, p->n) != ETM_OK ||
             etm_vec_append(&etm_snap_core(w, core)->memory, &m, 1) != ETM_OK))
            status = etm_snap_no_memory(diag);
    }
    return status;
}

int etm_snapshot_add_pieces(struct etm_snapshot_writer *w, size_t core,
                            const char *file,
                            const struct etm_snapshot_piece *pieces, size_t n,
                            const struct etm_space *space,
                            struct etm_diag *diag)
{
    struct etm_snap_memory m = {.piece = true};
    struct etm_vec bytes;
    size_t before;
    int status;

    if (core >= w->cores.n || file == NULL || pieces == NULL || n == 0)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "no such core, or no pieces");
    if (space != NULL)
        m.space = *space;
    before = etm_snap_core(w, core)->memory.n;
    etm_vec_init(&bytes, 1, &w->allocator);
    status = etm_snap_open_still(w, diag);
    if (status == ETM_OK)
        status = take_name(m.file, file, diag);
    if (status == ETM_OK)
        status = gather_pieces(w, core, m, pieces, n, &bytes, diag);
    if (status == ETM_OK)
        status = write_file(w, m.file, bytes.data, bytes.n, diag);
    if (status != ETM_OK)
        etm_snap_core(w, core)->memory.n = before;
    etm_vec_fini(&bytes);
    return status;
}

/* Add the loaded segments of a program. */
static int add_pieces(struct etm_snapshot_writer *w, size_t core,
                      const char *file, const struct etm_file *program,
                      struct etm_diag *diag)
{
    struct etm_snap_memory m = {.piece = true};
    struct etm_elf_segment s;
    int status = take_name(m.file, file, diag);
    size_t i = 0;

    for (;
         status == ETM_OK && etm_elf_segment(program->bytes, program->n, i, &s);
         i++) {
        m.address = s.address;
        m.offset = s.offset;
        /* some tools skip memory with an odd number of bytes; the last byte is
         * no instruction */
        m.length = s.size & ~1u;
        if (etm_vec_append(&etm_snap_core(w, core)->memory, &m, 1) != ETM_OK)
            status = etm_snap_no_memory(diag);
    }
    if (status == ETM_OK && i == 0)
        status = etm_snap_fail(diag, ETM_ERR_FORMAT, file,
                               "not a little-endian 32-bit Arm ELF file with "
                               "anything to load");
    return status;
}

/* Is the file the one in the snapshot already? Then writing would destroy
 * it. */
static int is_there(const struct etm_snapshot_writer *w, const char *path,
                    const char *file, bool *same, struct etm_diag *diag)
{
#ifdef HAS_STAT
    char *copy = etm_snap_path(w, file);
    struct stat a, b;

    if (copy == NULL)
        return etm_snap_no_memory(diag);
    *same = stat(path, &a) == 0 && stat(copy, &b) == 0 &&
            a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    etm_alloc_free(&w->allocator, copy);
#else
    (void)w;
    (void)diag;
    *same = strcmp(path, file) == 0;
#endif
    return ETM_OK;
}

int etm_snapshot_add_program(struct etm_snapshot_writer *w, size_t core,
                             const char *path, struct etm_diag *diag)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *there = NULL;
    size_t n = strlen(w->directory);
    struct etm_file program;
    bool same = false;
    int status;

    if (core >= w->cores.n || path == NULL)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL, "no such core");
    /* a file that was written does not have its name yet */
    if (strncmp(path, w->directory, n) == 0)
        there = etm_snap_wrote(w, path + n);
    status = etm_snap_open_still(w, diag);
    if (status == ETM_OK)
        status = open_file(w, there != NULL ? there : path, &program, diag);
    if (status != ETM_OK)
        return status;
    if (is_reserved(name))
        status = file_taken(name, diag);
    if (status == ETM_OK)
        status = add_pieces(w, core, name, &program, diag);
    if (status == ETM_OK && there == NULL)
        status = is_there(w, path, name, &same, diag);
    if (status == ETM_OK && there == NULL && !same)
        status = write_file(w, name, program.bytes, program.n, diag);
    etm_file_close(&program, &w->allocator);
    return status;
}

int etm_snapshot_add_buffer(struct etm_snapshot_writer *w,
                            const struct etm_snapshot_buffer *buffer,
                            size_t *index, struct etm_diag *diag)
{
    struct etm_snapshot_buffer own;
    struct etm_snap_buffer b = {0};
    char name[ETM_SNAPSHOT_NAME], file[ETM_SNAPSHOT_NAME] = "cstrace.bin";
    bool taken = false;
    int status = ETM_TAKE(etm_snapshot_buffer, &own, buffer, diag);

    if (status != ETM_OK)
        return status;
    buffer = &own;
    if ((unsigned)buffer->framing > ETM_FRAMING_ORBFLOW)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL, "no such framing");
    if (buffer->framing == ETM_FRAMING_TPIU_PORT ||
        buffer->framing == ETM_FRAMING_ORBFLOW ||
        buffer->framing == ETM_FRAMING_SWO)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "samples of a TPIU's port or of SWO can be read, "
                             "but not written");
    (void)snprintf(name, sizeof name, "ETB_%zu", w->buffers.n);
    if (w->buffers.n > 0)
        (void)snprintf(file, sizeof file, "cstrace_%zu.bin", w->buffers.n);
    b.framing = buffer->framing;
    status = etm_snap_open_still(w, diag);
    if (status == ETM_OK)
        status =
            take_name(b.name, buffer->name != NULL ? buffer->name : name, diag);
    if (status == ETM_OK)
        status =
            take_name(b.file, buffer->file != NULL ? buffer->file : file, diag);
    for (size_t i = 0; i < w->buffers.n; i++)
        taken = taken || strcmp(etm_snap_buffer(w, i)->name, b.name) == 0 ||
                strcmp(etm_snap_buffer(w, i)->file, b.file) == 0;
    if (status == ETM_OK && taken)
        status = etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                               "there is already a buffer called %s, or in %s",
                               b.name, b.file);
    if (status == ETM_OK &&
        (is_reserved(b.file) || etm_snap_wrote(w, b.file) != NULL))
        status = file_taken(b.file, diag);
    if (status == ETM_OK)
        status = etm_snap_open(w, &b, buffer->full_sync, diag);
    if (status == ETM_OK && etm_vec_append(&w->buffers, &b, 1) != ETM_OK)
        status = etm_snap_no_memory(diag);
    if (status == ETM_OK) {
        if (index != NULL)
            *index = w->buffers.n - 1;
        return ETM_OK;
    }
    etm_framer_free(b.framer);
    if (b.out != NULL)
        (void)fclose(b.out);
    return status;
}

/* Can this source's trace be in that buffer? */
static int check_source(const struct etm_snapshot_writer *w,
                        const struct etm_snap_source *s, struct etm_diag *diag)
{
    const struct etm_snap_buffer *b = etm_snap_buffer(w, s->buffer);
    unsigned id = s->config.trace_id;

    if (b->framer == NULL && b->used)
        return etm_snap_fail(diag, ETM_ERR_CONFIG, s->name,
                             "%s holds the trace of another source", b->name);
    if (b->framer == NULL)
        return ETM_OK;
    if (id == 0 || id >= ETM_ID_RESERVED)
        return etm_snap_fail(diag, ETM_ERR_CONFIG, s->name,
                             "0x%02x is not the trace ID of a source", id);
    for (size_t i = 0; i < s->registers.n; i++) {
        const struct etm_register *r =
            (const struct etm_register *)s->registers.data + i;

        if (strcmp(r->name, "ETMTRACEIDR") == 0 && (r->value & 0x7f) != id)
            return etm_snap_fail(diag, ETM_ERR_CONFIG, s->name,
                                 "its trace ID is 0x%02x, but ETMTRACEIDR has "
                                 "0x%02x",
                                 id, (unsigned)(r->value & 0x7f));
    }
    for (size_t i = 0; i < w->sources.n; i++) {
        const struct etm_snap_source *other = etm_snap_source(w, i);

        if (other->buffer == s->buffer && other->config.trace_id == id)
            return etm_snap_fail(diag, ETM_ERR_CONFIG, s->name,
                                 "it has the trace ID 0x%02x of %s", id,
                                 other->name);
    }
    return ETM_OK;
}

/* "ETM3.4", "PTM1.1": names that tools recognize. */
static void default_names(const struct etm_snapshot_writer *w,
                          const struct etm_config *c,
                          char name[ETM_SNAPSHOT_NAME],
                          char type[ETM_SNAPSHOT_NAME])
{
    bool pft = c->protocol == ETM_PROTOCOL_PFT;
    unsigned major =
        pft ? 1u : (unsigned)c->protocol - (unsigned)ETM_PROTOCOL_ETMV1 + 1u;

    (void)snprintf(name, ETM_SNAPSHOT_NAME, "%s_%zu", pft ? "PTM" : "ETM",
                   w->sources.n);
    (void)snprintf(type, ETM_SNAPSHOT_NAME, "%s%u.%u", pft ? "PTM" : "ETM",
                   major, (unsigned)c->minor);
}

int etm_snapshot_add_source(struct etm_snapshot_writer *w,
                            const struct etm_snapshot_source *source,
                            size_t *index, struct etm_diag *diag)
{
    struct etm_snapshot_source own;
    struct etm_snap_source s = {0};
    char name[ETM_SNAPSHOT_NAME], type[ETM_SNAPSHOT_NAME];
    int status = ETM_TAKE(etm_snapshot_source, &own, source, diag);

    if (status == ETM_OK)
        status = ETM_TAKE(etm_config, &s.config, own.config, diag);
    if (status != ETM_OK)
        return status;
    source = &own;
    if (s.config.protocol == ETM_PROTOCOL_ITM ||
        s.config.protocol == ETM_PROTOCOL_MTB)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "a source that is an ITM or an MTB can be read, "
                             "but not written");
    if (!etm_protocol_is_macrocell(s.config.protocol) ||
        source->buffer >= w->buffers.n ||
        (source->core >= w->cores.n && source->core != ETM_SNAPSHOT_NONE))
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "no source, core or buffer");
    s.core = source->core;
    s.buffer = source->buffer;
    default_names(w, &s.config, name, type);
    status = etm_snap_open_still(w, diag);
    if (status == ETM_OK)
        status = take_device(w, s.name,
                             source->name != NULL ? source->name : name, diag);
    if (status == ETM_OK)
        status =
            take_name(s.type, source->type != NULL ? source->type : type, diag);
    etm_vec_init(&s.registers, sizeof(struct etm_register), &w->allocator);
    if (status == ETM_OK)
        status = take_registers(&s.registers, source->registers,
                                source->n_registers, true, diag);
    if (status == ETM_OK)
        status = check_source(w, &s, diag);
    if (status == ETM_OK &&
        etm_snap_buffer(w, s.buffer)->framing == ETM_FRAMING_PORT)
        status = etm_snap_open_port(w, &s, diag);
    if (status == ETM_OK && etm_vec_append(&w->sources, &s, 1) != ETM_OK)
        status = etm_snap_no_memory(diag);
    if (status != ETM_OK) {
        etm_packer_free(s.packer);
        etm_vec_fini(&s.registers);
        return status;
    }
    etm_snap_buffer(w, s.buffer)->used = true;
    if (index != NULL)
        *index = w->sources.n - 1;
    return ETM_OK;
}
