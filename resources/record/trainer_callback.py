from transformers import TrainerCallback


class RecordMemory(TrainerCallback):
    def __init__(self, steps=(3,)):
        self.steps = steps

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step in self.steps:
            dump(f"step{state.global_step}", clear=True)

    def on_train_end(self, args, state, control, **kwargs):
        dump("end")
