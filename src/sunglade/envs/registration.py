"""The environments' names in Gymnasium's registry.

Importing `sunglade.envs` registers them where Gymnasium is installed.
"""

from __future__ import annotations

ENV_ID = "sunglade/Sunglade-v1"


def register() -> None:
    """Tell Gymnasium where the environments are; nothing of them is imported before one is made."""
    import gymnasium

    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="sunglade.envs.single:SungladeEnv",
            vector_entry_point="sunglade.envs.vector:SungladeVectorEnv",
        )
