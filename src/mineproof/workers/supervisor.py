"""A small process that runs a user's program, and can end all processes it started.

`Supervised` starts a command under a supervisor. The command talks to the caller over its standard
input and output; the supervisor only watches. It kills the command and everything the command
started, however detached, as soon as the caller asks for it, dies, or the memory limit is exceeded.

On Linux the supervisor adopts orphans (`PR_SET_CHILD_SUBREAPER`) and measures the resident memory
of the whole process tree. On other systems only the command's process group is ended, and memory
is not limited. Windows has no supervisor: only the command itself is ended there.

This file is also the supervisor's program. It imports the standard library only, so that it starts
quickly.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Any

LOOK_SECONDS = 0.05
"""Seconds between two measurements of memory."""
END_SECONDS = 5.0
"""Seconds to keep trying to end a process tree that keeps starting processes."""
WAIT_SECONDS = END_SECONDS + 5.0
"""Seconds that the caller waits for the supervisor's report before it kills the supervisor."""
_SUBREAPER = 36
"""The operation of Linux's `prctl` that makes a process adopt its orphaned descendants."""
IS_POSIX = os.name == "posix"


class Supervised:
    """A command that runs under a supervisor, or on its own."""

    def __init__(  # noqa: PLR0913  (all but one have defaults, and are given by name)
        self,
        command: Sequence[str],
        *,
        memory: int | None = None,
        errors: int | IO[bytes] | None = None,
        channel: int = subprocess.PIPE,
        grace: float = 0.0,
        is_watched: bool = IS_POSIX,
    ) -> None:
        """Start the command.

        Args:
            command: the program and its arguments. No shell is involved.
            memory: the limit on resident memory of the process tree, in bytes.
            errors: the command's standard error, as for `subprocess`.
            channel: a file descriptor for its standard input and output; by default two pipes.
            grace: the seconds that the command may take to end if the caller ends first.
            is_watched: False to start it without a supervisor, because it runs no user code.

        Raises:
            OSError: the program cannot be started.
        """
        self._report: dict[str, Any] | None = None
        self._control: socket.socket | None = None
        self._cpu_seconds = 0.0
        start = partial(
            subprocess.Popen[bytes],
            stdin=channel,
            stdout=channel,
            stderr=errors,
            # In a separate process group, it does not get Ctrl-C, and its children end with it.
            process_group=0,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        if not (is_watched and IS_POSIX):
            self._process = start(command)
            self.pid = self._process.pid
            return
        self._control, theirs = socket.socketpair()
        with theirs:
            supervisor = _supervisor(theirs.fileno(), memory or 0, grace)
            self._process = start([*supervisor, *command], pass_fds=(theirs.fileno(),))
        started = self._receive(WAIT_SECONDS) or {}
        if "pid" not in started:
            self.end()
            raise OSError(started.get("errno", 0), started.get("error", "cannot start"), command[0])
        self.pid = int(started["pid"])
        """The command's process id."""

    @property
    def input(self) -> int:
        """The file descriptor of the command's standard input."""
        assert self._process.stdin is not None
        return self._process.stdin.fileno()

    @property
    def output(self) -> int:
        """The file descriptor of the command's standard output."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    @property
    def is_running(self) -> bool:
        """Whether the command, or its supervisor, is still running."""
        return self._process.poll() is None

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of the command and the processes it started; 0 except on Linux.

        A process that has ended counts if its parent waited for it.
        """
        if sys.platform.startswith("linux"):
            spent = sum(_cpu_seconds(pid) for pid in (self.pid, *_descendants(self.pid)))
            self._cpu_seconds = max(self._cpu_seconds, spent)
        return self._cpu_seconds

    def hang_up(self) -> None:
        """End the command and all it started, without waiting for it."""
        if self._control is None:
            if self._process.returncode is None:
                _kill_group(self._process.pid)
        else:
            with suppress(OSError):
                self._process.send_signal(signal.SIGCONT)  # the command may have stopped it
                self._control.sendall(b"!")
                self._control.shutdown(socket.SHUT_WR)

    def end(self, grace: float = 0.0) -> dict[str, Any]:
        """End the command and everything it started; return the supervisor's report.

        With `grace`, the command may take that many seconds to end by itself. The report has
        `status`, the command's exit status (negative: a signal), if it ended by itself, and
        `memory` if the memory limit was exceeded.
        """
        if self._report is not None:
            return self._report
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        if self._control is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
            self._report = {"status": self._process.poll()}
            self.hang_up()
        else:
            found = self._receive(grace) if grace else None
            self.hang_up()
            self._report = found or self._receive(WAIT_SECONDS) or self._given_up()
            self._control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._process.kill()
        self._process.wait()
        return self._report

    def _given_up(self) -> dict[str, Any]:
        """Help a supervisor that does not answer, because the command stops it again and again.

        Kill what can be found, until the supervisor can end the rest and report.
        """
        report: dict[str, Any] | None = None
        if sys.is_finalizing():  # the supervisor notices the end of this process
            return {"status": None}
        if hasattr(self, "pid"):
            _signal(self.pid, signal.SIGKILL)  # found even without /proc
        until, is_running = time.monotonic() + END_SECONDS, True
        while report is None and is_running and time.monotonic() < until:
            for pid in [*_descendants(self._process.pid)]:
                _signal(pid, signal.SIGKILL)
            self.hang_up()
            is_running = self.is_running
            report = self._receive(LOOK_SECONDS)
        return report or {"status": None}

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        """Return the supervisor's next message, or None if there is none in time."""
        assert self._control is not None
        self._control.settimeout(seconds)
        data = b""
        with suppress(OSError, ValueError):
            while not data.endswith(b"\n"):
                piece = self._control.recv(1)  # leave the next message where it is
                if not piece:
                    break
                data += piece
            return dict(json.loads(data))
        return None


def _supervisor(control: int, memory: int, grace: float) -> tuple[str, ...]:
    return sys.executable, "-I", "-S", __file__, str(control), str(memory), str(grace)


# ---- in the supervisor's process


def main() -> None:
    """Run a command until it ends, the caller hangs up, or it takes too much memory."""
    control = socket.socket(fileno=int(sys.argv[1]))
    memory, grace, command = int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # not SIG_IGN, which the command would inherit
    _adopt_orphans()
    _lift_limit()
    bell, ring = os.pipe()
    os.set_blocking(ring, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    try:
        process = subprocess.Popen(command, process_group=0)  # dropping it would reap the command
    except OSError as error:
        _tell(control, {"errno": error.errno, "error": error.strerror})
        return
    _let_go_of_pipes()
    child = process.pid
    _tell(control, {"pid": child})
    report = _watch(control, bell, child, memory)
    if not report and not control.recv(1):  # the caller has ended, and its pipes are closed
        select.select([bell], [], [], grace)
    _end_tree(child)
    _tell(control, report)


def _tell(control: socket.socket, message: dict[str, Any]) -> None:
    with suppress(OSError):
        control.sendall(json.dumps(message).encode() + b"\n")


def _adopt_orphans() -> None:
    if sys.platform.startswith("linux"):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.prctl(_SUBREAPER, 1, 0, 0, 0)


def _lift_limit() -> None:
    """Lift the caller's own limit on address space: Java reserves more than it uses."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _let_go_of_pipes() -> None:
    """Close this process's copies of the pipes, so that only the command keeps them open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    os.close(nothing)


def _watch(control: socket.socket, bell: int, child: int, memory: int) -> dict[str, Any]:
    """Wait until the command ends, and return the report."""
    while True:
        files = [control.fileno(), bell]
        ready, _, _ = select.select(files, [], [], LOOK_SECONDS if memory else None)
        if bell in ready:
            os.read(bell, 4096)
        for pid, status in _ended():
            if pid == child:
                return {"status": os.waitstatus_to_exitcode(status)}
        if files[0] in ready:
            return {}
        if memory and (taken := _resident(child)) > memory:
            return {"memory": taken}


def _ended() -> Iterator[tuple[int, int]]:
    """Yield the children that have ended, with their wait status."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def _end_tree(child: int) -> None:
    """Kill all processes below this one: stop each first, so that none can start another."""
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        stopped: set[int] = set()
        while new := set(_descendants(os.getpid())) - stopped:
            for pid in new:
                _signal(pid, signal.SIGSTOP)
            stopped |= new
            if time.monotonic() > deadline:
                break
        for pid in stopped:
            _signal(pid, signal.SIGKILL)
        _kill_group(child)  # all that can be done without /proc
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _kill_group(pid: int) -> None:
    """Kill a process group. Windows has none, so only the process itself ends there."""
    with suppress(ProcessLookupError, PermissionError):
        if IS_POSIX:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)


def _descendants(pid: int) -> Iterator[int]:
    """Yield all descendants of a process, as far as Linux's /proc lists them."""
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                for child in map(int, file.read().split()):
                    yield child
                    yield from _descendants(child)


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and of the children that it waited for; 0 if it is gone."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        ticks = file.read().rpartition(b")")[2].split()[13:15]  # cutime and cstime
        waited = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        return waited + time.clock_gettime((~pid << 3) | 2)  # the kernel's clock of that process
    return 0.0


def _resident(child: int) -> int:
    """Return the resident memory of the command and all processes it started, in bytes."""
    pages = 0
    for pid in {child, *_descendants(os.getpid())}:
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
            pages += int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
