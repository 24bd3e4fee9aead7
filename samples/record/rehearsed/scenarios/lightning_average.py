"""Lightning with a callback that keeps an average of the weights, swaps it in for validation and back; accumulation and clipping by the Trainer."""
import sys

import lightning.pytorch as pl
import torch
from torch import nn

labels = sys.modules.get("highwater_labels")


class WeightEMA(pl.Callback):
    def __init__(self, decay=0.995):
        self.decay, self.ema, self.store = decay, {}, {}

    def on_fit_start(self, trainer, pl_module):
        self.ema = {k: v.detach().clone() for k, v in pl_module.state_dict().items()}
        if labels:
            labels.mark(self.ema, "parameter")

    @torch.no_grad()
    def on_train_batch_end(self, trainer, pl_module, *_):
        for k, v in pl_module.state_dict().items():
            if v.is_floating_point():
                self.ema[k].lerp_(v, 1 - self.decay)

    def on_validation_start(self, trainer, pl_module):
        self.store = {k: v.detach().clone() for k, v in pl_module.state_dict().items()}
        if labels:
            labels.mark(self.store, "parameter")
        pl_module.load_state_dict(self.ema)

    def on_validation_end(self, trainer, pl_module):
        pl_module.load_state_dict(self.store)
        self.store = {}


class Denoiser(pl.LightningModule):
    def __init__(self, c=128, n=5):
        super().__init__()
        self.save_hyperparameters()
        self.head = nn.Conv2d(3, c, 3, padding=1)
        self.body = nn.Sequential(*[m for _ in range(n) for m in (nn.Conv2d(c, c, 3, padding=1), nn.BatchNorm2d(c), nn.PReLU())])
        self.tail = nn.Conv2d(c, 3, 3, padding=1)

    def forward(self, x):
        return x - self.tail(self.body(self.head(x)))

    def _shared(self, batch, stage):
        clean, noise = batch
        loss = nn.functional.l1_loss(self(clean + noise), clean)
        self.log(f"{stage}/loss", loss, on_epoch=stage == "val")
        return loss

    def training_step(self, batch, i):
        return self._shared(batch, "train")

    def validation_step(self, batch, i):
        return self._shared(batch, "val")

    def configure_optimizers(self):
        o = torch.optim.RAdam(self.parameters(), 1e-4)
        return {"optimizer": o, "lr_scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(o, 10)}


def data(n):
    t = torch.rand(n, 3, 96, 96)
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(t, torch.randn_like(t)), 8)


trainer = pl.Trainer(max_epochs=2, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False, num_sanity_val_steps=1, accumulate_grad_batches=2,
                     gradient_clip_val=1.0, enable_progress_bar=False, enable_model_summary=False, precision="bf16-mixed",
                     callbacks=[WeightEMA()])
trainer.fit(Denoiser(), data(32), data(16))
