"""Ctrl-C, and the global interpreter lock, during calls that take seconds."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import parqproof
from builder.long_file import long_file
from parqproof import _calls, _exit, _library, _source

#: Pages of the file: its check takes several seconds.
PAGES = 4000

#: Does a call on the file argv[1], and prints when it begins, and after how many seconds KeyboardInterrupt was raised.
PROGRAM = """
import io, sys, time, parqproof

class Slow(io.FileIO):
    def read(self, count=-1):
        time.sleep(2)
        return super().read(count)

class Waiting(io.FileIO):
    def read(self, count=-1):
        time.sleep(1000)

class Pieces(io.FileIO):
    def read(self, count=-1):
        time.sleep(0.3)
        return super().read(min(count, 4))

call = {"waiting": lambda: parqproof.check(Waiting(source)), "waiting rows": lambda: list(parqproof.rows(Waiting(source))),
        "pieces": lambda: parqproof.check(Pieces(source)), "pieces rows": lambda: list(parqproof.rows(Pieces(source))),
        "check": lambda: parqproof.check(source), "stream": lambda: parqproof.check(open(source, "rb")),
        "threads": lambda: parqproof.check(source, threads=2), "rows": lambda: list(parqproof.rows(source)),
        "rewrite": lambda: parqproof.rewrite(source, source + ".out"),
        "layout": lambda: parqproof.layout(Slow(source)), "meta": lambda: parqproof.meta(Slow(source)),
        "schema": lambda: parqproof.schema(Slow(source)), "schema_text": lambda: parqproof.schema_text(Slow(source)),
        "faults": lambda: parqproof.faults(Slow(source)),
        "mutate": lambda: parqproof.mutate(Slow(source), source + ".out", "tail-magic-unknown")}[sys.argv[2]]
source = sys.argv[1]
print("begin", flush=True)
began = time.monotonic()
try:
    call()
    print("ended", time.monotonic() - began)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

#: Ends while calls on the file argv[1] run, whose rows are more than are read ahead.
LEFT = """
import atexit, io, sys, threading, time, parqproof
path, how = sys.argv[1:]
if how == "iterator":
    rows = parqproof.rows(path)
    next(rows)
elif how == "exception":
    for row in parqproof.rows(path):
        raise ValueError
elif how == "hook":
    rows = parqproof.rows(open(path, "rb"))
    next(rows)
    atexit.register(lambda: print(parqproof.check(io.BytesIO(b"PAR1"), threads=2).verdict))
elif how == "late hook":
    def late():
        for call in (lambda: list(rows), lambda: list(parqproof.rows(path))):
            try:
                call()
            except parqproof.Error as failure:
                print(failure)
    parqproof._exit.atexit.unregister(parqproof._exit._end_calls)
    atexit.register(late)
    atexit.register(parqproof._exit._end_calls)
    rows = parqproof.rows(path)
elif how == "daemon":
    def work():
        while True:
            parqproof.check(open(path, "rb"), threads=4)
    for _ in range(2):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)
elif how == "read":
    class Waiting(io.FileIO):
        waits, begun = False, threading.Event()
        def read(self, count=-1):
            if self.waits:
                self.begun.set()
                time.sleep(1000)
            return super().read(count)
    parqproof._exit.WAIT_SECONDS = 0.2
    file = Waiting(path)
    file.waits = True
    threading.Thread(target=parqproof.check, args=(file,), daemon=True).start()
    file.begun.wait()
"""


#: Uses an iterator, on the file argv[1], in a process that was forked after it began.
FORKED = """
import os, sys, parqproof
rows = parqproof.rows(sys.argv[1])
next(rows)
child = os.fork()
if child == 0:
    try:
        {}
        print("closed", flush=True)
    except parqproof.Error as failure:
        print(failure, flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
next(rows)
"""


class InterruptTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = long_file(cls.folder.name, PAGES)

    def test_keyboard_interrupt_ends_a_call_soon(self):
        # A call that is not cancelled reads the slow files several times, for 2 s each.
        calls = {**dict.fromkeys(("waiting", "waiting rows", "pieces", "pieces rows"), 2), **dict.fromkeys(("check", "stream", "threads", "rows", "rewrite"), 2),
                 **dict.fromkeys(("layout", "meta", "schema", "schema_text", "faults", "mutate"), 3)}
        for call, seconds in calls.items():
            with self.subTest(call=call):
                child = subprocess.Popen([sys.executable, "-c", PROGRAM, self.path, call], stdout=subprocess.PIPE, text=True)
                self.assertEqual(child.stdout.readline(), "begin\n")
                time.sleep(0.5)
                sent = time.monotonic()
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.stdout.read(), "interrupted\n")
                self.assertLess(time.monotonic() - sent, seconds)
                self.assertEqual(child.wait(), 0)
                child.stdout.close()
        self.assertFalse(pathlib.Path(self.path + ".out").exists())

    def test_the_exception_of_another_signal_ends_a_call(self):
        class Alarm(Exception):
            pass

        def ring(number, frame):
            raise Alarm

        before = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        began = time.monotonic()
        with self.assertRaises(Alarm):
            parqproof.check(self.path)
        self.assertLess(time.monotonic() - began, 2.5)

    def test_other_threads_run_during_a_check(self):
        ticks, ended = [], threading.Event()

        def tick():
            while not ended.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.01)

        thread = threading.Thread(target=tick)
        thread.start()
        began = time.monotonic()
        parqproof.check(self.path, row_groups=(0, 1), limit=1)
        took = time.monotonic() - began
        ended.set()
        thread.join()
        self.assertGreater(took, 0.5)
        self.assertGreater(len(ticks), 10 * took)

    def test_an_iterator_that_is_left_ends_its_thread(self):
        rows = parqproof.rows(self.path)
        next(rows)
        began = time.monotonic()
        rows.close()
        self.assertLess(time.monotonic() - began, 2)
        self.assertNotIn("parqproof", [thread.name for thread in threading.enumerate()])

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_an_iterator_of_another_process_ends_at_once(self):
        for script, output in (("list(rows)", "before a fork"), ("rows.close()", "closed"), ("del rows", "closed")):
            with self.subTest(script):
                ended = subprocess.run([sys.executable, "-c", FORKED.format(script), self.path], capture_output=True, text=True, timeout=30)
                self.assertIn(output, ended.stdout, ended.stderr)
                self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_a_file_stays_open_for_a_call_that_is_not_known_to_have_ended(self):
        for has_ended in (False, True):
            with self.subTest(has_ended=has_ended):
                file = _source.File(self.path)
                running, begun, go = _calls.RunningCall([file.call]), threading.Event(), threading.Event()
                running.begin(lambda control: begun.set() or go.wait(60))
                begun.wait()
                if has_ended:
                    go.set()
                with mock.patch.object(_exit, "WAIT_SECONDS", 0.1), mock.patch.object(_exit, "has_begun", lambda: not has_ended):
                    running.end()
                file.close()
                self.assertEqual(file.handle.value is None, has_ended)
                go.set()

    def test_a_thread_whose_start_was_interrupted_does_no_work(self):
        threads, worked = [], []

        def start(thread):
            threads.append(thread)
            raise KeyboardInterrupt

        with mock.patch.object(threading.Thread, "start", start), self.assertRaises(KeyboardInterrupt):
            _calls.run_call(worked.append, [_library.Call()])
        threads[0].run()
        self.assertEqual(worked, [])

    def test_the_interpreter_exits_while_calls_run(self):
        for how, output, code in (("iterator", "", 0), ("exception", "", 1), ("hook", "malformed\n", 0),
                                  ("late hook", 2 * "the interpreter exits\n", 0), ("daemon", "", 0), ("read", "", 0)):
            with self.subTest(how=how):
                ended = subprocess.run([sys.executable, "-c", LEFT, self.path, how], capture_output=True, text=True, timeout=60)
                self.assertEqual((ended.stdout, ended.returncode), (output, code), ended.stderr)
                self.assertEqual(ended.stderr.count("Traceback"), code, ended.stderr)


if __name__ == "__main__":
    unittest.main()
