#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/diff/row_contents.h"
#include "core/analysis/diff/setting_changes.h"

namespace highwater {

/// The exponents of the two factors in the size of a tensor.
struct SizePower
{
    int dimension = 0; ///< 0, 1 or 2
    int precision = 0; ///< 0 or 1
    bool operator==(const SizePower&) const = default;
};

/// Explanation of changed tensor sizes.
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
    Told, ///< there are factors
    NoChange, ///< no tensor changed its size
    HardlyAny, ///< less than 1 % of the bytes changed their size
    TooFewRatios, ///< several factors could make the few ratios that there are
    TooLittle, ///< no pair of factors explains most of the bytes
};

/// Two factors that the sizes of tensors changed by: size after = size before × dimension^a × precision^b. An
/// inference from sizes alone; supporting evidence is listed with it.
struct SizeFactors
{
    SizeCause cause = SizeCause::None;
    SizeSilence why = SizeSilence::NoChange;
    double dimension = 1; ///< 1: none. The factor itself with SizeCause::Either
    double precision = 1; ///< 1, ½, ¼, 2 or 4; bytes of an element after by bytes before
    /// Before + after, of rows of one size that changed it, whose counts agree and which are not parameters
    /// in one run alone.
    Bytes changedBytes = 0;
    Bytes explainedBytes = 0; ///< of these
    /// Settings that changed by exactly this factor: "context_length 256 → 1024"; empty: none is known.
    std::string dimensionSetting;
    std::string precisionSetting;
    /// New blocks (with a precision above 1: gone ones) of half the size of parameters, nearly as many as
    /// there are parameters: they confirm the precision. 0: there are none.
    std::int64_t copies = 0;
    Bytes copiesBytes = 0;
};

/// The factors that explain most bytes of the rows with one allocation size on each side; the dimension may
/// have exponent 2, the precision 1. Of explanations within 2 % of each other the one that settings or
/// half-precision copies of parameters confirm, then the one with fewer factors, then the one whose precision
/// changes where the dimension does; exchanging the runs inverts both factors. Two factors require three
/// different ratios, or two with other confirmation. Requested sizes are exact; others may be rounded up to
/// 512 B. `diff` should have stacks for rows, which are of one size most often. O(rows × log rows), then
/// bounded.
SizeFactors findSizeFactors(
    const RunDiff& diff, const DiffContents& contents, const std::vector<SettingChange>& settings = {});

/// The exponents that explain a change of size; none: the factors do not explain it.
std::optional<SizePower> powerOf(const SizeFactors& factors, Bytes before, Bytes after, Quantity quantity);

/// Whether two counts of blocks are close enough to belong together, for example where one run is one layer
/// further.
bool countsAgree(std::int64_t count, std::int64_t other);

} // namespace highwater
