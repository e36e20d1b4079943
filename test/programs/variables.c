/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of all types, with values that test/cli/variables.cmd knows. */
#include "program.h"

enum state { IDLE, RUNNING = 5, BROKEN = -1 };
typedef uint16_t sample_t;

struct sensor {
    uint8_t id;
    enum state state;
    sample_t samples[4];
    struct {
        int16_t x, y;
    } offset;
    unsigned ready : 1, mode : 3;
    int level : 4;
};

union word {
    uint32_t all;
    uint8_t bytes[4];
};

struct __attribute__((packed)) packed {
    uint8_t kind;
    uint32_t length;
};

volatile uint32_t count;
volatile int8_t small;
volatile int64_t large;
volatile float ratio;
volatile double precise;
volatile _Bool flag;
volatile struct sensor sensor;
volatile union word word;
volatile struct packed packed;
volatile int16_t grid[2][3];
void (*volatile handler)(void);
volatile const uint32_t *volatile where;
volatile enum state state;

static void on_event(void)
{
    static volatile uint32_t calls;

    calls += 10;
}

static void set_all(void)
{
    for (uint32_t i = 1; i <= 3; i++)
        count = i;
    small = -3;
    large = -5000000000;
    ratio = 1.5f;
    precise = -0.1;
    flag = 1;
    state = RUNNING;
    state = BROKEN;
    sensor.id = 7;
    sensor.state = RUNNING;
    for (int i = 0; i < 4; i++)
        sensor.samples[i] = (sample_t)(1000 + i);
    sensor.offset.x = -100;
    sensor.offset.y = 100;
    sensor.mode = 5;
    sensor.level = -2;
    grid[1][2] = -12;
}

int main(void)
{
    set_all();
    word.bytes[0] = 0x11; /* of a word of which nothing else is known */
    word.bytes[2] = 0x33;
    word.all = 0xaabbccdd;
    word.bytes[1] = 0x22;
    packed.kind = 1;
#ifdef __ARM_FEATURE_UNALIGNED
    __asm__ volatile("str %0, [%1]"
                     :
                     : "r"(0x01020304), "r"(&packed.length)
                     : "memory");
#else
    packed.length = 0x01020304;
#endif
    where = &count;
    handler = on_event;
    handler();
    handler();
    word.bytes[3] = 0x44;
    print_value("count ", count);
    return 0;
}
