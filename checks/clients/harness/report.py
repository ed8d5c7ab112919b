"""Counts what passed, failed and was skipped, and says so in one plain last line."""
import contextlib
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
            print(f"FAIL  {what}\n{_indent(traceback.format_exc() if not isinstance(fault, AssertionError) else str(fault))}", flush=True)
        else:
            self.passed += 1
            print(f"ok    {what} ({time.monotonic() - start:.1f} s)", flush=True)

    def skip(self, what, reason):
        self.skipped.append(what)
        print(f"skip  {what}: {reason}", flush=True)

    def finish(self):
        """Prints the last line; the exit code of the script."""
        for what in self.failed:
            print(f"failed: {what}")
        print(f"{self.name}: {self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped", flush=True)
        return 1 if self.failed or not self.passed else 0


def _indent(text):
    shown = text if len(text) < 4000 else text[:1500] + "\n...\n" + text[-2500:]
    return "\n".join("      " + line for line in shown.rstrip().splitlines())


def same(found, wanted, what="value"):
    """AssertionError naming the difference unless both are equal."""
    assert found == wanted, f"{what}: found {found!r}, wanted {wanted!r}"
