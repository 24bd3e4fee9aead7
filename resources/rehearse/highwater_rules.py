"""What a script gets when it reads a value back from the simulated GPU, where kernels compute nothing.

RULES are tried in order; the first whose places match the innermost frames outside of torch decides. A file given
with --steering defines RULES of the same form, which are tried first.

A rule is a dict:
  "file"      the end of the path of the innermost frame outside of torch, or of one in torch below it
  "function"  name of a function anywhere on the call stack
  "line"      regular expression that the text of the innermost line outside of torch has (at least one of the three)
  "what"      kinds of reads it is about (default: all): item, bool, tolist, cpu, mask, nonzero, where, unique,
              unique_consecutive, argwhere, bincount, repeat_interleave, copy (none of these: seen where it is copied)
  "give"      "real"   what the device's memory says, mostly 0: known not to decide a size
              "ones"   True, or 1 in every element
              "zeros"  False, or 0 in every element
              "twice"  True two times, then False: a loop that goes on until nothing is left, as long as its memory grows

REPLACED names functions that are called through another one, which gets the real one first: for decisions that are
not made where a value is read.
"""
import sys
import weakref

RULES = [
    {"file": "transformers/generation/utils.py", "what": ["item", "bool"], "give": "real"},
    {"file": "transformers/generation/stopping_criteria.py", "give": "real"},
    {"file": "transformers/masking_utils.py", "what": ["bool"], "give": "real"},
    {"file": "transformers/modeling_attn_mask_utils.py", "what": ["bool"], "give": "real"},
    # TRL: completions are as long as they were allowed to be.
    {"function": "_generate_single_turn", "what": ["cpu", "tolist"], "give": "ones"},
    {"function": "_generate_single_turn", "what": ["mask"], "give": "real"},
    {"file": "trl/trainer/grpo_trainer.py", "what": ["mask"], "give": "ones"},
    {"file": "trl/trainer/grpo_trainer.py", "give": "real"},
    {"file": "trl/trainer/dpo_trainer.py", "what": ["mask"], "give": "ones"},
    {"file": "trl/trainer/dpo_trainer.py", "give": "real"},
    {"file": "trl/trainer/utils.py", "what": ["mask"], "give": "ones"},
    {"file": "trl/trainer/utils.py", "give": "real"},
    {"file": "trl/trainer/sft_trainer.py", "what": ["item"], "give": "real"},
    {"file": "trl/trainer/sft_trainer.py", "what": ["bool"], "give": "ones"},
    # Trainers: losses, norms and counts that are logged; checks for NaN.
    {"file": "transformers/trainer.py", "give": "real"},
    {"file": "transformers/trainer_pt_utils.py", "give": "real"},
    {"file": "transformers/trainer_callback.py", "give": "real"},
    {"file": "accelerate/accelerator.py", "give": "real"},
    {"file": "accelerate/utils/operations.py", "give": "real"},
    # Gradient scaling: no infinity is ever found.
    {"file": "torch/amp/grad_scaler.py", "give": "zeros"},
    {"function": "clip_grad_norm_", "give": "real"},
    {"file": "torch/optim/optimizer.py", "give": "real"},
    {"file": "torch/optim/adam.py", "give": "real"},
    {"file": "torch/optim/adamw.py", "give": "real"},
    # Draws again what lies outside of its bounds, until nothing does.
    {"file": "torch/nn/init.py", "function": "_no_grad_trunc_normal_", "what": ["bool"], "give": "twice"},
    # torch.distributions: every argument is valid, and every sample is accepted.
    {"file": "torch/distributions/distribution.py", "what": ["bool"], "give": "ones"},
    {"file": "torch/distributions/continuous_bernoulli.py", "what": ["bool"], "give": "ones"},
    {"file": "torch/distributions/geometric.py", "what": ["bool"], "give": "ones"},
    {"file": "torch/distributions/von_mises.py", "what": ["bool"], "give": "ones"},
    {"file": "torch/distributions/wishart.py", "function": "_mvdigamma", "what": ["bool"], "give": "ones"},
    {"file": "torch/distributions/wishart.py", "what": ["bool"], "give": "zeros"},
    {"file": "torch/distributions/kl.py", "what": ["bool"], "give": "zeros"},
    {"file": "torch/distributions/transforms.py", "what": ["item"], "give": "zeros"},
    # DistributedDataParallel and FSDP compare shapes and counts between ranks.
    {"file": "torch/nn/parallel/distributed.py", "give": "real"},
    {"file": "torch/distributed/utils.py", "give": "real"},
    {"file": "torch/distributed/distributed_c10d.py", "give": "real"},
    {"file": "torch/distributed/fsdp/_init_utils.py", "give": "real"},
    {"file": "torch/distributed/fsdp/_optim_utils.py", "give": "real"},
    # DeepSpeed: overflow, norms, and comparisons between ranks.
    {"file": "deepspeed/runtime/zero/stage_1_and_2.py", "what": ["item", "bool"], "give": "real"},
    {"file": "deepspeed/runtime/zero/stage3.py", "what": ["item", "bool"], "give": "real"},
    {"file": "deepspeed/runtime/zero/utils.py", "give": "real"},
    {"file": "deepspeed/runtime/utils.py", "give": "real"},
    # Weights that are saved.
    {"file": "safetensors/torch.py", "give": "real"},
    # Checks for what is no number: there is none in a run that goes well.
    {"line": r"\bisfinite\(", "what": ["item", "bool"], "give": "ones"},
    {"line": r"\bis(nan|inf)\(", "what": ["item", "bool"], "give": "zeros"},
    # A square mask of nn.TransformerEncoder is the causal one.
    {"file": "torch/nn/modules/transformer.py", "function": "_detect_is_causal_mask", "give": "ones"},
    # What is only printed.
    {"file": "torch/_tensor_str.py", "give": "real"},
]


def _generation_goes_on(real, *arguments, **keywords):
    """Until the length that was allowed: on a simulated GPU no end is ever sampled and no count is ever reached."""
    names = sys._getframe(2).f_locals
    ids, configuration = names.get("input_ids"), names.get("generation_config")
    if isinstance(names, dict):  # before Python 3.13 it stays with its frame, and so would all that it holds
        names.clear()
    if ids is None or getattr(configuration, "max_length", None) is None:
        return real(*arguments, **keywords)
    return ids.shape[-1] < configuration.max_length


def _note_trainer(real, trainer, *arguments, **keywords):
    """Each trainer that is made adds callbacks of its own."""
    TRAINERS.add(trainer)
    return real(trainer, *arguments, **keywords)


def _ranks_agree(real, *arguments, **keywords):
    """The comparison of all ranks' parameters sees what was never gathered."""
    try:
        return real(*arguments, **keywords)
    except RuntimeError:
        return None


def _folds_nothing(real, *arguments, **keywords):
    """Inductor computes constants on the device to see whether all elements are alike."""


TRAINERS = weakref.WeakSet()

REPLACED = [
    ("transformers.trainer", "Trainer.add_callback", _note_trainer),
    ("torch._inductor.fx_passes.joint_graph", "constant_fold_uniform_value", _folds_nothing),
    ("torch.nn.parallel.distributed", "_verify_param_shape_across_processes", _ranks_agree),
    ("transformers.generation.utils", "GenerationMixin._has_unfinished_sequences", _generation_goes_on),
]
