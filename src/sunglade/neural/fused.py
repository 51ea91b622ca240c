"""The network's blocks in three Triton kernels each, for answering in large batches on a GPU.

PyTorch alone writes every intermediate to the GPU's memory and reads it again, about 265 kB for a position and block;
these kernels keep what they can in registers, about 107 kB. Only the forward pass: learning goes through PyTorch.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from sunglade.neural.network import Block, Network

ROWS = 64
"""Tokens that one program works on. Measured on an H200: 64 in 4 warps, without stages, beat 128 and 8 warps."""


@triton.jit
def _normed(x, gain, bias, eps: tl.constexpr, width: tl.constexpr):  # type: ignore[no-untyped-def]
    """Rows with mean 0 and deviation 1, then gain and bias: a layer norm."""
    mean = tl.sum(x, 1) / width
    x = x - mean[:, None]
    deviation = tl.rsqrt(tl.sum(x * x, 1) / width + eps)
    return x * deviation[:, None] * gain[None, :] + bias[None, :]


@triton.jit
def _norm_and_project(  # type: ignore[no-untyped-def]
    x_ptr, gain_ptr, norm_bias_ptr, weight_ptr, bias_ptr, out_ptr, rows, width: tl.constexpr, tile: tl.constexpr
):
    """Layer norm, then queries, keys and values (rows, 3 × width)."""
    row = tl.program_id(0) * tile + tl.arange(0, tile)
    column = tl.arange(0, width)
    there = row[:, None] < rows
    x = tl.load(x_ptr + row[:, None] * width + column[None, :], mask=there, other=0.0).to(tl.float32)
    x = _normed(
        x, tl.load(gain_ptr + column).to(tl.float32), tl.load(norm_bias_ptr + column).to(tl.float32), 1e-5, width
    )
    x = x.to(out_ptr.dtype.element_ty)
    for part in range(3):
        weight = tl.load(weight_ptr + (part * width + column)[None, :] * width + column[:, None])
        found = tl.dot(x, weight) + tl.load(bias_ptr + part * width + column).to(tl.float32)[None, :]
        place = out_ptr + row[:, None] * 3 * width + part * width + column[None, :]
        tl.store(place, found.to(out_ptr.dtype.element_ty), mask=there)


@triton.jit
def _attend(  # type: ignore[no-untyped-def]
    qkv_ptr, out_ptr, scale, tokens: tl.constexpr, room: tl.constexpr, width: tl.constexpr, heads: tl.constexpr
):
    """Attention of one head among the tokens of one position."""
    position = tl.program_id(0) // heads
    head = tl.program_id(0) % heads
    part: tl.constexpr = width // heads
    token = tl.arange(0, room)
    column = tl.arange(0, part)
    there = token[:, None] < tokens
    at = qkv_ptr + (position * tokens + token[:, None]) * 3 * width + head * part + column[None, :]
    q = tl.load(at, mask=there, other=0.0)
    k = tl.load(at + width, mask=there, other=0.0)
    v = tl.load(at + 2 * width, mask=there, other=0.0)
    scores = tl.dot(q, tl.trans(k)) * scale
    scores = tl.where(token[None, :] < tokens, scores, -1e30)
    weights = tl.exp(scores - tl.max(scores, 1)[:, None])
    weights = weights / tl.sum(weights, 1)[:, None]
    mixed = tl.dot(weights.to(v.dtype), v)
    place = out_ptr + (position * tokens + token[:, None]) * width + head * part + column[None, :]
    tl.store(place, mixed.to(out_ptr.dtype.element_ty), mask=there)


@triton.jit
def _mix_and_think(  # type: ignore[no-untyped-def]
    x_ptr, mixed_ptr, out_weight_ptr, out_bias_ptr, gain_ptr, norm_bias_ptr, wide_ptr, wide_bias_ptr, narrow_ptr,
    narrow_bias_ptr, rows, width: tl.constexpr, tile: tl.constexpr,
):  # fmt: skip
    """What attention found is added to the tokens, in place; then the small net on each token, in place too."""
    row = tl.program_id(0) * tile + tl.arange(0, tile)
    column = tl.arange(0, width)
    there = row[:, None] < rows
    place = x_ptr + row[:, None] * width + column[None, :]
    kind = x_ptr.dtype.element_ty
    mixed = tl.load(mixed_ptr + row[:, None] * width + column[None, :], mask=there, other=0.0)
    weight = tl.load(out_weight_ptr + column[None, :] * width + column[:, None])
    x = tl.dot(mixed, weight) + tl.load(out_bias_ptr + column).to(tl.float32)[None, :]
    x += tl.load(place, mask=there, other=0.0).to(tl.float32)
    gain = tl.load(gain_ptr + column).to(tl.float32)
    normed = _normed(x, gain, tl.load(norm_bias_ptr + column).to(tl.float32), 1e-5, width).to(kind)
    x += tl.load(narrow_bias_ptr + column).to(tl.float32)[None, :]
    for part in range(3):
        weight = tl.load(wide_ptr + (part * width + column)[None, :] * width + column[:, None])
        u = tl.dot(normed, weight) + tl.load(wide_bias_ptr + part * width + column).to(tl.float32)[None, :]
        u = u * tl.sigmoid(1.5957691216057308 * (u + 0.044715 * u * u * u))  # GELU by tanh
        weight = tl.load(narrow_ptr + column[None, :] * 3 * width + part * width + column[:, None])
        x = tl.dot(u.to(kind), weight, x)
    tl.store(place, x.to(kind), mask=there)


def run_block(block: Block, x: Tensor) -> Tensor:
    """A block, in place."""
    n, tokens, width = x.shape
    rows = n * tokens
    grid = (triton.cdiv(rows, ROWS),)
    qkv = torch.empty(rows, 3 * width, device=x.device, dtype=x.dtype)
    _norm_and_project[grid](
        x, block.norm1.weight, block.norm1.bias, block.qkv.weight, block.qkv.bias, qkv, rows, width, ROWS,
        num_warps=4, num_stages=1,
    )  # fmt: skip
    mixed = torch.empty_like(x)
    room = triton.next_power_of_2(tokens)
    scale = (width // block.heads) ** -0.5
    _attend[(n * block.heads,)](qkv, mixed, scale, tokens, room, width, block.heads, num_warps=4)
    _mix_and_think[grid](
        x, mixed, block.out.weight, block.out.bias, block.norm2.weight, block.norm2.bias, block.wide.weight,
        block.wide.bias, block.narrow.weight, block.narrow.bias, rows, width, ROWS, num_warps=4, num_stages=1,
    )  # fmt: skip
    return x


class Fused:
    """A network for large batches: the blocks by the kernels above, the ends compiled by PyTorch."""

    def __init__(self, network: Network, compiled: bool = True) -> None:
        self.network = network
        self._embed = torch.compile(network.embed) if compiled else network.embed
        self._read = torch.compile(self._read_out) if compiled else self._read_out

    def _read_out(self, *found: Tensor) -> Tensor:
        """What is wanted of the tokens at the end."""
        raise NotImplementedError

    def _think(self, raw: Tensor) -> Tensor:
        """The tokens after all blocks."""
        x: Tensor = self._embed(raw).contiguous()
        for block in self.network.blocks:
            x = run_block(block, x)
        return x


class FusedAnswers(Fused):
    """A network's `answer`: what a search wants."""

    def __call__(self, raw: Tensor, asked: Tensor) -> Tensor:
        """Values of the seats, then logits of the actions asked about."""
        answers: Tensor = self._read(self._think(raw), raw, asked)
        return answers

    def _read_out(self, *found: Tensor) -> Tensor:
        x, raw, asked = found
        return self.network.for_search(self.network.read(x, raw), asked)


class FusedPolicy(Fused):
    """A network's bare policy."""

    def __call__(self, raw: Tensor) -> Tensor:
        """The logits of all actions."""
        logits: Tensor = self._read(self._think(raw), raw)
        return logits

    def _read_out(self, *found: Tensor) -> Tensor:
        x, raw = found
        return self.network.read(x, raw)[0]
