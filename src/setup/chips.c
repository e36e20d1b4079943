/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of chips. Addresses and bits are those of the documents that each
 * row names; TPIU, ITM, DWT and ETM of M-profile processors are the same in all
 * of them, and are not here.
 */
#include "setup/chip.h"

#include "base/fold.h"

#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))
#define ALL UINT32_C(0xffffffff)
#define PART(list, base)                                                       \
    {                                                                          \
        (list), N(list), (base)                                                \
    }

#define TPIU (1u << ETM_SINK_TPIU)
#define SWO (1u << ETM_SINK_SWO)
#define ETB (1u << ETM_SINK_ETB)

/* STM32: TRACE_IOEN is bit 5, TRACE_MODE bits [7:6]. */
static const struct etm_chip_write stm32_debug_unit[] = {
    {0x004, 0xc0, 0x60, ETM_CHIP_1_PIN, "DBGMCU_CR",
     "TRACE_IOEN, TRACE_MODE: 1 pin"},
    {0x004, 0xc0, 0xa0, ETM_CHIP_2_PINS, "DBGMCU_CR",
     "TRACE_IOEN, TRACE_MODE: 2 pins"},
    {0x004, 0xc0, 0xe0, ETM_CHIP_4_PINS, "DBGMCU_CR",
     "TRACE_IOEN, TRACE_MODE: 4 pins"},
    {0x004, 0xc0, 0x20, ETM_CHIP_SWO, "DBGMCU_CR",
     "TRACE_IOEN, TRACE_MODE: asynchronous"},
};
#define STM32_DEBUG_UNIT PART(stm32_debug_unit, 0xe0042000)

/* PE2 is TRACECLK, PE3 to PE6 are TRACED0 to TRACED3, alternate function 0. */
static const struct etm_chip_write stm32_port_e[] = {
    {0x00, 0xf0, 0xa0, ETM_CHIP_PORT, "GPIOE_MODER",
     "PE2, PE3: alternate function"},
    {0x00, 0x300, 0x200, ETM_CHIP_2_OR_MORE, "GPIOE_MODER",
     "PE4: alternate function"},
    {0x00, 0x3c00, 0x2800, ETM_CHIP_4_PINS, "GPIOE_MODER",
     "PE5, PE6: alternate function"},
    {0x08, 0, 0xf0, ETM_CHIP_PORT, "GPIOE_OSPEEDR", "PE2, PE3: fast"},
    {0x08, 0, 0x300, ETM_CHIP_2_OR_MORE, "GPIOE_OSPEEDR", "PE4: fast"},
    {0x08, 0, 0x3c00, ETM_CHIP_4_PINS, "GPIOE_OSPEEDR", "PE5, PE6: fast"},
    {0x20, 0xff00, 0, ETM_CHIP_PORT, "GPIOE_AFRL",
     "PE2, PE3, function 0: TRACECLK, TRACED0"},
    {0x20, 0xf0000, 0, ETM_CHIP_2_OR_MORE, "GPIOE_AFRL",
     "PE4, function 0: TRACED1"},
    {0x20, 0xff00000, 0, ETM_CHIP_4_PINS, "GPIOE_AFRL",
     "PE5, PE6, function 0: TRACED2, TRACED3"},
};

/* An STM32F2 or F4. */
static const struct etm_chip_write stm32f4_pb3[] = {
    {0x40023830, 0, 0x2, ETM_CHIP_SWO, "RCC_AHB1ENR", "GPIOBEN: clock"},
    {0x40020400, 0xc0, 0x80, ETM_CHIP_SWO, "GPIOB_MODER",
     "PB3: alternate function"},
    {0x40020408, 0, 0xc0, ETM_CHIP_SWO, "GPIOB_OSPEEDR", "PB3: fast"},
    {0x4002040c, 0xc0, 0, ETM_CHIP_SWO, "GPIOB_PUPDR",
     "PB3: no pull-up or pull-down"},
    {0x40020420, 0xf000, 0, ETM_CHIP_SWO, "GPIOB_AFRL",
     "PB3, function 0: TRACESWO"},
};

static const struct etm_chip_write stm32f1[] = {
    {0x40021018, 0, 0x1, ETM_CHIP_SWO, "RCC_APB2ENR", "AFIOEN: clock"},
    {0x40010004, 0x07000000, 0x02000000, ETM_CHIP_SWO, "AFIO_MAPR",
     "SWJ_CFG: SWD without JTAG, whose TDO is TRACESWO"},
};

static const struct etm_chip_write stm32f4_clock[] = {
    {0x40023830, 0, 0x10, ETM_CHIP_PORT, "RCC_AHB1ENR", "GPIOEEN: clock"},
};

static const struct etm_chip_write stm32l1_clock[] = {
    {0x4002381c, 0, 0x10, ETM_CHIP_PORT, "RCC_AHBENR", "GPIOEEN: clock"},
};

/* An STM32L4 or G4. */
static const struct etm_chip_write stm32l4_clock[] = {
    {0x4002104c, 0, 0x10, ETM_CHIP_PORT, "RCC_AHB2ENR", "GPIOEEN: clock"},
};

static const struct etm_chip_write lpc17[] = {
    {0x4002c028, 0, 0x8, ETM_CHIP_PORT, "PINSEL10",
     "GPIO/TRACE: P2.2 to P2.6 are the trace port"},
};

/* Pins of an LPC43xx: no pull-up (bit 4), fast (bit 5), function [2:0]. */
static const struct etm_chip_write lpc43[] = {
    {0x40086790, ALL, 0x32, ETM_CHIP_PORT, "SFSPF_4", "PF_4: TRACECLK"},
    {0x40086794, ALL, 0x33, ETM_CHIP_PORT, "SFSPF_5", "PF_5: TRACEDATA[0]"},
    {0x40086798, ALL, 0x33, ETM_CHIP_2_OR_MORE, "SFSPF_6",
     "PF_6: TRACEDATA[1]"},
    {0x4008679c, ALL, 0x33, ETM_CHIP_4_PINS, "SFSPF_7", "PF_7: TRACEDATA[2]"},
    {0x400867a0, ALL, 0x33, ETM_CHIP_4_PINS, "SFSPF_8", "PF_8: TRACEDATA[3]"},
    {0x40043128, 0x1, 0, ETM_CHIP_ETB, "CREG_ETBCFG",
     "the RAM at 0x2000c000 is that of the ETB"},
};

/* TRACECONFIG: speed [1:0] 0 is 32 MHz, TRACEMUX [17:16] 1 serial, 2 parallel.
 * PIN_CNF: output, high drive. */
static const struct etm_chip_write nrf52_clock[] = {
    {0x4000055c, 0x30003, 0x20000, ETM_CHIP_PORT, "TRACECONFIG",
     "TRACEMUX: parallel, 32 MHz"},
    {0x4000055c, 0x30003, 0x10000, ETM_CHIP_SWO, "TRACECONFIG",
     "TRACEMUX: serial, 32 MHz"},
};

static const struct etm_chip_write nrf52832[] = {
    {0x50000750, ALL, 0x301, ETM_CHIP_PORT, "P0_PIN_CNF20", "TRACECLK"},
    {0x50000748, ALL, 0x301, ETM_CHIP_PADS, "P0_PIN_CNF18",
     "TRACEDATA[0], SWO"},
    {0x50000740, ALL, 0x301, ETM_CHIP_2_OR_MORE, "P0_PIN_CNF16",
     "TRACEDATA[1]"},
    {0x5000073c, ALL, 0x301, ETM_CHIP_4_PINS, "P0_PIN_CNF15", "TRACEDATA[2]"},
    {0x50000738, ALL, 0x301, ETM_CHIP_4_PINS, "P0_PIN_CNF14", "TRACEDATA[3]"},
};

static const struct etm_chip_write nrf52840[] = {
    {0x5000071c, ALL, 0x301, ETM_CHIP_PORT, "P0_PIN_CNF7", "TRACECLK"},
    {0x50000a00, ALL, 0x301, ETM_CHIP_PADS, "P1_PIN_CNF0", "TRACEDATA[0], SWO"},
    {0x50000730, ALL, 0x301, ETM_CHIP_2_OR_MORE, "P0_PIN_CNF12",
     "TRACEDATA[1]"},
    {0x5000072c, ALL, 0x301, ETM_CHIP_4_PINS, "P0_PIN_CNF11", "TRACEDATA[2]"},
    {0x50000a24, ALL, 0x301, ETM_CHIP_4_PINS, "P1_PIN_CNF9", "TRACEDATA[3]"},
};

/* Pins of a Kinetis: function 5 (MUX, [10:8]), high drive (DSE, bit 6). */
static const struct etm_chip_write kinetis[] = {
    {0x40048038, 0, 0x2000, ETM_CHIP_PORT, "SIM_SCGC5", "PORTE: clock"},
    {0x40048004, 0, 0x1000, ETM_CHIP_PADS, "SIM_SOPT2",
     "TRACECLKSEL: the core's clock"},
    {0x4004d000, ALL, 0x540, ETM_CHIP_PORT, "PORTE_PCR0", "PTE0: TRACE_CLKOUT"},
    {0x4004d010, ALL, 0x540, ETM_CHIP_PORT, "PORTE_PCR4", "PTE4: TRACE_D0"},
    {0x4004d00c, ALL, 0x540, ETM_CHIP_2_OR_MORE, "PORTE_PCR3",
     "PTE3: TRACE_D1"},
    {0x4004d008, ALL, 0x540, ETM_CHIP_4_PINS, "PORTE_PCR2", "PTE2: TRACE_D2"},
    {0x4004d004, ALL, 0x540, ETM_CHIP_4_PINS, "PORTE_PCR1", "PTE1: TRACE_D3"},
    {0xe0080014, 0x30, 0, ETM_CHIP_PADS, "MCM_ETBCC",
     "ETDIS, ITDIS: ETM and ITM go to the TPIU"},
    {0xe0080014, 0, 0x30, ETM_CHIP_ETB, "MCM_ETBCC",
     "ETDIS, ITDIS: not to the TPIU"},
};

static const struct etm_chip_write tm4c_clock[] = {
    {0x400fe608, 0, 0x20, ETM_CHIP_PORT, "RCGCGPIO", "port F: clock"},
    {0x400fea08, 0x20, 0x20, ETM_CHIP_PORT | ETM_CHIP_WAIT, "PRGPIO",
     "port F is ready"},
};

/* Port F; the function of a pin is four bits of GPIOPCTL. */
static const struct etm_chip_write tm4c_port_f[] = {
    {0x420, 0, 0x0c, ETM_CHIP_PORT, "GPIOF_AFSEL", "PF3, PF2: a function"},
    {0x420, 0, 0x02, ETM_CHIP_2_OR_MORE, "GPIOF_AFSEL", "PF1: a function"},
    {0x420, 0, 0x11, ETM_CHIP_4_PINS, "GPIOF_AFSEL", "PF0, PF4: a function"},
    {0x508, 0, 0x0c, ETM_CHIP_PORT, "GPIOF_DR8R", "PF3, PF2: 8 mA"},
    {0x508, 0, 0x02, ETM_CHIP_2_OR_MORE, "GPIOF_DR8R", "PF1: 8 mA"},
    {0x508, 0, 0x11, ETM_CHIP_4_PINS, "GPIOF_DR8R", "PF0, PF4: 8 mA"},
    {0x51c, 0, 0x0c, ETM_CHIP_PORT, "GPIOF_DEN", "PF3, PF2: digital"},
    {0x51c, 0, 0x02, ETM_CHIP_2_OR_MORE, "GPIOF_DEN", "PF1: digital"},
    {0x51c, 0, 0x11, ETM_CHIP_4_PINS, "GPIOF_DEN", "PF0, PF4: digital"},
};

static const struct etm_chip_write tm4c123_port_f[] = {
    {0x52c, 0xff00, 0xee00, ETM_CHIP_PORT, "GPIOF_PCTL",
     "PF3, PF2, function 14: TRCLK, TRD0"},
    {0x52c, 0xf0, 0xe0, ETM_CHIP_2_OR_MORE, "GPIOF_PCTL",
     "PF1, function 14: TRD1"},
};

static const struct etm_chip_write tm4c129_port_f[] = {
    {0x52c, 0xff00, 0xff00, ETM_CHIP_PORT, "GPIOF_PCTL",
     "PF3, PF2, function 15: TRCLK, TRD0"},
    {0x52c, 0xf0, 0xf0, ETM_CHIP_2_OR_MORE, "GPIOF_PCTL",
     "PF1, function 15: TRD1"},
    {0x52c, 0xf000f, 0xf000f, ETM_CHIP_4_PINS, "GPIOF_PCTL",
     "PF0, PF4, function 15: TRD2, TRD3"},
};

/* Pins of a Giant Gecko: push-pull (4) in four bits of MODEL each; location 0
 * of ROUTE, of ETM [25:24] and SWO [9:8]. */
static const struct etm_chip_write efm32gg[] = {
    {0x400c8044, 0, 0x2000, ETM_CHIP_PADS, "CMU_HFPERCLKEN0", "GPIO: clock"},
    {0x400c8020, ALL, 0x10, ETM_CHIP_PADS, "CMU_OSCENCMD",
     "AUXHFRCOEN: clock of the debug unit"},
    {0x400c802c, 0x20, 0x20, ETM_CHIP_PADS | ETM_CHIP_WAIT, "CMU_STATUS",
     "AUXHFRCORDY: it runs"},
    {0x40006070, 0xf000f000, 0x40004000, ETM_CHIP_PORT, "GPIO_PD_MODEL",
     "PD7, PD3: push-pull"},
    {0x40006070, 0xf0000, 0x40000, ETM_CHIP_2_OR_MORE, "GPIO_PD_MODEL",
     "PD4: push-pull"},
    {0x40006070, 0xff00000, 0x4400000, ETM_CHIP_4_PINS, "GPIO_PD_MODEL",
     "PD5, PD6: push-pull"},
    {0x40006120, 0x03000000, 0x3000, ETM_CHIP_PORT, "GPIO_ROUTE",
     "TCLKPEN, TD0PEN, ETMLOCATION: 0"},
    {0x40006120, 0, 0x4000, ETM_CHIP_2_OR_MORE, "GPIO_ROUTE", "TD1PEN"},
    {0x40006120, 0, 0x18000, ETM_CHIP_4_PINS, "GPIO_ROUTE", "TD2PEN, TD3PEN"},
    {0x400060b8, 0xf00, 0x400, ETM_CHIP_SWO, "GPIO_PF_MODEL", "PF2: push-pull"},
    {0x40006120, 0x300, 0x8, ETM_CHIP_SWO, "GPIO_ROUTE",
     "SWOPEN, SWLOCATION: 0"},
};

#define ORBUCULUM "orbuculum's Support/gdbtrace.init"
#define OPENOCD "OpenOCD's target/"

static const struct etm_chip_row rows[] = {
    {.about = {.name = "stm32f1",
               .models = "STM32F100 to F107",
               .core = "cortex-m3",
               .pins = "PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO",
               .source = "ST RM0008; " OPENOCD "stm32f1x.cfg; " ORBUCULUM,
               .caveat = "low- and medium-density devices have no ETM, by "
                         "their data sheets",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "stm32f1",
     .parts = {PART(stm32f1, 0), STM32_DEBUG_UNIT}},
    {.about = {.name = "stm32f2",
               .models = "STM32F205, F207, F215, F217",
               .core = "cortex-m3",
               .pins = "PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO",
               .source = "ST RM0033; " OPENOCD "stm32f2x.cfg",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "stm32f2",
     .parts = {PART(stm32f4_clock, 0), PART(stm32_port_e, 0x40021000),
               PART(stm32f4_pb3, 0), STM32_DEBUG_UNIT}},
    {.about = {.name = "stm32f4",
               .models = "STM32F401 to F479",
               .core = "cortex-m4",
               .pins = "PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO",
               .source = "ST RM0090; " OPENOCD "stm32f4x.cfg; " ORBUCULUM,
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "stm32f4",
     .parts = {PART(stm32f4_clock, 0), PART(stm32_port_e, 0x40021000),
               PART(stm32f4_pb3, 0), STM32_DEBUG_UNIT}},
    {.about = {.name = "stm32l1",
               .models = "STM32L100 to L162",
               .core = "cortex-m3",
               .pins = "PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO (after "
                       "reset)",
               .source = "ST RM0038; " OPENOCD "stm32l1.cfg",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "stm32l1",
     .parts = {PART(stm32l1_clock, 0), PART(stm32_port_e, 0x40021000),
               STM32_DEBUG_UNIT}},
    {.about = {.name = "stm32l4",
               .models = "STM32L412 to L4S9",
               .core = "cortex-m4",
               .pins = "PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO (after "
                       "reset)",
               .source = "ST RM0351; " OPENOCD "stm32l4x.cfg",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "stm32l4",
     .parts = {PART(stm32l4_clock, 0), PART(stm32_port_e, 0x48001000),
               STM32_DEBUG_UNIT}},
    {.about = {.name = "stm32g4",
               .models = "STM32G431 to G4A1",
               .core = "cortex-m4",
               .pins = "PE2 TRACECLK, PE3 to PE6 TRACED0 to 3; PB3 SWO (after "
                       "reset)",
               .source = "ST RM0440, DS12712; " OPENOCD "stm32g4x.cfg",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "stm32g4",
     .parts = {PART(stm32l4_clock, 0), PART(stm32_port_e, 0x48001000),
               STM32_DEBUG_UNIT}},
    {.about = {.name = "lpc176x",
               .models = "LPC1751 to LPC1769",
               .core = "cortex-m3",
               .pins = "P2.6 TRACECLK, P2.5 to P2.2 TRACEDATA[0] to [3]; SWO "
                       "is TDO",
               .source = "NXP UM10360, PINSEL10; NXP's CMSIS drivers, "
                         "lpc17xx_pinsel.c",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "lpc175 lpc176 lpc17xx.",
     .parts = {PART(lpc17, 0)}},
    {.about = {.name = "lpc43xx",
               .models = "LPC4310 to LPC43S70, the Cortex-M4",
               .core = "cortex-m4",
               .pins = "PF_4 TRACECLK, PF_5 to PF_8 TRACEDATA[0] to [3]; SWO "
                       "is TDO",
               .source = "NXP UM10503, SCU and CREG; libopencm3's "
                         "lpc43xx/creg.h",
               .caveat = "no public source confirms the address of the ETB, "
                         "so it has to be given; packages without port F have "
                         "no TRACECLK",
               .sinks = TPIU | SWO | ETB,
               .port_sizes = 7,
               .etm = true},
     .names = "lpc43",
     .parts = {PART(lpc43, 0)}},
    {.about = {.name = "sam3",
               .models = "SAM3A, SAM3N, SAM3S, SAM3U, SAM3X",
               .core = "cortex-m3",
               .pins = "SWO is TDO, after reset, with SWD",
               .source = "Microchip's data sheets, Debug and Test Features",
               .sinks = SWO,
               .etm = false},
     .names = "sam3 atsam3"},
    {.about = {.name = "sam4",
               .models = "SAM4C, SAM4E, SAM4N, SAM4S",
               .core = "cortex-m4",
               .pins = "SWO is TDO, after reset, with SWD",
               .source = "Microchip's data sheets, Debug and Test Features",
               .sinks = SWO,
               .etm = false},
     .names = "sam4c sam4e sam4n sam4s sam4. atsam4c atsam4e atsam4n atsam4s"},
    {.about = {.name = "nrf52832",
               .models = "nRF52832",
               .core = "cortex-m4",
               .pins = "P0.20 TRACECLK, P0.18 P0.16 P0.15 P0.14 TRACEDATA[0] "
                       "to [3]; P0.18 SWO",
               .source = "Nordic's MDK, system_nrf52.c; its product "
                         "specification, TRACECONFIG; " ORBUCULUM,
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "nrf52832 nrf52.",
     .parts = {PART(nrf52_clock, 0), PART(nrf52832, 0)},
     .clock = 32000000},
    {.about = {.name = "nrf52840",
               .models = "nRF52840",
               .core = "cortex-m4",
               .pins = "P0.07 TRACECLK, P1.00 P0.12 P0.11 P1.09 TRACEDATA[0] "
                       "to [3]; P1.00 SWO",
               .source = "Nordic's MDK, system_nrf52840.c; its product "
                         "specification, TRACECONFIG",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "nrf52840",
     .parts = {PART(nrf52_clock, 0), PART(nrf52840, 0)},
     .clock = 32000000},
    {.about = {.name = "k60",
               .models = "Kinetis K60, K64",
               .core = "cortex-m4",
               .pins = "PTE0 TRACE_CLKOUT, PTE4 to PTE1 TRACE_D0 to TRACE_D3; "
                       "SWO is TDO, PTA2",
               .source = "NXP K64P144M120SF5RM; NuttX's kinetis_memorymap.h; "
                         "mcuoneclipse's KinetisTrace.c",
               .sinks = TPIU | SWO | ETB,
               .port_sizes = 7,
               .etm = true},
     .names = "k60 k64 mk60 mk64",
     .parts = {PART(kinetis, 0)},
     .etb = 0xe0042000,
     .funnel = 0xe0043000,
     .etm_port = 1,
     .itm_port = 2},
    {.about = {.name = "tm4c123",
               .models = "TM4C123",
               .core = "cortex-m4",
               .pins = "PF3 TRCLK, PF2 TRD0, PF1 TRD1; SWO is TDO, PC3",
               .source = "TI TivaWare's pin_map.h; " ORBUCULUM,
               .caveat = "no public source confirms the pin of TRD3, so there "
                         "are up to two data pins",
               .sinks = TPIU | SWO,
               .port_sizes = 3,
               .etm = true},
     .names = "tm4c123",
     .parts = {PART(tm4c_clock, 0), PART(tm4c_port_f, 0x40025000),
               PART(tm4c123_port_f, 0x40025000)}},
    {.about = {.name = "tm4c129",
               .models = "TM4C129",
               .core = "cortex-m4",
               .pins = "PF3 TRCLK, PF2 PF1 PF0 PF4 TRD0 to TRD3; SWO is TDO, "
                       "PC3",
               .source = "TI TivaWare's pin_map.h and hw_gpio.h",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "tm4c129",
     .parts = {PART(tm4c_clock, 0), PART(tm4c_port_f, 0x4005d000),
               PART(tm4c129_port_f, 0x4005d000)}},
    {.about = {.name = "efm32gg",
               .models = "EFM32GG230 to GG990",
               .core = "cortex-m3",
               .pins = "PD7 TCLK, PD3 to PD6 TD0 to TD3; PF2 SWO",
               .source = "Silicon Labs' bsp_trace.c and AN0043; libopencm3's "
                         "efm32/common/gpio_common.h",
               .sinks = TPIU | SWO,
               .port_sizes = 7,
               .etm = true},
     .names = "efm32gg. efm32gg2 efm32gg3 efm32gg8 efm32gg9",
     .parts = {PART(efm32gg, 0)},
     .clock = 14000000},
};

const struct etm_chip *etm_chips(size_t n)
{
    return n < N(rows) ? &rows[n].about : NULL;
}

const struct etm_chip_row *etm_chip_row(const struct etm_chip *chip)
{
    for (size_t i = 0; i < N(rows); i++)
        if (&rows[i].about == chip)
            return &rows[i];
    return NULL;
}

/* Whether the name begins with one of these, or is it if a dot follows. */
static bool matches(const char *names, const char *name)
{
    while (*names != '\0') {
        size_t n = strcspn(names, " "), k = 0;
        bool whole = n != 0 && names[n - 1] == '.';

        while (k < n - whole && etm_fold(name[k]) == names[k])
            k++;
        if (k == n - whole && (!whole || name[k] == '\0'))
            return true;
        names += n + (names[n] == ' ');
    }
    return false;
}

int etm_chip_find(const char *name, const struct etm_chip **chip)
{
    *chip = NULL;
    if (!name)
        return ETM_ERR_ARGUMENT;
    for (size_t i = 0; i < N(rows) && !*chip; i++)
        if (etm_fold_same(name, rows[i].about.name) ||
            matches(rows[i].names, name))
            *chip = &rows[i].about;
    return *chip ? ETM_OK : ETM_ERR_NOT_FOUND;
}
