"""Lightning: Trainer.fit with validation, 16-mixed"""
import lightning as L
import torch, torch.nn as nn, torch.nn.functional as F

class Net(L.LightningModule):
    def __init__(self): super().__init__(); self.net = nn.Sequential(nn.Flatten(), nn.Linear(784, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 10))
    def training_step(self, batch, i): loss = F.cross_entropy(self.net(batch[0]), batch[1]); self.log("loss", loss, prog_bar=True); return loss
    def validation_step(self, batch, i): self.log("accuracy", (self.net(batch[0]).argmax(1) == batch[1]).float().mean())
    def configure_optimizers(self): return torch.optim.Adam(self.parameters(), 1e-3)
if __name__ == "__main__":
    data = torch.utils.data.TensorDataset(torch.rand(2048, 784), torch.randint(0, 10, (2048,)))
    L.Trainer(max_epochs=1, precision="16-mixed", accelerator="gpu", devices=1, logger=False, enable_checkpointing=False).fit(Net(), torch.utils.data.DataLoader(data, 256), torch.utils.data.DataLoader(data, 256))
