"""From the weights of training to those of play and back: what can be computed beforehand is, matrices lie in panels.

The scale of the inputs, what follows each norm, the scale of attention and that of planting become part of the matrix
behind or before them. What only learning needs is left out; that and what is told of the end does not come back.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sunglade.encode import BASE_PLANES, PLANES, TABLE
from sunglade.neural.features import BASE_TABLE, table_scale
from sunglade.neural.forward.layout import SEAT_COLUMNS, Size, padded, parts, places
from sunglade.neural.forward.products import PANEL
from sunglade.neural.heads import BASE_SPACE_COLUMNS, BASE_TABLE_COLUMNS, SPACE_COLUMNS, TABLE_COLUMNS

Array = NDArray[np.float64]
Layer = tuple[Array, Array]
"""A matrix (inputs, outputs), and what is added."""


def pack(weights: Mapping[str, Any], size: Size) -> dict[str, bytes]:
    """All parts of a network for play, by the names that `network.Network` has for its weights."""
    known = {name: np.asarray(array, np.float64) for name, array in weights.items()}
    found = _inputs(known, size)
    for layer in range(size.layers):
        found |= _block(known, size, layer)
    found |= _outputs(known, size)
    shapes = parts(size)
    return {name: array.reshape(shapes[name]).astype("<f4").tobytes() for name, array in found.items()}


def _layer(weights: Mapping[str, Array], name: str) -> Layer:
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


def _behind(weights: Mapping[str, Array], norm: str, layer: Layer) -> Layer:
    """A layer that begins with what a norm has learned to do with its rows."""
    matrix, added = layer
    return weights[f"{norm}.weight"][:, None] * matrix, weights[f"{norm}.bias"] @ matrix + added


def _panels(matrix: Array) -> Array:
    """Panels of columns, row after row; the last one is filled up with zeros."""
    depth, columns = matrix.shape
    wide = np.pad(matrix, ((0, 0), (0, padded(columns) - columns)))
    return wide.reshape(depth, -1, PANEL).transpose(1, 0, 2)


def _named(name: str, bias: str, layer: Layer) -> dict[str, Array]:
    matrix, added = layer
    return {name: _panels(matrix), bias: np.pad(added, (0, padded(len(added)) - len(added)))}


def _inputs(weights: Mapping[str, Array], size: Size) -> dict[str, Array]:
    first, added = _layer(weights, "table.0")
    first = np.concatenate([first, weights["module_table.weight"].T]) / np.array(table_scale())[:, None]
    spaces = np.concatenate([weights["spaces.weight"], weights["module_spaces.weight"]], 1).T
    return {
        "table_first": first[: size.table],
        "table_first_bias": added,
        **_named("table_second", "table_second_bias", _layer(weights, "table.2")),
        "share": _panels(weights["share.weight"].T),
        "spaces": spaces[: size.planes],
        "place": weights["place"] + weights["spaces.bias"] + weights["share.bias"],
    }


def _block(weights: Mapping[str, Array], size: Size, layer: int) -> dict[str, Array]:
    here, width = f"blocks.{layer}.", size.width
    matrix, added = _behind(weights, here + "norm1", _layer(weights, here + "qkv"))
    scale = np.repeat([(width // size.heads) ** -0.5, 1, 1], width)
    wide = _behind(weights, here + "norm2", _layer(weights, here + "wide"))
    narrow, after = _layer(weights, here + "narrow")
    names = {kind: (f"block.{layer}.{kind}", f"block_bias.{layer}.{kind}") for kind in ("qkv", "out", "wide")}
    return {
        **_named(*names["qkv"], (matrix * scale, added * scale)),
        **_named(*names["out"], _layer(weights, here + "out")),
        **_named(*names["wide"], wide),
        f"block.{layer}.narrow": np.stack([_panels(third) for third in np.split(narrow, 3)]),
        f"block_bias.{layer}.narrow": after,
    }


def _outputs(weights: Mapping[str, Array], size: Size) -> dict[str, Array]:
    seats, added = _layer(weights, "seats.0")
    table_half, mean_half = np.split(seats, 2)
    table_half, added = _behind(weights, "norm", (table_half, added))
    mean_half, added = _behind(weights, "norm", (mean_half, added))
    worth, worth_added = _layer(weights, "seats.2")
    assert worth.shape[1] == SEAT_COLUMNS
    on_table = _with_modules(weights, "on_table", TABLE_COLUMNS)
    return {
        **_named("on_table", "on_table_bias", _behind(weights, "norm", on_table)),
        **_named("on_space", "on_space_bias", _behind(weights, "norm", _on_space(weights, size))),
        **_named("seats_first", "seats_first_bias", (np.concatenate([table_half, mean_half]), added)),
        **_named("seats_second", "seats_second_bias", (worth, worth_added)),
    }


def _with_modules(weights: Mapping[str, Array], name: str, columns: int) -> Layer:
    """A head of the base game, and what it has for modules behind it."""
    matrix, added = _layer(weights, name)
    matrix = np.concatenate([matrix, weights[f"module_{name}.weight"].T], 1)
    return matrix, np.pad(added, (0, columns - len(added)))


def _on_space(weights: Mapping[str, Array], size: Size) -> Layer:
    """All that is asked of a space, one beside the other: its own actions and whose it is in the end, being a seed's
    origin, and its target."""
    origin, target = _layer(weights, "origin"), _layer(weights, "target")
    own, owner = _with_modules(weights, "on_space", SPACE_COLUMNS), _layer(weights, "owner")
    own = np.concatenate([own[0], owner[0]], 1), np.concatenate([own[1], owner[1]])
    scale = size.reach**-0.5
    asked = (own, PANEL), ((origin[0] * scale, origin[1] * scale), padded(size.reach)), (target, padded(size.reach))
    matrices = [np.pad(matrix, ((0, 0), (0, columns - matrix.shape[1]))) for (matrix, _), columns in asked]
    biases = [np.pad(added, (0, columns - len(added))) for (_, added), columns in asked]
    return np.concatenate(matrices, 1), np.concatenate(biases)


def unpack(content: memoryview, size: Size) -> dict[str, NDArray[np.float32]]:
    """Weights of training that answer as those of play do; norms that became part of other weights do nothing."""
    numbers = np.frombuffer(content, "<f4")
    found = {name: numbers[at : at + prod(shape)].reshape(shape) for name, shape, at in places(size)}
    weights = _unpacked_inputs(found, size) | _unpacked_outputs(found, size)
    for layer in range(size.layers):
        weights |= _unpacked_block(found, size, layer)
    return {name: np.array(array, np.float32, order="C") for name, array in weights.items()}


def _matrix(panels: Any, columns: int) -> Any:
    """A matrix as training has it (outputs, inputs), from panels of columns."""
    return panels.transpose(1, 0, 2).reshape(panels.shape[1], -1)[:, :columns].T


def _idle_norm(name: str, width: int) -> dict[str, Any]:
    return {f"{name}.weight": np.ones(width), f"{name}.bias": np.zeros(width)}


def _unpacked_inputs(found: Mapping[str, Any], size: Size) -> dict[str, Any]:
    width = size.width
    first = np.zeros((len(TABLE), 2 * width))
    first[: size.table] = found["table_first"] * np.array(table_scale())[: size.table, None]
    spaces = np.zeros((len(PLANES), width))
    spaces[: size.planes] = found["spaces"]
    return {
        "table.0.weight": first[:BASE_TABLE].T,
        "table.0.bias": found["table_first_bias"],
        "module_table.weight": first[BASE_TABLE:].T,
        "table.2.weight": _matrix(found["table_second"], width),
        "table.2.bias": found["table_second_bias"],
        "share.weight": _matrix(found["share"], width),
        "share.bias": np.zeros(width),
        "spaces.weight": spaces[:BASE_PLANES].T,
        "spaces.bias": np.zeros(width),
        "module_spaces.weight": spaces[BASE_PLANES:].T,
        "place": found["place"],
    }


def _unpacked_block(found: Mapping[str, Any], size: Size, layer: int) -> dict[str, Any]:
    here, width = f"blocks.{layer}.", size.width
    scale = np.repeat([(width // size.heads) ** 0.5, 1, 1], width)
    narrow = np.concatenate([_matrix(third, width) for third in found[f"block.{layer}.narrow"]], 1)
    return {
        **_idle_norm(here + "norm1", width),
        **_idle_norm(here + "norm2", width),
        here + "qkv.weight": _matrix(found[f"block.{layer}.qkv"], 3 * width) * scale[:, None],
        here + "qkv.bias": found[f"block_bias.{layer}.qkv"] * scale,
        here + "out.weight": _matrix(found[f"block.{layer}.out"], width),
        here + "out.bias": found[f"block_bias.{layer}.out"],
        here + "wide.weight": _matrix(found[f"block.{layer}.wide"], 3 * width),
        here + "wide.bias": found[f"block_bias.{layer}.wide"],
        here + "narrow.weight": narrow,
        here + "narrow.bias": found[f"block_bias.{layer}.narrow"],
    }


def _unpacked_outputs(found: Mapping[str, Any], size: Size) -> dict[str, Any]:
    on_space = _matrix(found["on_space"], PANEL + 2 * padded(size.reach))
    origin, target = PANEL, PANEL + padded(size.reach)
    bias, scale = found["on_space_bias"], size.reach**0.5
    on_table = _matrix(found["on_table"], TABLE_COLUMNS)
    return {
        **_idle_norm("norm", size.width),
        "on_table.weight": on_table[:BASE_TABLE_COLUMNS],
        "on_table.bias": found["on_table_bias"][:BASE_TABLE_COLUMNS],
        "module_on_table.weight": on_table[BASE_TABLE_COLUMNS:],
        "on_space.weight": on_space[:BASE_SPACE_COLUMNS],
        "on_space.bias": bias[:BASE_SPACE_COLUMNS],
        "module_on_space.weight": on_space[BASE_SPACE_COLUMNS:SPACE_COLUMNS],
        "origin.weight": on_space[origin : origin + size.reach] * scale,
        "origin.bias": bias[origin : origin + size.reach] * scale,
        "target.weight": on_space[target : target + size.reach],
        "target.bias": bias[target : target + size.reach],
    }
