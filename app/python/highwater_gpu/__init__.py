"""Highwater from Python: records GPU memory of training scripts, and asks the program `highwater` what happened to it.

    from highwater_gpu import record, step, phase     records; needs torch in the script
    from highwater_gpu import analyze, diff, rehearse  reads; needs nothing
"""
from .analysis import HighwaterError, analyze, diff, rehearse
from .callbacks import lightning_callback, transformers_callback
from .recorder import dump, end_step, phase, record, step
from .results import Analysis, Comparison, Diagnosis, Finding, Place, Rehearsal

__all__ = [
    "Analysis", "Comparison", "Diagnosis", "Finding", "HighwaterError", "Place", "Rehearsal", "analyze", "diff", "dump",
    "end_step", "lightning_callback", "phase", "record", "rehearse", "step", "transformers_callback",
]
