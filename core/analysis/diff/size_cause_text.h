#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/size_causes.h"

namespace highwater {

/// A factor for people: "4", "½", "1.5".
std::string factorText(double factor);

/// How a product is composed: "4²·½"; empty for the power of nothing.
std::string powerText(const SizeFactors& factors, SizePower power);

/// "×8 = 4²·½", "×4", "×1.37" where nothing explains it; empty: the sizes are equal.
std::string ratioText(const SizeFactors& factors, const SizePart& part);

/// What happened to the blocks of a row, for one cell of a table: "×8 = 4²·½"; "×½, 96 new" where they have
/// several sizes; empty: nothing changed, everything is new or gone, or the changes are too mixed.
std::string eachText(const SizeCauses& causes, std::uint32_t row);

/// What the factors mean, and that they are inferred; or why there are none. Full sentences.
std::vector<std::string> legendSentences(const SizeFactors& factors);

/// The factors in one sentence: "Sizes changed ×4 (a dimension) and ×½ (precision), inferred from sizes."
std::string causeSentence(const SizeFactors& factors);

/// A summary of all hints at copies of parameters, likely ones and the others; empty without hints.
std::vector<std::string> copySentences(const SizeCauses& causes);

/// For a new row, naming the one that it probably replaces: "23 of 128.00 MiB probably in place of 24 of
/// 16.00 MiB at softmax nn_utils.py:7 (×8 = 4²·½)".
std::string replacementText(const RunDiff& diff, const SizeCauses& causes, const Replacement& replacement);

/// Short label of a row's place: "softmax nn_utils.py:7", "backward · BmmBackward0".
std::string rowLabel(const DiffRow& row);

} // namespace highwater
