"""Writes what torchtitan's debug model reads from its repository's tests: a tokenizer and a text."""
import json
import os

from words import texts, tokenizer

os.makedirs("tests/assets/tokenizer")
tokenizer(2000).save_pretrained("tests/assets/tokenizer")
os.makedirs("tests/assets/c4_test")
with open("tests/assets/c4_test/data.json", "w", encoding="utf-8") as file:
    for text in texts(400, 300, 900):
        file.write(json.dumps({"text": text}) + "\n")
