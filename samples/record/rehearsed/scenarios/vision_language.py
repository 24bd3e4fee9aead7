"""LLaVA of transformers, small and of random weights: the vision tower is frozen, stage `projector` trains the projector alone, `full` all but the tower."""
import sys

import torch
from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration

stage = sys.argv[1]
vision = CLIPVisionConfig(hidden_size=512, intermediate_size=1536, num_hidden_layers=4, num_attention_heads=8, image_size=224, patch_size=16)
text = LlamaConfig(vocab_size=12000, hidden_size=640, intermediate_size=1728, num_hidden_layers=4, num_attention_heads=10, num_key_value_heads=5)
config = LlavaConfig(vision_config=vision, text_config=text, image_token_id=11999, vision_feature_select_strategy="default", vision_feature_layer=-2, image_seq_length=196)
model = LlavaForConditionalGeneration(config).to(torch.bfloat16).cuda()

for name, p in model.named_parameters():
    p.requires_grad_("multi_modal_projector" in name if stage == "projector" else "vision_tower" not in name)
trainable = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trainable, lr=1e-3)


def collate(n):
    ids = torch.randint(0, 11998, (n, 320))
    ids[:, 4:200] = 11999
    labels = ids.masked_fill(ids == 11999, -100)
    return {"input_ids": ids, "labels": labels, "pixel_values": torch.rand(n, 3, 224, 224).bfloat16(), "attention_mask": torch.ones_like(ids)}


# Values read back are 0 in a rehearsal: the count of image tokens cannot be compared.
type(model.model).get_placeholder_mask = lambda self, input_ids, inputs_embeds, image_features: (
    (input_ids == 11999).unsqueeze(-1).expand_as(inputs_embeds).to(inputs_embeds.device))
model.train()
for step in range(4):
    batch = {k: v.to("cuda") for k, v in collate(4).items()}
    out = model(**batch, use_cache=False)
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_(trainable, 1.0)
    optimizer.step()
    optimizer.zero_grad()
