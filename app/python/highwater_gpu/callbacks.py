"""Callbacks that mark the steps of trainers. A trainer's package is imported only when its callback is made."""
from __future__ import annotations

import functools
import sys
from typing import Any

from .recorder import current_step, end_step, is_recording, phase, record, step


def transformers_callback(**options: Any) -> Any:
    """Returns a callback for transformers' Trainer and TRL's trainers. Starts record(**options) unless a recorder is active;
    memory allocated before that has no stacks."""
    from transformers import TrainerCallback

    if not is_recording():
        record(**options).start()

    class RecordMemory(TrainerCallback):
        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            step(state.global_step)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            end_step()

        def __reduce__(self) -> Any:  # strategies that spawn processes pickle the callback
            return functools.partial(transformers_callback, **options), ()

    return RecordMemory()


def lightning_callback(**options: Any) -> Any:
    """Returns a callback for Lightning's Trainer, which also marks validations. Starts record(**options) unless a recorder
    is active."""
    try:
        if "pytorch_lightning" in sys.modules and "lightning.pytorch" not in sys.modules:
            raise ImportError
        from lightning.pytorch import Callback
    except ImportError:
        from pytorch_lightning import Callback

    class RecordMemory(Callback):
        _validation: Any = None

        def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:  # the model is moved to the GPU after this
            if not is_recording():
                record(**options).start()

        def on_train_batch_start(self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int) -> None:
            if current_step() != trainer.global_step:  # batches whose gradients are accumulated are one step
                step(trainer.global_step)

        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            if current_step() != trainer.global_step:
                end_step()

        def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
            self._validation = phase("validation")

        def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
            self._validation.__exit__(None, None, None)

        def __reduce__(self) -> Any:
            return functools.partial(lightning_callback, **options), ()

    return RecordMemory()
