"""The snapshot samples: name -> (what it shows, the function that plays it and returns the snapshot)."""
from simulate.scenarios import limits, phases, pools, reference_r1, reference_r5, steps, streams, tiny

SCENARIOS = {
    "tiny-hand-checked": ("22 events whose every figure can be checked by hand", tiny.play),
    "training-6-steps-annotated": ("six AdamW steps with the annotations PyTorch writes by default", steps.annotated),
    "training-6-steps-bare": ("the same run without annotations, newest keys", steps.bare),
    "training-6-steps-no-frames": ("six steps with neither annotations nor stacks", phases.no_frames),
    "gradient-accumulation": ("three optimizer steps of two micro-steps, told by stacks alone", phases.accumulation),
    "grpo-phases": ("sampling, scoring, training and evaluation, told by stacks alone", phases.grpo),
    "user-annotated-phases": ("nested user ranges, ProfilerStep#N, ranges cut at both edges", steps.user_ranges),
    "ring-buffer-overflow": ("max_entries reached: the start of the history is lost", steps.ring_buffer),
    "two-streams-record-stream": ("delayed free_completed, blocks pending at the end", streams.play),
    "two-devices": ("a pipeline over two devices that use the same addresses", streams.two_devices),
    "host-pinned": ("pinned host memory and annotate events", streams.host_pinned),
    "private-pool": ("CUDA graph pools and a user MemPool", pools.private),
    "expandable-segments": ("segment_map and segment_unmap", pools.expandable),
    "oom-fragmentation": ("out of memory although enough bytes are free inside reserved", limits.fragmentation),
    "oom-too-big": ("out of memory that no allocator setting can cure", limits.too_big),
    "r1-grpo-before": ("reference case R1 before the fixes", reference_r1.before),
    "r1-grpo-after": ("reference case R1 after the fixes: the peak does not move", reference_r1.after),
    "r5-flan-t5-xl-before": ("reference case R5: the model three times in memory", reference_r5.before),
    "r5-flan-t5-xl-after": ("reference case R5 with the copies gone", reference_r5.after),
}
