"""Environments for learning and planning: PettingZoo, Gymnasium, OpenSpiel, JAX, and batches on CPU and GPU.

    from sunglade.envs import BatchEnv, sunglade_v1

Each interface is imported when it is first asked for, so that nobody needs the others' libraries. Importing this
package registers `sunglade/Sunglade-v1` with Gymnasium, where Gymnasium is installed.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from sunglade.envs.registration import register
from sunglade.extras import naming_the_extra

with naming_the_extra("sunglade.envs"):
    import numpy  # noqa: F401 - what all of them need

if TYPE_CHECKING:
    from sunglade.envs import sunglade_v1
    from sunglade.envs.advantages import seat_advantages
    from sunglade.envs.batch import BatchEnv
    from sunglade.envs.cuda import CudaBatchEnv
    from sunglade.envs.jax_env import JaxEnv as JaxEnv  # not among all names: it needs JAX, which no extra brings
    from sunglade.envs.observation import BASE_ACTIONS
    from sunglade.envs.single import SungladeEnv
    from sunglade.envs.vector import SungladeVectorEnv

__all__ = [
    "BASE_ACTIONS",
    "BatchEnv",
    "CudaBatchEnv",
    "SungladeEnv",
    "SungladeVectorEnv",
    "register",
    "seat_advantages",
    "sunglade_v1",
]

_HOMES: Final = {
    "BASE_ACTIONS": "observation",
    "BatchEnv": "batch",
    "CudaBatchEnv": "cuda",
    "JaxEnv": "jax_env",
    "SungladeEnv": "single",
    "SungladeVectorEnv": "vector",
    "seat_advantages": "advantages",
}


def __getattr__(name: str) -> Any:
    if name == "JaxEnv" and find_spec("jax") is None:
        raise ModuleNotFoundError("JaxEnv needs jax, which is not installed; pip install jax brings it.", name="jax")
    with naming_the_extra(name):
        if name == "sunglade_v1":
            return import_module(f"{__name__}.sunglade_v1")
        if name in _HOMES:
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if find_spec("gymnasium") is not None:
    register()
