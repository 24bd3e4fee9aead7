"""Plays training loops through the rules of PyTorch's CUDA caching allocator and writes memory snapshots.

Nothing here is recorded on a GPU: every file that this program writes is simulated. Standard library only.
"""
