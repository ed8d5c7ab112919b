"""Child processes: started with a log, waited for with a deadline, stopped in all cases."""
import atexit
import os
import signal
import socket
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
RUNNING = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, probe, seconds, every=0.05):
    """Polls `probe` until it answers something true, and returns that; TimeoutError past the deadline."""
    deadline = time.monotonic() + seconds
    while True:
        answer = probe()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(every)


def listening(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Child:
    """One process in a group of its own; `log` keeps what it printed."""

    def __init__(self, command, log, environment=None):
        self.log = log
        self.command = [str(word) for word in command]
        with open(log, "ab") as out:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                start_new_session=True, env={**os.environ, **(environment or {})})
        RUNNING.append(self)

    def alive(self):
        return self.process.poll() is None

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def kill(self):
        """kill -9 of the whole group: nothing gets to say goodbye."""
        self.signal(signal.SIGKILL)
        self.process.wait(30)
        self._forget()

    def stop(self, seconds=30):
        """SIGTERM, then SIGKILL past the deadline. Returns the exit code, or None when it had to be killed."""
        if self.alive():
            self.signal(signal.SIGTERM)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        self.signal(signal.SIGKILL)
        self._forget()
        return code

    def _forget(self):
        if self in RUNNING:
            RUNNING.remove(self)

    def tail(self, lines=60):
        """The last lines of the log, without those of the level INFO: they drown what went wrong."""
        with open(self.log, errors="replace") as out:
            return "".join([line for line in out if " INFO " not in line][-lines:])

    def tree(self):
        """The ids of the process and all that descend from it."""
        parents = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                parents[int(name)] = int(_stat(name)[1])
            except (OSError, IndexError):
                continue
        found = [self.process.pid]
        for parent in found:
            found += [pid for pid, above in parents.items() if above == parent]
        return found

    def cpu_seconds(self):
        """User and system seconds of the process, its children, and the children that it has waited for."""
        total = 0
        for pid in self.tree():
            try:
                total += sum(int(ticks) for ticks in _stat(pid)[11:15])
            except OSError:
                continue
        return total / TICKS

    def resident_bytes(self):
        pages = 0
        for pid in self.tree():
            with open(f"/proc/{pid}/statm") as statm:
                pages += int(statm.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def _stat(pid):
    """The fields of /proc/PID/stat from the state on (field 3 is index 0)."""
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()


@atexit.register
def _stop_all():
    for child in list(RUNNING):
        child.kill()


def limit(seconds):
    """Ends the whole script, and what it started, past this time: no client can hang it for ever."""
    def over(number, frame):
        print(f"ended: not done within {seconds} s", flush=True)
        raise SystemExit(124)
    signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)


def _leave(number, frame):
    raise SystemExit(128 + number)


signal.signal(signal.SIGTERM, _leave)
