"""T5 in training: keys and values of the decoder's cache, bf16, Adafactor of transformers"""
import torch
from transformers import T5Config, T5ForConditionalGeneration

from transformers.optimization import Adafactor
model = T5ForConditionalGeneration(T5Config(d_model=512, d_kv=64, d_ff=2048, num_layers=6, num_heads=8, vocab_size=32128, decoder_start_token_id=0)).cuda().to(torch.bfloat16)
opt = Adafactor(model.parameters(), lr=1e-3, relative_step=False, scale_parameter=False)
for step in range(4):
    ids = torch.randint(1, 32000, (16, 512), device="cuda"); labels = torch.randint(1, 32000, (16, 128), device="cuda")
    loss = model(input_ids=ids, labels=labels).loss; loss.backward(); opt.step(); opt.zero_grad(); print(step, loss.item())
