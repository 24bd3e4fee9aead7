"""Lightning's Trainer; the third batch is too big."""
import highwater_gpu
import lightning
import torch
from torch.utils.data import DataLoader

highwater_gpu.record("memory").start()


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(*[torch.nn.Linear(4096, 4096) for _ in range(8)])

    def training_step(self, batch, number):
        return self.net(batch.repeat(50_000, 1) if number == 2 else batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())


lightning.Trainer(max_steps=8, accelerator="gpu", devices=1, enable_checkpointing=False, enable_progress_bar=False, logger=False,
                  callbacks=[highwater_gpu.lightning_callback()]).fit(Model(), DataLoader(torch.randn(72, 4096), 8))
