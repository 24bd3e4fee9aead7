"""The training loops of xMem's measurements, fp32, five iterations: xmem.py MODEL BATCH OPTIMIZER.

Gradients are dropped before each batch. Texts are padded to 128 tokens, images are 86 pixels wide. Random weights.
"""
import sys

import torch

from measured import printed

LANGUAGE = {
    "distilgpt2": ("GPT2Config", {"n_layer": 6}),
    "gpt-neo-125M": ("GPTNeoConfig", {"hidden_size": 768, "num_layers": 12, "num_heads": 12,
                                      "attention_types": [[["global", "local"], 6]]}),
    "cerebras-111M": ("GPT2Config", {"n_layer": 10, "n_positions": 2048, "n_inner": 3072,
                                     "activation_function": "gelu"}),
    "t5-small": ("T5Config", {"decoder_start_token_id": 0}),
}
OPTIMIZERS = {"AdamW": torch.optim.AdamW, "Adam": torch.optim.Adam, "SGD": torch.optim.SGD,
              "RMSprop": torch.optim.RMSprop, "Adagrad": torch.optim.Adagrad}


def language(name, batch):
    import transformers

    kind, settings = LANGUAGE[name]
    config = getattr(transformers, kind)(**settings)
    builder = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
    ids = torch.randint(0, config.vocab_size, (batch, 128))
    mask = torch.ones_like(ids)
    mask[0, :64] = 0  # One text is shorter, as in nearly every batch.
    return builder.from_config(config), {"input_ids": ids, "attention_mask": mask, "labels": ids.clone()}


def trained_language(name, batch, optimizer):
    model, data = language(name, batch)
    optimizer = optimizer(model.parameters(), lr=0.001)
    model.to("cuda")
    for _ in range(5):
        optimizer.zero_grad()
        moved = {key: value.to("cuda") for key, value in data.items()}
        outputs = model(**moved)
        loss = outputs.loss
        loss.backward()
        optimizer.step()


def trained_images(name, batch, optimizer):
    import torchvision

    model = getattr(torchvision.models, name)().to("cuda")
    model.train()
    optimizer = optimizer(model.parameters(), lr=0.001)
    data, classes = torch.randn(batch, 3, 86, 86), torch.randint(0, 10, (batch,))
    for _ in range(5):
        optimizer.zero_grad()
        inputs, labels = data.to("cuda"), classes.to("cuda")
        outputs = model(inputs)
        loss = torch.nn.functional.cross_entropy(outputs, labels)
        loss.backward()
        optimizer.step()
        torch.max(outputs, 1)


trained = trained_language if sys.argv[1] in LANGUAGE else trained_images
trained(sys.argv[1], int(sys.argv[2]), OPTIMIZERS[sys.argv[3]])
printed("run")
