"""One convolution, forward, as in issues of PyTorch: convolution.py FROM DTYPE OUT KERNEL PADDING SIZE [SIZE …].

The input comes from the host as FROM and becomes DTYPE on the GPU. SIZE is 1x64x361x370x251. Several run one after the
other with one kernel, as in a loop, and the cache is emptied in between.
"""
import sys

import torch

from measured import printed

given, dtype = (getattr(torch, name) for name in sys.argv[1:3])
out, kernel, padding = map(int, sys.argv[3:6])
shapes = [tuple(map(int, text.split("x"))) for text in sys.argv[6:]]
kind = {4: torch.nn.Conv2d, 5: torch.nn.Conv3d}[len(shapes[0])]
layer = kind(shapes[0][1], out, kernel, padding=padding).to("cuda", dtype)
for shape in shapes:
    data = torch.empty(shape, dtype=given).to("cuda").to(dtype)
    with torch.no_grad():
        layer(data)
    printed("x".join(map(str, shape)))
    torch.cuda.empty_cache()
