"""Vision transformer with DataLoader, pinned memory, label smoothing, validation without gradients every 3 steps"""
import torch, torch.nn as nn, torchvision

from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
def main():
    model = torchvision.models.vit_b_16(weights=None, num_classes=100).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.05)
    data = TensorDataset(torch.rand(96, 3, 224, 224), torch.randint(0, 100, (96,)))
    train, valid = DataLoader(data, 16, shuffle=True, pin_memory=True, num_workers=2), DataLoader(data, 32, pin_memory=True)
    for step, (x, y) in enumerate(train):
        model.train(); x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.1); opt.zero_grad(); loss.backward(); opt.step()
        if step % 3 == 2:
            model.eval(); right = 0
            with torch.no_grad():
                for x, y in valid: right += (model(x.cuda()).argmax(1).cpu() == y).sum().item()
            print(step, loss.item(), right / len(data))
if __name__ == "__main__": main()
