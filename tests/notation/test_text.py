"""Text files: decoding, and files that are not text."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import attempt

from mineproof.core.errors import NotationError
from mineproof.notation.files import read_file, read_stream, read_text
from mineproof.notation.text import decode, quote, split_lines


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    """A byte order mark, which Windows editors write, is ignored."""
    path = tmp_path / "position.mine"
    path.write_bytes(b"\xef\xbb\xbf1x1x0\nH\n")
    assert read_text(path) == "1x1x0\nH\n"


def test_bytes_that_are_no_text_name_their_line() -> None:
    """The error names the line of the first wrong byte."""
    with pytest.raises(NotationError, match="line 2: expected UTF-8 text, got the byte 0xff"):
        decode(b"ok\n\xff\xd8")
    with pytest.raises(NotationError, match="line 3: expected text, got a NUL byte"):
        decode(b"a\nb\n\0")


def test_no_more_is_read_than_allowed(tmp_path: Path) -> None:
    """A file above the size limit is rejected by name. A file of exactly the limit is read."""
    path = tmp_path / "large"
    path.write_bytes(bytes(2048))
    assert read_file(path, 2048) == read_stream(BytesIO(bytes(2048)), "stdin", 2048) == bytes(2048)
    with pytest.raises(NotationError, match=f"{path} is too large: the limit is 1 KiB"):
        read_file(path, 1024)
    with pytest.raises(NotationError, match="stdin is too large: the limit is 2047 bytes"):
        read_stream(BytesIO(bytes(2048)), "stdin", 2047)


def test_lines_lose_blanks_only() -> None:
    """Only line feeds end a line. Characters that look like blanks are kept."""
    assert split_lines("\ufeffa \r\n\tb\x0bc\n") == ["a", "b\x0bc", ""]


def test_long_texts_are_cut_when_quoted() -> None:
    assert quote("x" * 1000) == "'" + "x" * 40 + "'..."


@given(st.binary())
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    text = attempt(decode, data)
    assert text is None or text.encode() == data.removeprefix(b"\xef\xbb\xbf")
