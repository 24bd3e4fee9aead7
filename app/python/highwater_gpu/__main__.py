"""python -m highwater_gpu is the command `highwater`."""
from ._programs import command

if __name__ == "__main__":
    command()
