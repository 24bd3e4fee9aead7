#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// Returns a factor as readable text: "4", "½", "1.5".
std::string factorText(double factor);

/// Returns the composition of a product: "4²·½"; empty if both exponents are 0.
std::string powerText(const SizeFactors& factors, SizePower power);

/// Returns "×8 = 4²·½" or "×4"; "×1.37" if the factors do not explain it; empty if the sizes are equal.
std::string ratioText(const SizeFactors& factors, const SizePart& part);

/// Returns the change of a row's blocks for a table cell: "×8 = 4²·½", or "×½, 96 new" if they have several
/// sizes. Empty if nothing changed, everything is new or gone, or the changes are too mixed.
std::string eachText(const SizeCauses& causes, std::uint32_t row);

/// Explains the factors and that they are inferred, or why there are none, in full sentences.
std::vector<std::string> legendSentences(const SizeFactors& factors);

/// Returns the factors in one sentence: "Sizes changed ×4 (a dimension) and ×½ (precision), inferred from
/// sizes."
std::string causeSentence(const SizeFactors& factors);

/// Summarizes all possible copies of parameters, the likely ones and the others; empty if there are none.
std::vector<std::string> copySentences(const SizeCauses& causes);

/// Names the row that a new row probably replaces: "23 of 128.00 MiB probably in place of 24 of 16.00 MiB at
/// softmax nn_utils.py:7 (×8 = 4²·½)".
std::string replacementText(const RunDiff& diff, const SizeCauses& causes, const Replacement& replacement);

/// Returns a short label for a row's place: "softmax nn_utils.py:7", "backward · BmmBackward0".
std::string rowLabel(const DiffRow& row);

} // namespace highwater
