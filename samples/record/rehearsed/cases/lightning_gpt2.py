"""Lightning on GPT-2 with its CSV and TensorBoard loggers: bf16-mixed, validation every three batches, clipped gradients."""
import lightning
import record_memory
import torch
from lightning.pytorch.callbacks import DeviceStatsMonitor
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel


class LanguageModel(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = GPT2LMHeadModel(GPT2Config())

    def training_step(self, batch, batch_idx):
        loss = self.net(input_ids=batch, labels=batch, use_cache=False).loss
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", self.net(input_ids=batch, labels=batch, use_cache=False).loss)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=3e-4, fused=True)


lightning.seed_everything(0)
train, validation = torch.randint(0, 50257, (72, 512)), torch.randint(0, 50257, (16, 512))
trainer = lightning.Trainer(max_steps=8, accelerator="gpu", devices=1, precision="bf16-mixed", val_check_interval=4, gradient_clip_val=None,
                            num_sanity_val_steps=1, log_every_n_steps=1, enable_checkpointing=False, enable_progress_bar=False,
                            logger=[CSVLogger("out", name="csv"), TensorBoardLogger("out", name="board")],
                            callbacks=[DeviceStatsMonitor(cpu_stats=False)])
trainer.fit(LanguageModel(), DataLoader(train, 8), DataLoader(validation, 8))
record_memory.dump("trained")
