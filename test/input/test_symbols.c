/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and code of an ELF file through the public interface. */
#include "../support/test.h"
#include "support.h"

#include <etm/decode.h>
#include <etm/program.h>

static struct etm_symbols *symbols;

static int open_file(void **state)
{
    char path[600];

    (void)state;
    (void)snprintf(path, sizeof path, "%s/two_states.elf",
                   getenv("ETM_TEST_DATA"));
    return etm_symbols_open(&symbols, path, NULL, NULL);
}

static int close_file(void **state)
{
    (void)state;
    etm_symbols_free(symbols);
    etm_symbols_free(NULL);
    return 0;
}

TEST(names_have_addresses_and_instruction_sets)
{
    uint32_t arm, thumb, size;
    enum etm_isa isa;
    struct etm_symbol symbol;

    assert_ok(etm_symbols_find(symbols, "arm_function", &arm, &size, &isa));
    assert_int_equal(isa, ETM_ISA_ARM);
    assert_int_equal(arm % 4, 0);
    assert_true(size >= 8);
    assert_ok(etm_symbols_find(symbols, "thumb_function", &thumb, NULL, &isa));
    assert_int_equal(isa, ETM_ISA_THUMB);
    assert_int_equal(thumb % 2, 0);
    assert_ok(etm_symbols_find(symbols, "arm_function", &arm, NULL, NULL));
    assert_int_equal(etm_symbols_find(symbols, "nobody", &arm, &size, &isa),
                     ETM_ERR_NOT_FOUND);

    assert_ok(etm_symbols_at(symbols, arm + 4, &symbol));
    assert_string_equal(symbol.name, "arm_function");
    assert_int_equal(symbol.offset, 4);
    assert_int_equal(symbol.size, size);
    assert_int_equal(etm_symbols_at(symbols, 0xf0000000, &symbol),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_symbols_at(NULL, arm, &symbol), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_symbols_at(symbols, arm, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_symbols_find(symbols, NULL, &arm, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_symbols_variable(symbols, "counter", NULL, &size),
                     ETM_ERR_ARGUMENT);
}

/* Each file that includes it has a function of its own. */
TEST(functions_of_one_name_are_counted)
{
    struct etm_symbols *copies;
    char path[600];
    uint32_t address;

    (void)snprintf(path, sizeof path, "%s/copies.elf", getenv("ETM_TEST_DATA"));
    assert_ok(etm_symbols_open(&copies, path, NULL, NULL));
    assert_int_equal(etm_symbols_count(copies, "square"), 2);
    assert_ok(etm_symbols_find(copies, "square", &address, NULL, NULL));
    assert_int_equal(address, 0x8000);
    assert_int_equal(etm_symbols_count(copies, "first"), 1);
    assert_int_equal(etm_symbols_count(copies, "nobody"), 0);
    assert_int_equal(etm_symbols_count(symbols, "thumb_function"), 1);
    etm_symbols_free(copies);
}

TEST(variables_have_an_address_and_a_size)
{
    uint32_t address, size;

    assert_ok(etm_symbols_variable(symbols, "counter", &address, &size));
    assert_int_equal(address, 0x20000);
    assert_int_equal(size, 4);
    assert_ok(etm_symbols_variable(symbols, "table", &address, &size));
    assert_int_equal(size, 16);
    assert_int_equal(etm_symbols_variable(symbols, "nobody", &address, &size),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(
        etm_symbols_variable(symbols, "arm_function", &address, &size),
        ETM_ERR_NOT_FOUND);
}

TEST(the_code_goes_into_an_image)
{
    struct etm_image *image;
    uint32_t arm;
    uint8_t bytes[4];

    assert_ok(etm_symbols_find(symbols, "arm_function", &arm, NULL, NULL));
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_symbols_code(symbols, image));
    assert_int_equal(etm_image_read(image, arm, NULL, bytes, 4), 4);
    assert_int_equal(bytes[3] >> 4, 0xe); /* the condition "always" */
    etm_image_free(image);
}

TEST(a_file_that_is_not_there)
{
    struct etm_symbols *none = symbols;
    struct etm_diag diag = {0};

    assert_int_equal(etm_symbols_open(&none, "/nowhere", NULL, &diag),
                     ETM_ERR_IO);
    assert_null(none);
    assert_true(diag.what[0] != '\0');
}

TEST(no_file_is_an_invalid_argument)
{
    struct etm_symbols *none = symbols;
    struct etm_diag diag;

    assert_int_equal(etm_symbols_open(&none, NULL, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    assert_null(none);
    assert_string_not_equal(diag.what, "");
    assert_int_equal(etm_symbols_open(NULL, "a", NULL, NULL), ETM_ERR_ARGUMENT);
}

/* The scalar at an address: its name and type. */
static const struct etm_scalar *scalar_at(struct etm_symbols *program,
                                          uint32_t address, unsigned n)
{
    const struct etm_scalar *scalar;

    return etm_symbols_scalar(program, address, n, &scalar) == ETM_OK ? scalar
                                                                      : NULL;
}

TEST(variables_are_made_of_scalars)
{
    struct etm_symbols *program;
    const struct etm_scalar *scalar;
    uint32_t sensor, at, size;
    const char *name;
    char path[600];

    (void)snprintf(path, sizeof path, "%s/../programs/variables-r4.elf",
                   getenv("ETM_TEST_DATA"));
    assert_ok(etm_symbols_open(&program, path, NULL, NULL));
    assert_ok(etm_symbols_variable(program, "sensor", &sensor, &size));
    assert_ok(etm_symbols_variable(program, "sensor.samples[3]", &at, &size));
    assert_int_equal(size, 2);
    scalar = scalar_at(program, at + 1, 0); /* any byte of it */
    assert_non_null(scalar);
    assert_int_equal(scalar->address, at);
    assert_int_equal(scalar->kind, ETM_SCALAR_UNSIGNED);
    assert_string_equal(scalar->name, "sensor.samples[3]");
    assert_string_equal(scalar->type_name, "sample_t");
    assert_null(scalar_at(program, at, 1));

    assert_ok(etm_symbols_variable(program, "on_event::calls", &at, &size));
    assert_ok(etm_symbols_variable(program, "state", &at, &size));
    scalar = scalar_at(program, at, 0);
    assert_non_null(scalar);
    assert_int_equal(scalar->kind, ETM_SCALAR_ENUM);
    assert_true(scalar->is_signed);
    assert_ok(etm_symbols_enumerator(program, scalar, UINT64_MAX, &name));
    assert_string_equal(name, "BROKEN");
    assert_int_equal(etm_symbols_enumerator(program, scalar, 1, &name),
                     ETM_ERR_NOT_FOUND);

    assert_int_equal(
        etm_symbols_variable(program, "sensor.samples[4]", &at, &size),
        ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_symbols_variable(program, "sensor.none", &at, &size),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_symbols_scalar(program, 0xf0000000, 0, &scalar),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_symbols_scalar(NULL, sensor, 0, &scalar),
                     ETM_ERR_ARGUMENT);
    etm_symbols_free(program);
}

/* Members of structs and unions without a name, and of base classes, are those
 * of the whole; a type that is too deep has no name. */
TEST(types_without_a_name)
{
    static const struct {
        const char *name;
        uint32_t offset, size;
        const char *scalar, *type;
    } table[] = {{"object.first", 0, 4, "object.first", "int"},
                 {"object.low", 4, 2, "object.low", "short int"},
                 {"object.high", 6, 2, "object.high", "short int"},
                 {"object.all", 8, 4, "object.all", "unsigned int"},
                 {"object.bytes[2]", 10, 1, "object.all", "unsigned int"},
                 {"object.last", 12, 4, "object.last", "int"},
                 {"pointers_31", 0, 4, "pointers_31",
                  "int *******************************"},
                 {"pointers_32", 0, 4, "pointers_32",
                  "? ********************************"},
                 {"function", 0, 4, "function", "function *"}};
    struct etm_symbols *program;
    uint32_t object, at, size;
    char path[600];

    (void)snprintf(path, sizeof path, "%s/types.elf", getenv("ETM_TEST_DATA"));
    assert_ok(etm_symbols_open(&program, path, NULL, NULL));
    assert_ok(etm_symbols_variable(program, "object", &object, &size));
    for (size_t i = 0; i < COUNT(table); i++) {
        const struct etm_scalar *scalar;

        assert_ok(etm_symbols_variable(program, table[i].name, &at, &size));
        if (strncmp(table[i].name, "object", 6) == 0)
            assert_int_equal(at - object, table[i].offset);
        assert_int_equal(size, table[i].size);
        scalar = scalar_at(program, at, 0);
        assert_non_null(scalar);
        assert_string_equal(scalar->name, table[i].scalar);
        assert_string_equal(scalar->type_name, table[i].type);
    }
    assert_int_equal(etm_symbols_variable(program, "object.none", &at, &size),
                     ETM_ERR_NOT_FOUND);
    etm_symbols_free(program);
}

int main(void)
{
    return tests_run_between(open_file, close_file);
}
