#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// Returns a factor as readable text: "4", "½", "1.5".
std::string factorText(double factor);

/// Returns the factors raised to the exponents of a power: "4²·½"; empty if both exponents are 0.
std::string powerText(const SizeFactors& factors, SizePower power);

/// Returns the change of a block size: "×8 = 4²·½", "×4" or "×½ (precision)". If the factors do not explain
/// it: "×1.37" or "5 times smaller". Empty if the size did not change, or exists in one run only.
std::string ratioText(const SizeFactors& factors, const SizePart& part);

/// Returns the changes of a row's block sizes for a table cell: "×8 = 4²·½", or "×½, 96 new" if the row has
/// several sizes. Empty if no size is on both sides, if there are more than three different changes, or if a
/// row that is no place has several parts.
std::string sizeChangeText(const SizeCauses& causes, std::uint32_t row);

/// Explains the factors in full sentences, and that they are inferred. Without factors, explains why; empty
/// if hardly any size changed.
std::vector<std::string> legendSentences(const SizeFactors& factors);

/// Returns the factors in one sentence, "Block sizes changed ×4 (a dimension) and ×½ (precision), judging by
/// sizes alone.", or why there are no factors although sizes changed.
std::string causeSentence(const SizeFactors& factors);

/// Returns a sentence for each size of blocks that have half the size of parameters, but are too many to be
/// copies of them: "Of 259 new blocks of 8 MiB, at most 72 can be half-precision copies: only 72 parameters
/// have 16 MiB."; empty if there are none. The verdict counts the likely copies.
std::string doubtfulCopiesText(const SizeCauses& causes);

/// Returns "23 blocks of 128 MiB at attention (model.py:434) probably replace 24 blocks of 16 MiB at softmax
/// (nn_utils.py:7) (×8 = 4²·½).".
std::string replacementSentence(
    const RunDiff& diff, const SizeCauses& causes, const Replacement& replacement);

/// Returns a short label for a row's place: "softmax (nn_utils.py:7)", "backward · BmmBackward0".
std::string rowLabel(const DiffRow& row);

/// Returns the labels of all rows. Those of different stacks with the same label also name a line by which
/// they differ, if there is one: "forward (model.py:64) ← policy_log_probs (trainer.py:186)". O(length of the
/// keys).
std::vector<std::string> rowLabels(const std::vector<DiffRow>& rows);

} // namespace highwater
