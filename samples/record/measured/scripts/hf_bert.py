"""BERT classifier, padded batches with masks, fp16 autocast with GradScaler, accuracy"""
import random, torch
from transformers import BertConfig, BertForSequenceClassification

random.seed(0); torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig(num_labels=5)).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=2e-5); scaler = torch.amp.GradScaler()
right = 0
for step in range(6):
    lengths = [random.randint(20, 256) for _ in range(32)]; longest = max(lengths)
    mask = (torch.arange(longest)[None] < torch.tensor(lengths)[:, None]).long().cuda()
    ids, labels = torch.randint(0, 30000, (32, longest)).cuda(), torch.randint(0, 5, (32,)).cuda()
    with torch.autocast("cuda", dtype=torch.float16): out = model(input_ids=ids, attention_mask=mask, labels=labels)
    scaler.scale(out.loss).backward(); scaler.unscale_(opt); torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt); scaler.update(); opt.zero_grad()
    right += (out.logits.argmax(-1) == labels).sum().item()
print("accuracy", right / 192)
