/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/functions.h"

#include <string.h>

/* Places are never odd: code is aligned to halfwords. */
#define NO_PLACE 1u

static uint32_t hash(uint32_t address)
{
    return (address >> 1) * UINT32_C(0x9e3779b1);
}

int etm_functions_init(struct etm_functions *f, const struct etm_names *names,
                       const struct etm_allocator *allocator)
{
    struct etm_function_place *places;
    int status;

    f->names = *names;
    f->status = ETM_OK;
    etm_vec_init(&f->rows, sizeof(struct etm_function_row), allocator);
    etm_vec_init(&f->places, sizeof *places, allocator);
    etm_vec_init(&f->index, sizeof(uint32_t), allocator);
    status = etm_vec_reserve(&f->places, ETM_FUNCTION_PLACES);
    if (status != ETM_OK)
        return status;
    places = f->places.data;
    for (size_t i = 0; i < ETM_FUNCTION_PLACES; i++)
        places[i] = (struct etm_function_place){NO_PLACE, ETM_NO_FUNCTION};
    return ETM_OK;
}

void etm_functions_fini(struct etm_functions *f)
{
    etm_vec_fini(&f->rows);
    etm_vec_fini(&f->places);
    etm_vec_fini(&f->index);
}

static uint32_t hash_name(const char *name)
{
    uint32_t value = 0;

    for (; *name != '\0'; name++)
        value = hash((value ^ (uint8_t)*name) << 1);
    return value;
}

static bool same(const struct etm_function_row *a,
                 const struct etm_function_row *b)
{
    if (a->inlined != b->inlined)
        return false;
    return a->inlined ? strcmp(a->function.name, b->function.name) == 0
                      : a->function.address == b->function.address;
}

/* The entry of the index for a function. */
static uint32_t *find(const struct etm_functions *f,
                      const struct etm_function_row *row)
{
    uint32_t *index = f->index.data, mask = (uint32_t)f->index.n - 1;
    uint32_t i = (row->inlined ? hash_name(row->function.name)
                               : hash(row->function.address)) >>
                     7 &
                 mask;

    while (index[i] != 0 && !same(etm_functions_row(f, index[i] - 1), row))
        i = (i + 1) & mask;
    return &index[i];
}

/* Keep half of the index free. */
static int make_room(struct etm_functions *f)
{
    size_t n = f->index.n != 0 ? 2 * f->index.n : 256;

    if (2 * (f->rows.n + 1) <= f->index.n)
        return ETM_OK;
    if (etm_vec_reserve(&f->rows, 1) != ETM_OK ||
        etm_vec_reserve(&f->index, n - f->index.n) != ETM_OK)
        return ETM_ERR_MEMORY;
    f->index.n = n;
    memset(f->index.data, 0, n * sizeof(uint32_t));
    for (size_t i = 0; i < f->rows.n; i++)
        *find(f, etm_functions_row(f, (uint32_t)i)) = (uint32_t)i + 1;
    return ETM_OK;
}

/*
 * GCC and LLVM move code that is rarely executed out of its function:
 * "parse.cold" belongs to "parse". The function is met first, unless the trace
 * begins in between.
 */
static uint32_t whole_of(const struct etm_functions *f, const char *name,
                         uint32_t own)
{
    const char *cold = name ? strstr(name, ".cold") : NULL;
    size_t n;

    if (!cold || cold == name)
        return own;
    n = (size_t)(cold - name);
    for (uint32_t i = 0; i < f->rows.n; i++) {
        const struct etm_function_row *row = etm_functions_row(f, i);
        const char *other = row->function.name;

        if (other && !row->inlined && strncmp(other, name, n) == 0 &&
            other[n] == '\0')
            return i;
    }
    return own;
}

static bool returns_twice(const char *name)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp",
                                        "__sigsetjmp"};

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static uint32_t row_of(struct etm_functions *f,
                       const struct etm_function *function, bool inlined)
{
    struct etm_function_row row = {.function = *function, .inlined = inlined};
    uint32_t *index;

    if (make_room(f) != ETM_OK) {
        f->status = ETM_ERR_MEMORY;
        return ETM_NO_FUNCTION;
    }
    index = find(f, &row);
    if (*index != 0)
        return *index - 1;
    if (!inlined) {
        row.whole = whole_of(f, function->name, (uint32_t)f->rows.n);
        row.returns_twice = returns_twice(function->name);
    }
    if (etm_vec_append(&f->rows, &row, 1) != ETM_OK) {
        f->status = ETM_ERR_MEMORY;
        return ETM_NO_FUNCTION;
    }
    *index = (uint32_t)f->rows.n;
    return *index - 1;
}

static uint32_t look_up(struct etm_functions *f, uint32_t address)
{
    struct etm_symbol symbol;
    struct etm_function function;
    uint32_t row;

    if (!f->names.symbol ||
        f->names.symbol(f->names.context, address, &symbol) != ETM_OK)
        return ETM_NO_FUNCTION;
    function = (struct etm_function){.name = symbol.name,
                                     .address = address - symbol.offset,
                                     .size = symbol.size};
    row = row_of(f, &function, false);
    return row != ETM_NO_FUNCTION ? etm_functions_row(f, row)->whole : row;
}

uint32_t etm_functions_at(struct etm_functions *f, uint32_t address)
{
    struct etm_function_place *place =
        (struct etm_function_place *)f->places.data +
        (hash(address) >> 12) % ETM_FUNCTION_PLACES;

    if (place->address != address) {
        place->function = look_up(f, address);
        place->address = address;
    }
    return place->function;
}

uint32_t etm_functions_from(struct etm_functions *f, uint32_t address)
{
    uint32_t row = etm_functions_at(f, address);

    return row != ETM_NO_FUNCTION
               ? row
               : row_of(f, &(struct etm_function){.address = address}, false);
}

uint32_t etm_functions_inlined(struct etm_functions *f,
                               const struct etm_inlined *inlined)
{
    struct etm_function function = {.name = inlined->name,
                                    .address = inlined->address};

    return row_of(f, &function, true);
}
