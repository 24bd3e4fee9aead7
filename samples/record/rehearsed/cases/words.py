"""A tokenizer of numbered words, and texts of them: nothing needs to be fetched."""
import random

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast


def tokenizer(size):
    vocabulary = {"<pad>": 0, "<eos>": 1, "<unk>": 2, **{f"w{i}": i for i in range(3, size)}}
    base = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    base.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made = PreTrainedTokenizerFast(tokenizer_object=base, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")
    made.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
    return made


def texts(count, shortest, longest, seed=0):
    lengths = random.Random(seed).choices(range(shortest, longest + 1), k=count)
    return [" ".join(f"w{3 + (7 * number + place) % 5000}" for place in range(length)) for number, length in enumerate(lengths)]
