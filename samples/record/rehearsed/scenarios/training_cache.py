"""A causal language model whose forward fills a cache of keys and values while it trains; the outputs keep it to the next step."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

model = LlamaForCausalLM(LlamaConfig(vocab_size=2003, hidden_size=256, intermediate_size=640, num_hidden_layers=3, num_attention_heads=4)).to("cuda", torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
for step in range(4):
    ids = torch.randint(0, 2003, (4, 384)).cuda()
    outputs = model(input_ids=ids, labels=ids, use_cache=True)
    outputs.loss.backward()
    optimizer.step()
    optimizer.zero_grad()
