#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trace from a server: tcp:HOST:PORT. What comes out is what a file with the
same bytes gives: of raw bytes, of frames, and of the packets of orbuculum; at
once and in pieces with pauses; also if the connection ends in the middle, is
lost and made again, or nothing comes. OpenOCD opens the port of its `tpiu
create` only after an adapter has answered; what it sends then are the bytes of
the adapter as they are, as the server here does. Speaks TAP.

    server.py ETM DEMO PROGRAMS
"""
import glob
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ETM, DEMO, PROGRAMS = (os.path.abspath(a) for a in sys.argv[1:4])
PATIENCE = 120 # seconds, after which a command hangs
count = 0
# A suite that a shell runs in the background inherits an ignored SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)


def verdict(good, name, *said):
    global count
    count += 1
    if not good:
        for text in said:
            for line in str(text)[-2000:].splitlines():
                print('#', line)
    print('ok' if good else 'not ok', count, '-', name, flush=True)


class Server:
    """Sends the pieces of each connection, one after the other; the text of a
    piece is a command: 'wait' for the event, or sleep so many seconds."""

    def __init__(self, *connections, family=socket.AF_INET, port=0, stay=False):
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(('::1' if family == socket.AF_INET6 else '127.0.0.1',
                          port))
        self.socket.listen()
        self.port = self.socket.getsockname()[1]
        self.connections = connections
        self.stay = stay
        self.accepted = 0
        self.sent = threading.Event() # everything
        self.go_on = threading.Event()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        for i, pieces in enumerate(self.connections):
            connection, _ = self.socket.accept()
            self.accepted = i + 1
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                for piece in pieces:
                    if piece == 'wait':
                        self.go_on.wait(PATIENCE)
                    elif isinstance(piece, float):
                        time.sleep(piece)
                    else:
                        connection.sendall(piece)
                if i + 1 == len(self.connections):
                    self.sent.set()
                    if self.stay:
                        self.over.wait(PATIENCE)
            except OSError:
                pass # the command has gone
            connection.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.go_on.set()
        self.over.set()


def run(*arguments, **how):
    return subprocess.run([ETM, *arguments], capture_output=True,
                          timeout=PATIENCE, **how)


def interrupt_at_rest(process, server):
    """As Ctrl-C does, when the command has read everything: for a second, each
    of its threads waited. How busy the machine is does not matter."""
    end = time.monotonic() + PATIENCE
    server.sent.wait(PATIENCE)
    waited = 0
    while waited < 20 and time.monotonic() < end and process.poll() is None:
        time.sleep(0.05)
        states = set()
        for path in glob.glob(f'/proc/{process.pid}/task/*/stat'):
            try:
                with open(path) as file:
                    states.add(file.read().rpartition(') ')[2][0])
            except OSError:
                states.add('') # the thread has just ended
        waited = waited + 1 if states == {'S'} else 0
    process.send_signal(signal.SIGINT)


def pieces(data, size, pause):
    for at in range(0, len(data), size):
        yield data[at:at + size]
        yield pause


# The packets of orbuculum: stream, bytes, and what makes their sum 0, stuffed.

def stuff(data):
    out = bytearray()
    for block in data.split(b'\0'):
        while len(block) >= 254:
            out += b'\xff' + block[:254]
            block = block[254:]
        out += bytes([len(block) + 1]) + block
    return bytes(out) + b'\0'


def packet(stream, data):
    body = bytes([stream]) + data
    return stuff(body + bytes([-sum(body) & 0xff]))


def orbflow(*streams, size=100):
    """Streams of (number, bytes), a packet of each in turn."""
    out, at = [], 0
    while any(at < len(data) for _, data in streams):
        out += [packet(n, data[at:at + size]) for n, data in streams
                if at < len(data)]
        at += size
    return out


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    M3 = os.path.join(DEMO, 'cortex-m3')
    run('split', M3, '-o', '.')
    etm_bytes = open('ETM_0.bin', 'rb').read()
    frames = open(os.path.join(M3, 'cstrace.bin'), 'rb').read()
    code = ('--core', 'cortex-m3', '--reg', 'ETMCR=0x800',
            '--image', os.path.join(M3, 'sensor.elf'))

    # An ITM: text of port 0, and samples of the program counter.
    itm = b''.join(b'\x01%c\x17' % c + (0x27a + 2 * (i % 3)).to_bytes(4, 'little')
                   for i, c in enumerate(b'from the wire, live\n' * 20))
    itm = b'\0\0\0\0\0\x80' + itm
    sync = b'\xff\xff\xff\x7f'
    tpiu = sync + b''.join(frames[at:at + 160] + sync
                           for at in range(0, len(frames), 160))

    def wanted(data, *arguments):
        with open('file', 'wb') as file:
            file.write(data)
        command, *rest = arguments
        return run(command, 'file', *rest).stdout

    def without_title(text):
        return text.split(b'\n', 1)[1]

    def same(name, data, want, *arguments, said=None, **how):
        """What comes of these pieces is `want`."""
        with Server(data, **how) as server:
            host = '[::1]' if 'family' in how else 'localhost'
            command, *rest = arguments
            got = run(command, f'tcp:{host}:{server.port}', *rest)
        good = got.returncode == 0 and got.stdout == want and want != b''
        if said:
            good = good and said in got.stderr.decode()
        verdict(good, name, got.returncode, got.stdout[:500], got.stderr)

    plain = ('--framing', 'none', *code)
    for level in 'ranges', 'instructions':
        how = ('decode', *plain, '--level', level, '--format', 'jsonl')
        want = wanted(etm_bytes, *how)
        same(f'bytes_are_decoded:_{level}', [etm_bytes], want, *how)
        same(f'bytes_may_come_in_pieces:_{level}',
             pieces(etm_bytes, 700, 0.01), want, *how)
    how = ('packets', *plain)
    want = wanted(etm_bytes, *how)
    same('single_bytes_may_come', pieces(etm_bytes[:400], 1, 0.0),
         wanted(etm_bytes[:400], *how), *how)
    try:
        same('servers_may_have_addresses_of_ipv6', [etm_bytes], want, *how,
             family=socket.AF_INET6)
    except OSError as error:
        verdict(True, f'servers_may_have_addresses_of_ipv6 # SKIP {error}')

    for framing, data in (('coresight', frames), ('tpiu', tpiu)):
        how = ('decode', '--framing', framing, *code, '--format', 'jsonl')
        want = wanted(data, *how, '--source', '0x10')
        same(f'frames_are_decoded:_{framing}', pieces(data, 999, 0.01), want,
             *how, '--source', '0x10')
        same(f'a_source_is_found:_{framing}', [data], want, *how,
             said='trace ID 0x10 is read')

    with Server([frames]) as server:
        got = run('packets', f'tcp:localhost:{server.port}', '--framing',
                  'coresight', *code, '--reg', 'ETMTRACEIDR=0x10', '--source',
                  '0x11')
    verdict(got.returncode == 1 and
            b'no trace source 0x11: there is 0x10' in got.stderr,
            'a_source_is_not_chosen_beside_the_one_that_is_read', got.stderr)

    # Commands that need all of it, and all that read it once.
    for command in ('info', 'index', 'profile', 'calls', 'coverage',
                    'exceptions', 'report'):
        how = (command, *plain)
        with Server([etm_bytes]) as server:
            got = run(command, f'tcp:localhost:{server.port}', *plain,
                      '-o', 'got').returncode
        run(command, 'ETM_0.bin', *plain, '-o', 'want')
        # the names of the capture are in some
        texts = [re.sub(rb'tcp:[^ ",<]*|ETM_0.bin', b'NAME',
                        open(name, 'rb').read()) for name in ('got', 'want')]
        verdict(got == 0 and os.path.getsize('got') > 0 and
                (texts[0] == texts[1] or command in ('info', 'report')),
                f'commands_read_a_server:_{command}', got)
    with Server([frames]) as server:
        got = run('packets', f'tcp:localhost:{server.port}')
    verdict(got.returncode == 0 and b'i_sync' in got.stdout and
            b'kept until it ends' in got.stderr and
            b'--framing coresight' in got.stderr,
            'bytes_that_nothing_tells_of_are_kept_and_guessed', got.stderr)

    # Packets of orbuculum.
    both = orbflow((1, itm), (2, etm_bytes))
    how_etm = ('--framing', 'orbflow', *code, '--source', '2')
    how_itm = ('--framing', 'orbflow', '--protocol', 'itm', '--source', '1')
    etm_want = without_title(wanted(etm_bytes, 'packets', *plain,
                                    '--no-offset'))
    itm_want = wanted(itm, 'decode', '--framing', 'none', '--protocol', 'itm',
                      '--itm-text', '0')
    with open('orb', 'wb') as file:
        file.write(b''.join(both))
    got = run('packets', 'orb', *how_etm, '--no-offset')
    verdict(without_title(got.stdout) == etm_want,
            'packets_of_orbuculum_may_be_in_a_file', got.stderr)
    got = run('info', 'orb', '--framing', 'orbflow').stdout.decode()
    verdict('0x01' in got and '0x02' in got and
            f'{len(both)} packets of orbflow' in got,
            'info_names_the_streams', got)
    got = run('decode', 'orb', '--itm-text', '0', '--source', '1')
    verdict(got.stdout == itm_want, 'the_packets_are_recognized', got.stderr)

    def live(name, data, want, *arguments, listed=without_title, **how):
        with Server(data, **how) as server:
            command, *rest = arguments
            got = run(command, f'tcp:localhost:{server.port}', *rest)
        verdict(got.returncode == 0 and listed(got.stdout) == want, name,
                got.returncode, got.stdout[:500], got.stderr)

    live('packets_of_orbuculum_are_unpacked', both, etm_want, 'packets',
         *how_etm, '--no-offset')
    live('they_may_come_in_pieces', pieces(b''.join(both), 333, 0.005),
         etm_want, 'packets', *how_etm, '--no-offset')
    live('they_have_a_stream_of_an_itm', both, itm_want, 'decode', *how_itm,
         '--itm-text', '0', listed=lambda text: text)
    live('the_first_stream_is_read_if_none_is_chosen', both, itm_want,
         'decode', '--framing', 'orbflow', '--protocol', 'itm', '--itm-text',
         '0', listed=lambda text: text)
    zeros = bytes(1000)
    live('packets_may_have_any_bytes', orbflow((2, zeros + b'\x80' + etm_bytes),
                                               size=4094),
         without_title(wanted(zeros + b'\x80' + etm_bytes, 'packets', *plain,
                              '--no-offset')),
         'packets', *how_etm, '--no-offset')
    try:
        with Server(both, port=3402):
            got = run('packets', 'tcp:localhost:3402', *how_etm[2:],
                      '--no-offset')
        verdict(without_title(got.stdout) == etm_want,
                'the_port_of_orbuculum_needs_no_framing', got.stderr)
    except OSError as error:
        verdict(True, 'the_port_of_orbuculum_needs_no_framing # SKIP '
                f'{error}')

    # Damage in them has a place and a number of bytes.
    only = orbflow((2, etm_bytes))
    for name, broken in (
            ('sum', only[20][:5] + bytes([only[20][5] ^ 6]) + only[20][6:]),
            ('end', only[20][:-40] + b'\0')):
        changed = b''.join(only[:20]) + broken + b''.join(only[21:])
        with open('broken', 'wb') as file:
            file.write(changed)
        got = []
        for where in 'file', 'server':
            with Server([changed]) as server:
                got.append(run('decode', 'broken' if where == 'file' else
                               f'tcp:localhost:{server.port}', *how_etm,
                               '--format', 'jsonl', '--no-offset'))
        lost = [line for line in got[0].stdout.decode().splitlines()
                if '"bad_frame"' in line]
        # and what is behind it, up to where decoding begins again
        bytes_lost = int(re.search('"bytes":([0-9]*)', lost[0])[1]) \
            if lost else 0
        verdict(len(lost) == 1 and
                len(broken) <= bytes_lost <= len(broken) + 300,
                f'damaged_packets_are_lost:_{name}', lost, len(broken),
                got[0].stderr)
        strip = lambda text: re.sub(rb'.*"lost".*\n', b'', text)
        verdict(strip(got[0].stdout) == strip(got[1].stdout) and
                b'bad_frame' in got[1].stdout,
                f'they_are_lost_of_a_server_as_of_a_file:_{name}',
                got[1].stderr)
    got = run('info', 'broken', '--framing', 'orbflow').stdout.decode()
    verdict('1 packet of orbflow is damaged' in got,
            'info_counts_damaged_packets', got)
    # Frames that are made of packets are whole: with none of them are bytes of
    # good packets between damaged ones taken for a gap.
    with open(os.path.join(DEMO, '../fuzz/corpus/orbflow',
                           'fix-frames-between-damage'), 'rb') as corpus:
        open('between', 'wb').write(corpus.read()[1:]) # without the target's byte
    run('split', 'between', '--framing', 'orbflow', '-o', 'sources')
    got = open('sources/0x02.bin', 'rb').read()
    verdict(got == bytes.fromhex('ec907998764f848704b4b7018a84ff03c488914316c4'
                                 'ac76e5421cbc8879') * 3,
            'good_packets_between_damaged_ones_are_whole', got.hex())
    cut = b''.join(only)[50:]
    live('a_connection_may_begin_within_a_packet', [cut],
         without_title(wanted(etm_bytes[100:], 'packets', *plain,
                              '--no-offset')),
         'packets', *how_etm, '--no-offset')

    # Lines come before the end, and Ctrl-C is the end.
    def interrupted(name, data, want, *arguments):
        with Server(data, stay=True) as server:
            command, *rest = arguments
            process = subprocess.Popen(
                [ETM, command, f'tcp:localhost:{server.port}', *rest],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
            got = [process.stdout.readline()] # before the end

            def read_on():
                while text := process.stdout.read(65536):
                    got.append(text)

            reader = threading.Thread(target=read_on, daemon=True)
            reader.start()
            interrupt_at_rest(process, server)
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
            reader.join()
            first, out, err = got[0], b''.join(got[1:]), process.stderr.read()
        verdict(process.returncode == 0 and first != b'' and first + out == want,
                name, process.returncode, (first + out)[-300:], err)

    how = ('decode', *plain, '--format', 'jsonl')
    interrupted('lines_come_at_once_and_end_when_interrupted', [etm_bytes],
                wanted(etm_bytes, *how), *how)
    with open('only', 'wb') as file:
        file.write(b''.join(only))
    interrupted('packets_of_orbuculum_come_at_once', only,
                run('packets', 'only', *how_etm).stdout, 'packets', *how_etm)

    # etm top: the functions, exceptions and losses of a file and of a server.
    def top(*arguments, **how):
        got = run('top', *arguments, '--format', 'jsonl', '--lines', '0', **how)
        return [json.loads(line) for line in got.stdout.splitlines()], got

    frame = top('ETM_0.bin', *plain, '--once')[0]
    profile = [json.loads(line) for line in
               run('profile', 'ETM_0.bin', *plain, '--format',
                   'jsonl').stdout.splitlines()]
    instructions = sum(row['self'] for row in profile if 'self' in row)
    verdict(len(frame) == 1 and frame[0]['end'] and
            frame[0]['all'] == instructions > 0 and
            sum(f['all'] for f in frame[0]['functions']) == instructions,
            'top_has_all_instructions', frame, instructions)
    own = {row['name']: row['self'] for row in profile
           if row['k'] == 'function'}
    verdict({f['name']: f['all'] for f in frame[0]['functions']} == own,
            'its_functions_are_those_of_a_profile', frame, own)
    enters = run('decode', 'ETM_0.bin', *plain, '--format',
                 'jsonl').stdout.count(b'"k":"exception",')
    verdict(sum(e['all'] for e in frame[0]['exceptions']) == enters > 0,
            'top_has_all_exceptions', frame, enters)
    # code without symbols: each place is a row, also of thousands
    places = [0x10000 + 8 * (i * 777 % 4001) for i in range(3 * 4001)]
    with open('places', 'w') as file:
        file.write(f'version 1\nplace {places[0]:x}\n')
        file.writelines(f'{at:x} e12fff1e next={to:x}\n'
                        for at, to in zip(places, places[1:] + places[:1]))
    run('record', '--execution', 'places', '--core', 'cortex-a9', '-o', 'wide',
        check=True)
    rows = top('wide', '--once')[0][0]['functions']
    verdict(sorted((int(row['addr'], 0), row['all']) for row in rows) ==
            [(at, 3) for at in sorted(set(places))],
            'top_has_one_row_for_each_place', len(rows), rows[:3])
    got = run('top', 'ETM_0.bin', *plain, '--once').stdout.decode()
    verdict(' crc32\n' in got and '  exception\n' in got and
            '0 places with losses' in got, 'top_is_text_for_people', got)
    with open('damaged', 'wb') as file:
        file.write(etm_bytes[:3000] + etm_bytes[3100:])
    lost = top('damaged', *plain, '--once')[0][0]
    verdict(lost['lost'] > 0 and lost['lost_bytes'] > 0,
            'top_counts_losses', lost)
    with Server([itm]) as server:
        frames_of, got = top(f'tcp:localhost:{server.port}', '--framing',
                             'none', '--protocol', 'itm', '--once',
                             '--interval', '20000', '--image',
                             os.path.join(M3, 'sensor.elf'))
    verdict(len(frames_of) == 1 and frames_of[0]['unit'] == 'samples' and
            frames_of[0]['all'] == itm.count(b'\x17') and
            frames_of[0]['functions'][0]['name'] == 'main',
            'top_has_the_samples_of_an_itm', frames_of, got.stderr)
    third = len(etm_bytes) // 3
    with Server([etm_bytes[:third], 1.5, etm_bytes[third:2 * third], 1.5,
                 etm_bytes[2 * third:]]) as server:
        frames_of, got = top(f'tcp:localhost:{server.port}', *plain,
                             '--interval', '100')
    verdict(len(frames_of) >= 3 and frames_of[-1]['end'] and
            [f['n'] for f in frames_of] == list(range(1, len(frames_of) + 1))
            and sum(f['now'] for f in frames_of) == instructions and
            frames_of[-1]['all'] == instructions,
            'frames_come_while_the_trace_does', frames_of, got.stderr)
    with Server([etm_bytes], stay=True) as server:
        frames_of, got = top(f'tcp:localhost:{server.port}', *plain,
                             '--interval', '8000', '--once')
    verdict(got.returncode == 0 and len(frames_of) == 1 and
            frames_of[0]['all'] == instructions,
            'a_server_that_goes_on_has_one_frame_too', frames_of, got.stderr)
    # On a terminal each frame replaces the one before it.
    ours, its = os.openpty()
    shown = []

    def look():
        try:
            while text := os.read(ours, 65536):
                shown.append(text)
        except OSError:
            pass # the other side is closed

    with Server([etm_bytes[:third], 1.0, etm_bytes[third:]]) as server:
        process = subprocess.Popen(
            [ETM, 'top', f'tcp:localhost:{server.port}', *plain,
             '--interval', '100'], stdout=its, stderr=subprocess.PIPE,
            env={**os.environ, 'TERM': 'xterm'})
        os.close(its)
        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        process.wait(timeout=PATIENCE)
        looking.join(10)
    text = b''.join(shown)
    verdict(process.returncode == 0 and text.count(b'\033[H\033[J') >= 2 and
            text.startswith(b'\033[H\033[J') and b'crc32' in text,
            'frames_are_in_place_on_a_terminal', text[:300],
            process.stderr.read())
    for wrong in ('--interval', '5'), ('--interval', 'x'):
        verdict(run('top', 'ETM_0.bin', *wrong).returncode == 2,
                f'an_interval_is_milliseconds:_{wrong[1]}')
    verdict(run('decode', 'ETM_0.bin', '--once').returncode == 2,
            'other_commands_have_no_frames')

    # Connections that end, or are none.
    half = etm_bytes[:len(etm_bytes) // 2]
    same('a_connection_may_end_anywhere', [half],
         wanted(half, *how), *how)

    def fails(name, text, path, *arguments, server=None):
        got = run('packets', path, '--framing', 'none', '--protocol', 'etmv3',
                  *arguments)
        verdict(got.returncode == 1 and got.stdout == b'' and
                got.stderr.count(b'\n') == 1 and text in got.stderr.decode(),
                name, got.returncode, got.stderr)

    with Server([]) as server:
        fails('a_connection_without_bytes_is_said', 'before anything came',
              f'tcp:localhost:{server.port}')
    free = socket.socket()
    free.bind(('127.0.0.1', 0))
    closed = free.getsockname()[1]
    free.close()
    fails('a_server_that_is_not_there_is_said', 'refused',
          f'tcp:localhost:{closed}')
    fails('a_host_that_is_not_known_is_said', 'cannot connect',
          'tcp:no-such-host.invalid:1')
    for wrong in 'tcp:localhost', 'tcp:', 'tcp:localhost:', 'tcp:localhost:x', \
            'tcp:localhost:99999':
        fails(f'a_server_has_a_port:_{wrong}', 'tcp:HOST:PORT', wrong)
    with Server([b'this is no packet\0' * 9]) as server:
        got = run('packets', f'tcp:localhost:{server.port}', '--framing',
                  'orbflow', '--protocol', 'itm')
    verdict(got.returncode == 1 and b'no packet of orbflow' in got.stderr and
            got.stdout == b'', 'other_bytes_are_no_packets', got.stderr)
    got = run('packets', 'ETM_0.bin', '--reconnect')
    verdict(got.returncode == 2 and b'is for a server' in got.stderr,
            'a_file_is_not_connected_again', got.stderr)

    # A connection that is lost and made again: a gap, and both parts.
    def again(name, first, second, *arguments, want=None):
        # a full pipe would keep the command from reading
        with Server([first, 0.2], [second], stay=True) as server, \
                open('again', 'wb') as file:
            process = subprocess.Popen(
                [ETM, 'decode', f'tcp:localhost:{server.port}', '--reconnect',
                 '--format', 'jsonl', '--no-offset', *arguments],
                stdout=file, stderr=subprocess.PIPE)
            interrupt_at_rest(process, server)
            _, err = process.communicate(timeout=PATIENCE)
        with open('again', 'rb') as file:
            out = file.read()
        lines = out.decode().splitlines()
        gaps = [i for i, line in enumerate(lines) if '"bad_frame"' in line]
        verdict(process.returncode == 0 and len(gaps) == 1, name,
                process.returncode, len(lines), gaps, err)
        return lines[:gaps[0]] if gaps else []

    before = again('a_lost_connection_is_made_again', half, etm_bytes, *plain)
    want = wanted(half, *how, '--no-offset').decode().splitlines()
    verdict(before[:-2] == want[:len(before) - 2] and len(before) > 100,
            'what_came_before_is_decoded', before[-3:], want[-3:])
    again('so_it_is_with_packets_of_orbuculum',
          b''.join(only[:40])[:-7], b''.join(only), *how_etm)

    before = again('so_it_is_where_frames_begin', frames[:1605], frames,
                   '--framing', 'coresight', *code, '--source', '0x10')
    verdict(len(before) > 100, 'the_gap_is_where_the_connection_was_lost',
            len(before))
    for form, data, arguments in (('bytes', etm_bytes, plain),
                                  ('packets', b''.join(only), how_etm)):
        with Server([], [data], stay=True) as server, \
                open('later', 'wb') as file:
            process = subprocess.Popen(
                [ETM, 'decode', f'tcp:localhost:{server.port}', '--reconnect',
                 '--format', 'jsonl', *arguments],
                stdout=file, stderr=subprocess.DEVNULL)
            interrupt_at_rest(process, server)
            process.communicate(timeout=PATIENCE)
        with open('later', 'rb') as file:
            out = file.read()
        verdict(process.returncode == 0 and b'bad_frame' not in out and
                b'"range"' in out,
                f'an_empty_connection_has_lost_nothing:_{form}', out[:300])

    # A server that closes connections at once is not besieged.
    with Server(*[[]] * 10000) as server:
        started = time.monotonic()
        process = subprocess.Popen(
            [ETM, 'decode', f'tcp:localhost:{server.port}', '--reconnect',
             *plain], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while server.accepted < 2 and time.monotonic() < started + PATIENCE:
            time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - started
        verdict(2 <= server.accepted < 2 + 5 * seconds,
                'after_an_empty_connection_is_a_pause', server.accepted)

print(f'1..{count}')
