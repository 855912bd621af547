"""A class of endings as a file. Nothing in it is executed, and nothing is believed that its checksums do not confirm.

    b"zermelo table 1\\n"      16 bytes
    u8, u4, u4                how long the header is; a checksum of header and index; how many blocks there are
    header                    JSON: the game, the class, what the values are, counts, a checksum of all values
    index                     a row a block: u4 how many bytes it has here, u4 a checksum of what it holds
    blocks                    zlib; what they hold is BLOCK bytes, the last one less

    kind "wdl"     two bits a position, as in known.py            kind "plies"    1 or 2 bytes a position: to the end
         "value"   f4 a position: its expected value                   "turns"    f8s a position: a distribution

The file is mapped into memory: what several processes read is there once, and what nobody reads never. A block that is
looked into is kept, a few of them at a time. zlib, because it is there: with blocks this small, zstd's best makes
checkers' values 9 % smaller, and its usual 1 % larger.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.core.files import need_plain, reason, write_atomically
from zermelo.core.game import GameError
from zermelo.tables.known import packed_size

MAGIC = b"zermelo table 1\n"
HEAD = struct.Struct("<16sQII")
BLOCK = 4096
WIDTHS = (2, 8, 16, *(32 << k for k in range(8)))  # bits a position: no number is in two blocks
KEPT = 64  # blocks of a file in memory
LONGEST_HEADER = 1 << 16
COUNTS, GAPS = ("win", "loss", "draw", "none"), ("none",)  # what is counted; "none": numbers that are no position
SENSIBLE = {  # of a kind: how many bits a position may have, and what is counted
    "wdl": (WIDTHS[:1], COUNTS),
    "plies": (WIDTHS[1:3], COUNTS),
    "value": (WIDTHS[3:4], GAPS),
    "turns": (WIDTHS[4:], GAPS),
}


@dataclass(frozen=True)
class Header:
    """What a file says about itself."""

    game: str
    options: dict[str, Any]
    numbering: str  # a hash of what the rules say of some of its positions
    number: int  # of the class, …
    name: str
    size: int
    limit: int
    kind: str  # "wdl", "plies", "value", "turns"
    bits: int  # a position
    checksum: str  # SHA-256 of all values
    counts: dict[str, int] = field(default_factory=dict)  # SENSIBLE says of what
    longest: int = 0  # plies, or turns, to the end, where they are known

    @property
    def content_size(self) -> int:
        return packed_size(self.size) if self.bits == 2 else self.size * self.bits // 8

    @property
    def blocks(self) -> int:
        return -(-self.content_size // BLOCK)


def _need_sense(header: Header) -> None:
    """A ValueError where a header is none."""
    numbers = (header.number, header.size, header.limit, header.bits, header.longest)
    texts = (header.game, header.numbering, header.name, header.kind, header.checksum)
    if not all(type(n) is int and n >= 0 for n in numbers) or not all(isinstance(text, str) for text in texts):
        raise ValueError
    if header.kind not in SENSIBLE or not isinstance(header.options, dict) or not isinstance(header.counts, dict):
        raise ValueError
    (widths, counted), counts = SENSIBLE[header.kind], header.counts.values()
    if header.size < 1 or header.bits not in widths or {*header.counts} != {*counted}:
        raise ValueError
    if not all(type(n) is int and n >= 0 for n in counts) or sum(counts) > header.size:
        raise ValueError


def checksum_of(content: Any) -> str:
    return hashlib.sha256(content).hexdigest()


def write_table(path: Path, header: Header, content: NDArray[Any]) -> None:
    """All of it under its name, or nothing. The same values make the same bytes."""
    raw = np.ascontiguousarray(content).view(np.uint8).tobytes()
    assert len(raw) == header.content_size
    pieces = [raw[at : at + BLOCK] for at in range(0, len(raw), BLOCK)]
    some = [pieces[at : at + 64] for at in range(0, len(pieces), 64)]  # handing over one at a time takes as long as it
    with ThreadPoolExecutor() as pool:
        packed = pool.map(lambda few: [zlib.compress(piece, 6) for piece in few], some)
        blocks = [block for few in packed for block in few]
    index = np.array([(len(block), zlib.crc32(piece)) for block, piece in zip(blocks, pieces, strict=True)], "<u4")
    text = json.dumps(asdict(header), sort_keys=True, ensure_ascii=True).encode()
    text += b" " * (-len(text) % 8)
    check = zlib.crc32(index.tobytes(), zlib.crc32(text))
    head = HEAD.pack(MAGIC, len(text), check, len(blocks))
    write_atomically(path, b"".join([head, text, index.tobytes(), *blocks]))


class TableFile:
    """An open file of values."""

    def __init__(self, path: Path):
        self.path = path
        need_plain(path)
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            raise self._damaged() from None
        except OSError as problem:
            raise GameError(f"'{path}' cannot be read: {reason(problem)}") from None
        self.header, self._index = self._read_head()
        ends = np.cumsum(self._index[:, 0], dtype=np.int64)
        first = len(self._map) - int(ends[-1])
        self._ends = np.concatenate([[0], ends]) + first
        self._kept: OrderedDict[int, bytes] = OrderedDict()

    def _read_head(self) -> tuple[Header, NDArray[np.uint32]]:
        content = self._map
        if content[: len(MAGIC)] != MAGIC:
            known = content[:14] == MAGIC[:14]
            why = "of another version of zermelo" if known else "no table of endings"
            raise GameError(f"'{self.path}' is {why}: delete it and build it anew")
        try:
            _, length, check, blocks = HEAD.unpack(content[: HEAD.size])
            if length > LONGEST_HEADER:
                raise ValueError
            text = content[HEAD.size : HEAD.size + length]
            index = np.frombuffer(content, "<u4", 2 * blocks, HEAD.size + length).reshape(blocks, 2)
            header = Header(**json.loads(text))
            _need_sense(header)
            whole = HEAD.size + length + 8 * blocks + int(index[:, 0].sum(dtype=np.int64)) == len(content)
            if zlib.crc32(index.tobytes(), zlib.crc32(text)) != check or blocks != header.blocks or not whole:
                raise ValueError
        except (ValueError, TypeError, struct.error, RecursionError):
            raise self._damaged() from None
        return header, index

    def _damaged(self) -> GameError:
        return GameError(f"'{self.path}' is damaged: delete it and build it anew")

    def block(self, k: int) -> bytes:
        """What block k holds."""
        found = self._kept.get(k)
        if found is None:
            found = self._unpack(k)
            self._kept[k] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def _unpack(self, k: int) -> bytes:
        wanted = min(BLOCK, self.header.content_size - k * BLOCK)
        try:
            unpacking = zlib.decompressobj()
            found = unpacking.decompress(self._map[self._ends[k] : self._ends[k + 1]], wanted + 1)
        except zlib.error:
            raise self._damaged() from None
        if len(found) != wanted or zlib.crc32(found) != self._index[k, 1]:
            raise self._damaged()
        return found

    def __getitem__(self, i: int) -> int:
        """The value of position i: its two bits, or its plies."""
        if not 0 <= i < self.header.size:
            raise IndexError(i)
        if self.header.bits == 2:
            k, byte = divmod(i >> 2, BLOCK)
            return self.block(k)[byte] >> ((i & 3) << 1) & 3
        width = self.header.bits // 8
        k, byte = divmod(i * width, BLOCK)
        return int.from_bytes(self.block(k)[byte : byte + width], "little")

    def numbers(self, i: int) -> NDArray[np.float64]:
        """The numbers of position i, where they are no whole ones."""
        if not 0 <= i < self.header.size or self.header.bits < 32:
            raise IndexError(i)
        width = self.header.bits // 8
        k, byte = divmod(i * width, BLOCK)
        return np.frombuffer(self.block(k)[byte : byte + width], "<f4" if width == 4 else "<f8").astype(np.float64)

    def content(self, tell: Callable[[int], None] = lambda done: None) -> NDArray[Any]:
        """All values, as they are packed, if they are those that were written."""
        out = np.empty(self.header.content_size, np.uint8)
        for k in range(self.header.blocks):
            found = self._unpack(k)
            out[k * BLOCK : k * BLOCK + len(found)] = np.frombuffer(found, np.uint8)
        if checksum_of(out) != self.header.checksum:
            raise self._damaged()
        if self.header.bits == 32:
            return out.view("<f4")
        if self.header.bits >= 64:
            return out.view("<f8").reshape((-1, self.header.bits // 64) if self.header.bits > 64 else -1)
        return out.view("<u2") if self.header.bits == 16 else out
