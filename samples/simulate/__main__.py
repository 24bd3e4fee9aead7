"""`python3 -m simulate` from samples/, or `python3 samples/simulate` from anywhere."""
import pathlib
import sys

if not __package__:  # started as a folder: make the package importable under its own name
    sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from simulate.cli import main  # noqa: E402

sys.exit(main())
