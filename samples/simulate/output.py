"""Serialises a snapshot as torch does, and compresses it with the `zstd` program."""
import pickle
import subprocess


def to_pickle(snapshot, protocol=4):
    """Protocol 4 is what Python 3.8 to 3.13 write."""
    return pickle.dumps(snapshot, protocol=protocol)


def compress(data):
    """The stream size goes into the frame header, so a reader knows what to expect."""
    command = ["zstd", "-19", "-q", "-c", f"--stream-size={len(data)}"]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def write_snapshot(folder, name, snapshot, raw=False):
    data = to_pickle(snapshot)
    path = folder / (f"{name}.pickle" if raw else f"{name}.pickle.zst")
    path.write_bytes(data if raw else compress(data))
    return path, len(data)
