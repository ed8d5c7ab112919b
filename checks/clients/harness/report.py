"""Counts what passed, failed and was skipped, and says so in one plain last line."""
import contextlib
import shutil
import time
import traceback


class Skip(Exception):
    """Raised by a check that cannot run here; the text says why."""


class Report:
    def __init__(self, name):
        self.name = name
        self.passed, self.failed, self.skipped = 0, [], []

    @contextlib.contextmanager
    def check(self, what):
        """Runs the body as one check: it passes, fails with what it raised, or is skipped."""
        start = time.monotonic()
        try:
            yield
        except Skip as reason:
            self.skip(what, reason)
        except Exception as fault:
            self.failed.append(what)
            print(f"FAIL  {what}\n{_indent(_told(fault))}", flush=True)
        else:
            self.passed += 1
            print(f"ok    {what} ({time.monotonic() - start:.1f} s)", flush=True)

    def skip(self, what, reason):
        self.skipped.append(what)
        print(f"skip  {what}: {reason}", flush=True)

    @contextlib.contextmanager
    def logs_of(self, *servers):
        """Shows the servers' last words when a check has failed, or the body does."""
        try:
            yield
        except BaseException:
            _show_logs(servers)
            raise
        if self.failed:
            _show_logs(servers)

    def finish(self, folder=None):
        """Prints the last line; the exit code of the script. What passed leaves nothing in its folder."""
        for what in self.failed:
            print(f"failed: {what}")
        print(f"{self.name}: {self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped", flush=True)
        if self.failed or not self.passed:
            return 1
        if folder:
            shutil.rmtree(folder)
        return 0


def _show_logs(servers):
    for server in servers:
        server.show_log()


def _told(fault):
    """What was raised, and where in the checks' own code."""
    ours = [frame for frame in traceback.extract_tb(fault.__traceback__) if "/checks/" in frame.filename and frame.name != "check"]
    where = ", from ".join(f"{frame.name} ({frame.filename.rpartition('/')[2]}:{frame.lineno})" for frame in reversed(ours[-3:]))
    text = str(fault) if isinstance(fault, AssertionError) else f"{type(fault).__name__}: {fault}"
    return f"{text}\nin {where}"


def _indent(text):
    shown = text if len(text) < 4000 else text[:1500] + "\n...\n" + text[-2500:]
    return "\n".join("      " + line for line in shown.rstrip().splitlines())


def same(found, wanted, what="value"):
    """AssertionError naming the difference unless both are equal."""
    assert found == wanted, f"{what}: found {_short(found)}, wanted {_short(wanted)}"


def _short(value):
    text = repr(value)
    return text if len(text) <= 600 else text[:600] + " ..."
