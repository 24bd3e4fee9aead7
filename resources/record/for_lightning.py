

# For Lightning:
#
#     import record_memory
#     trainer = Trainer(..., callbacks=[record_memory.RecordMemory(steps=(3, 500))])
#
import lightning


class RecordMemory(lightning.Callback):
    def __init__(self, steps=(3,)):
        self.steps = steps

    def setup(self, trainer, module, stage):
        if trainer.strategy.root_device.type == "cuda":  # the model is moved there after this
            torch.cuda.set_device(trainer.strategy.root_device)
            start()

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        if batch_idx + 1 in self.steps:
            dump(f"step{batch_idx + 1}", clear=True)

    def on_fit_end(self, trainer, module):
        dump("end")
