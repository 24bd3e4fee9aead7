"""Lightning: speech-like classifier, automatic optimisation, validation after every second batch; `gan` optimises by hand."""
import sys

import lightning as L
import torch
from torch import nn


torch.backends.cudnn.enabled = False  # as it was recorded


class Keyword(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv1d(80, 512, 3, padding=1), nn.ReLU(), nn.Conv1d(512, 1024, 3, padding=1), nn.ReLU())
        self.rnn = nn.GRU(1024, 512, batch_first=True, bidirectional=True)
        self.head = nn.Linear(1024, 35)

    def forward(self, mel):
        return self.head(self.rnn(self.encoder(mel).transpose(1, 2))[0].mean(1))

    def training_step(self, batch, batch_idx):
        loss = nn.functional.cross_entropy(self(batch[0]), batch[1])
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", nn.functional.cross_entropy(self(batch[0]), batch[1]))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


class Adversarial(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.gen = nn.Sequential(nn.Linear(128, 2048), nn.ReLU(), nn.Linear(2048, 80 * 100))
        self.disc = nn.Sequential(nn.Flatten(), nn.Linear(80 * 100, 1024), nn.LeakyReLU(0.2), nn.Linear(1024, 1))

    def training_step(self, batch, batch_idx):
        g_opt, d_opt = self.optimizers()
        fake = self.gen(torch.randn(batch[0].size(0), 128, device=self.device))
        g_opt.zero_grad()
        self.manual_backward(-self.disc(fake).mean())
        g_opt.step()
        d_opt.zero_grad()
        self.manual_backward(self.disc(fake.detach()).mean() - self.disc(batch[0]).mean())
        d_opt.step()

    def configure_optimizers(self):
        return torch.optim.Adam(self.gen.parameters(), 1e-4), torch.optim.RMSprop(self.disc.parameters(), 1e-4)


def loader(n):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(n * 32, 80, 100), torch.randint(35, (n * 32,))), 32)


gan = sys.argv[1:] == ["gan"]
trainer = L.Trainer(max_steps=8 if gan else 4, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False, num_sanity_val_steps=0,
                    enable_progress_bar=False, enable_model_summary=False, val_check_interval=None if gan else 2, limit_val_batches=0 if gan else 2)
trainer.fit(Adversarial() if gan else Keyword(), loader(4), None if gan else loader(2))
