#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/diff/row_contents.h"
#include "core/analysis/diff/setting_changes.h"

namespace highwater {

/// How often each of the two factors counts in the size of a tensor.
struct SizePower
{
    int dimension = 0; ///< 0, 1 or 2
    int precision = 0; ///< 0 or 1
    bool operator==(const SizePower&) const = default;
};

/// What the sizes of tensors that both runs have can be put down to.
enum class SizeCause : std::uint8_t
{
    None, ///< nothing is told: see SizeFactors::why
    Dimension, ///< of the tensors: a length, a batch, …
    Precision, ///< bytes of an element
    Either, ///< one factor, which could be a dimension as well as the precision
    Both, ///< two factors, told apart
};

/// "none", "dimension", "precision", "either", "both".
std::string_view toText(SizeCause cause);

/// Why there are no factors.
enum class SizeSilence : std::uint8_t
{
    Told, ///< there are
    NoChange, ///< no tensor changed its size
    HardlyAny, ///< less than 1 % of the bytes changed their size
    TooFewRatios, ///< several factors could make the few ratios that there are
    TooLittle, ///< no pair of factors explains most of the bytes
};

/// Two factors that the sizes of tensors changed by: size after = size before × dimension^a × precision^b.
/// Worked out from sizes alone, it is an inference; what else says so is told beside it.
struct SizeFactors
{
    SizeCause cause = SizeCause::None;
    SizeSilence why = SizeSilence::NoChange;
    double dimension = 1; ///< 1: none. The factor itself with SizeCause::Either
    double precision = 1; ///< 1, ½, ¼, 2 or 4; bytes of an element after by bytes before
    Bytes changedBytes = 0; ///< before + after, of rows of one size that changed it
    Bytes explainedBytes = 0; ///< of these
    /// Settings that changed by exactly this factor: "context_length 256 → 1024"; empty: none is known.
    std::string dimensionSetting;
    std::string precisionSetting;
    /// New blocks (with a precision above 1: gone ones) of half the size of parameters, nearly as many as
    /// there are parameters: they confirm the precision. 0: there are none.
    std::int64_t copies = 0;
    Bytes copiesBytes = 0;
};

/// The factors that explain most bytes of the rows whose allocations are of one size on both sides: the
/// dimension may count twice, the precision once. Of explanations within 2 % of each other the one that
/// settings or half-precision copies of parameters confirm, then the one with fewer factors, then the one
/// whose precision changes where the dimension does; exchanging the runs inverts both factors. Two factors
/// take three different ratios, or two that something else confirms. Requested sizes are exact; others may be
/// rounded up to 512 B. `diff` should have stacks for rows, which are of one size most often.
/// O(rows × log rows), then bounded.
SizeFactors findSizeFactors(
    const RunDiff& diff, const DiffContents& contents, const std::vector<SettingChange>& settings = {});

/// How often each factor counts in a change of a size; none: the factors do not explain it.
std::optional<SizePower> powerOf(const SizeFactors& factors, Bytes before, Bytes after, Quantity quantity);

/// How many of some blocks may be missing beside some others, as when one run stands a layer further.
bool countsAgree(std::int64_t count, std::int64_t other);

} // namespace highwater
