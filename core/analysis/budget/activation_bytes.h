#pragma once

#include <string>
#include <vector>

#include "core/analysis/budget/formula.h"
#include "core/run/run_shape.h"

namespace highwater {

/// Returns the names of the settings that activations need and that are missing.
std::vector<std::string> missingForActivations(const RunShape& run);

/// Computes what forward keeps for backward on one device, without the logits; no needed setting may be
/// missing. Bytes per token and layer, with p bytes per element, a query heads and k key heads of size d:
///
/// 4p·h + p·(2a + 2k)·d + 2p·i (4p·i for a gated MLP) + 2h for dropout's masks (GPT-2, T5) + 4a with flash
/// attention, (2p + 1)·a·T with a matrix of scores and dropout, (p + 4)·a·T without; the math kernel of
/// PyTorch keeps scores in fp32, 9·a·T and 4·a·T, and in 16 bits fp32 copies of queries, keys and values,
/// 3·(2a + 2k)·d (attention.cpp, `_scaled_dot_product_attention_math`)
///
/// For GPT-2 with i = 4h that is 34h + 5·a·T at 2 bytes (Korthikanti et al., arXiv 2205.05198; ZeRO, table
/// 2). A decoder layer of T5 adds its second attention. What autograd keeps besides is read from the code, by
/// the tensors that tools/autograd/derivatives.yaml of PyTorch saves:
///
/// - 4h for each norm of Llama and T5: `LlamaRMSNorm` and `T5LayerNorm` (transformers) save the normalised
///   input, and in 16 bits the input in fp32 in place of the 16-bit one;
/// - 2h for each norm under autocast, which runs norms in fp32, and sums residuals in it
///   (aten/src/ATen/autocast_mode.h);
/// - 3p·i for an activation that is not one kernel: `NewGELUActivation` saves half its input, the tanh
///   and one more than the tanh (transformers, activations.py).
///
/// With full checkpointing each layer keeps its input, and one layer is recomputed at a time; with selective
/// checkpointing, attention counts as flash. Kernels, fusion and compilation change the figure by about 30%,
/// so low and high are 30% below and above. If no attention is given and flash attention is assumed, the high
/// figure includes the matrix of scores.
FormulaRange activationBytes(const RunShape& run);

} // namespace highwater
