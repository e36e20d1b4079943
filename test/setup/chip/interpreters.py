# SPDX-License-Identifier: Apache-2.0
"""Scripts in their own interpreters, with a model in place of the memory.

Each function runs a script and returns what went wrong, or None; MISSING if
there is no such interpreter.
"""
import os
import shutil
import socket
import subprocess
import sys
import threading
import types

MISSING = 'missing'


def serve(command, model, folder):
    """Run a program that prints @r ADDRESS and @w ADDRESS VALUE and reads the
    answer."""
    with subprocess.Popen(command, cwd=folder, text=True, bufsize=1,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        said = []
        for line in process.stdout:
            words = line.split()
            if words and words[0] == '@r':
                process.stdin.write('%d\n' % model.read(int(words[1])))
            elif words and words[0] == '@w':
                model.write(int(words[1]), int(words[2]))
                process.stdin.write('0\n')
            else:
                said.append(line)
            process.stdin.flush()
        process.stdin.close()
        status = process.wait()
    return None if status == 0 else ''.join(said[-5:])


TCL = '''
proc etm_ask {text} { puts $text; flush stdout; gets stdin }
proc mww {address value} {
    etm_ask [format "@w %u %u" $address [expr {$value & 0xffffffff}]]
}
proc read_memory {address width count} { etm_ask [format "@r %u" $address] }
proc echo {args} {}
'''


def openocd(script, model, folder):
    """OpenOCD's interpreter, or the one that it is built from, alone."""
    text = TCL + open(os.path.join(folder, script)).read()
    with open(os.path.join(folder, 'all.tcl'), 'w') as out:
        out.write(text)
    if shutil.which('openocd'):
        return serve(['openocd', '-c', 'noinit', '-f', 'all.tcl', '-c',
                      'shutdown'], model, folder)
    if shutil.which('jimsh'):
        return serve(['jimsh', 'all.tcl'], model, folder)
    return MISSING


C = '''
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef uint32_t U32;
static U32 ask(void)
{
    char line[32];
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        exit(1);
    return (U32)strtoul(line, NULL, 10);
}
static U32 stub_read(U32 a) { printf("@r %lu\\n", (unsigned long)a); return ask(); }
static U32 stub_write(U32 a, U32 v)
{
    printf("@w %lu %lu\\n", (unsigned long)a, (unsigned long)v);
    return ask();
}
'''
# What a J-Link script may call.
JLINK = '''
static U32 JLINK_MEM_ReadU32(U32 a) { return stub_read(a); }
static int JLINK_MEM_WriteU32(U32 a, U32 v) { return (int)stub_write(a, v); }
static int JLINK_SYS_Report(const char *text) { return printf("%s\\n", text); }
int SetupTarget(void);
int OnTraceStart(void);
int etm_change(U32, U32, U32);
int etm_wait(U32, U32, U32);
int etm_setup_program(void);
'''


def compiled(script, model, folder, before, main):
    compiler = os.environ.get('CC', 'cc').split()
    if not shutil.which(compiler[0]):
        return MISSING
    with open(os.path.join(folder, 'all.c'), 'w') as out:
        out.write(C + before + '#include "%s"\n' % script + main)
    made = subprocess.run(compiler + ['-std=c11', '-Wall', '-Wextra',
                                      '-Wconversion', '-Werror', 'all.c', '-o',
                                      'all'], cwd=folder, text=True,
                          capture_output=True)
    if made.returncode != 0:
        return made.stderr
    return serve([os.path.join(folder, 'all')], model, folder)


def c(script, model, folder):
    text = open(os.path.join(folder, script)).read()
    main = 'int main(void) { etm_setup_program(); return 0; }\n'
    if 'etm_read_out' in text:
        main = '''int main(void)
{
    static uint32_t words[64];
    unsigned n = etm_read_out(words, 64);
    FILE *out = fopen("etb.bin", "wb");
    for (unsigned i = 0; out && i < n; i++)
        for (unsigned k = 0; k < 4; k++)
            fputc((int)(words[i] >> (8 * k) & 0xff), out);
    return out && fclose(out) == 0 ? 0 : 1;
}
'''
    return compiled(script, model, folder,
                    '#define ETM_STORE(a, v) stub_write(a, v)\n'
                    '#define ETM_LOAD(a) stub_read(a)\n', main)


def jlink(script, model, folder):
    return compiled(script, model, folder, JLINK,
                    'int main(void) { return OnTraceStart(); }\n')


def pyocd(script, model, folder):
    """With a module that only has what the script imports."""
    session = types.SimpleNamespace(target=types.SimpleNamespace(
        read32=model.read, write32=model.write))

    class Session:
        def __enter__(self):
            return session

        def __exit__(self, *_):
            return False

    helpers = types.ModuleType('pyocd.core.helpers')
    helpers.ConnectHelper = types.SimpleNamespace(
        session_with_chosen_probe=Session)
    for name in ('pyocd', 'pyocd.core'):
        sys.modules[name] = types.ModuleType(name)
    sys.modules['pyocd.core.helpers'] = helpers
    here = os.getcwd()
    os.chdir(folder)
    try:
        exec(compile(open(script).read(), script, 'exec'),
             {'__name__': '__main__'})
    except Exception as error: # whatever the script raises
        return repr(error)
    finally:
        os.chdir(here)
    return None


class Stub(threading.Thread):
    """A target of GDB's remote protocol: memory, and registers that are 0."""

    def __init__(self, model):
        super().__init__(daemon=True)
        self.model = model
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]

    def answer(self, packet):
        if packet.startswith('qSupported'):
            return 'PacketSize=1000'
        if packet == '?':
            return 'S05'
        if packet == 'g':
            return '00000000' * 16 + '0' * 24 * 8 + '00000000' * 2
        if packet[0] in 'mM':
            place, _, data = packet[1:].partition(':')
            address, length = (int(word, 16) for word in place.split(','))
            if length != 4 or address % 4:
                return 'E01'
            if packet[0] == 'm':
                return self.model.read(address).to_bytes(4, 'little').hex()
            self.model.write(address,
                             int.from_bytes(bytes.fromhex(data), 'little'))
            return 'OK'
        return '' # X, too: GDB then uses M

    def run(self):
        stream, _ = self.listener.accept()
        received = b''
        with stream:
            while True:
                part = stream.recv(4096)
                if not part:
                    return
                received += part
                while b'#' in received and len(received) >= (
                        received.index(b'#') + 3):
                    end = received.index(b'#')
                    packet = received[received.index(b'$') + 1:end].decode()
                    received = received[end + 3:]
                    answer = self.answer(packet)
                    stream.sendall(b'+$%s#%02x' % (
                        answer.encode(), sum(answer.encode()) & 0xff))
                    if packet in ('D', 'k'):
                        return


def gdb(script, model, folder):
    program = shutil.which('gdb-multiarch') or shutil.which('arm-none-eabi-gdb')
    if not program:
        return MISSING
    stub = Stub(model)
    stub.start()
    done = subprocess.run(
        [program, '-nx', '-batch', '-ex', 'set architecture armv7e-m',
         '-ex', 'set remotetimeout 20',
         '-ex', 'target remote 127.0.0.1:%d' % stub.port, '-x', script],
        cwd=folder, text=True, capture_output=True, timeout=240)
    wrong = [line for line in done.stderr.splitlines()
             if script in line or 'rror' in line]
    if 'do not become' in done.stdout:
        wrong.append(done.stdout)
    return '\n'.join(wrong) or None if done.returncode == 0 else done.stderr
