"""Archives of compiled Python files for the static site.

A compiled file works in one version of Python only, so this module runs inside Pyodide while a
site is built. It needs only the standard library. The files in an archive are not compressed,
because the archive is compressed as a whole.
"""

from __future__ import annotations

import importlib.util
import io
import marshal
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

UNUSED = re.compile(
    r"""(
    __phello__|_aix_support|_android_support|_apple_support|_ios_support|_osx_support|_pydatetime
    |_pydecimal|_pyio|_pyrepl|_sysconfigdata[\w-]+|antigravity|argparse
    |asyncio/(__main__|proactor_events|tools|windows_events|windows_utils)
    |bdb|cProfile|cmd|code|compileall|concurrent/(interpreters|futures/(process|interpreter))
    |configparser|ctypes|curses|dbm|difflib|doctest|email
    |encodings/(?!(__init__|aliases|ascii|latin_1|utf_8|utf_8_sig|idna|punycode)\b)\w+
    |ensurepip|filecmp|fileinput|ftplib|getpass|gettext|html|http|idlelib|imaplib
    |importlib/_bootstrap\w*|ipaddress|lib2to3|logging/\w+(?<!__init__)|mailbox|mimetypes
    |modulefinder|multiprocessing/(?!(__init__|context|process|reduction)\b)\w+|netrc|nturl2path
    |optparse|pdb|pickletools|platform|plistlib|poplib|pprint|profile|profiling|pstats|pty
    |py_compile|pyclbr|pydoc|pydoc_data|pyodide/console|quopri|rlcompleter|runpy|sched|shelve
    |site-packages|smtplib|socketserver|sqlite3|ssl|symtable|sysconfig|tabnanny|tarfile|telnetlib
    |this|timeit|tkinter|trace|tracemalloc|tty|turtle|turtledemo|unittest|urllib|uuid|venv|wave
    |webbrowser|wsgiref|xml|xmlrpc|zipapp|zipimport|zoneinfo
    )(/.*|\.py|$)""",
    re.VERBOSE,
)
"""Modules of the standard library that are not needed in a browser, or cannot work there."""
FIRST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same sources give the same archive."""


def library(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the standard library's files that the site needs."""
    with zipfile.ZipFile(archive) as stored:
        for name in stored.namelist():
            if not name.endswith("/") and UNUSED.match(name) is None:
                yield name, stored.read(name)


def folder(root: Path, top: str, leave_out: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the names (starting with `top`) and contents of a package's files."""
    unwanted = tuple(leave_out)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and "__pycache__" not in name and not name.startswith(unwanted):
            yield f"{top}/{name}", path.read_bytes()


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of files, with Python files compiled. Equal files give equal archives."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files:
            if name.endswith(".py"):
                archive.writestr(zipfile.ZipInfo(f"{name}c", FIRST), compiled(name, content))
            else:
                archive.writestr(zipfile.ZipInfo(name, FIRST), content)
    return made.getvalue()


def compiled(name: str, source: bytes) -> bytes:
    """Return the compiled form of a source file, without assertions and docstrings."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
