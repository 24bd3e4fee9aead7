"""TRL's GRPOTrainer on a tiny Qwen2; the reward of the third step asks for more than the GPU has."""
import highwater_gpu
import torch
from datasets import Dataset
from transformers import Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from words import texts, tokenizer

highwater_gpu.record("memory").start()
config = Qwen2Config(vocab_size=8000, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                     num_key_value_heads=2, pad_token_id=0, eos_token_id=1)
Qwen2ForCausalLM(config).save_pretrained("qwen")
words = tokenizer(8000)
words.save_pretrained("qwen")
rewarded = []


def reward(completions, **_):
    rewarded.append(len(completions))
    if len(rewarded) == 3:
        torch.empty(40 << 30, dtype=torch.uint8, device="cuda")
    return [float(len(text)) for text in completions]


arguments = GRPOConfig(output_dir="out", max_steps=4, per_device_train_batch_size=4, num_generations=4, max_completion_length=8,
                       report_to=[], disable_tqdm=True, save_strategy="no", use_vllm=False)
GRPOTrainer(model="qwen", args=arguments, train_dataset=Dataset.from_list([{"prompt": text} for text in texts(16, 10, 20)]),
            processing_class=words, reward_funcs=reward, callbacks=[highwater_gpu.transformers_callback()]).train()
