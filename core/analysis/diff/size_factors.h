#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/diff/row_contents.h"
#include "core/analysis/diff/setting_changes.h"

namespace highwater {

/// The exponents of the two factors in the ratio of two tensor sizes.
struct SizePower
{
    int dimension = 0; ///< 0, 1 or 2
    int precision = 0; ///< 0 or 1
    bool operator==(const SizePower&) const = default;
};

/// The explanation of changed tensor sizes.
enum class SizeCause : std::uint8_t
{
    None, ///< no explanation; see SizeFactors::why
    Dimension, ///< a tensor dimension: a length, a batch, …
    Precision, ///< the bytes per element
    Either, ///< one factor, which may be a dimension or the precision
    Both, ///< two distinct factors
};

/// Returns "none", "dimension", "precision", "either" or "both".
std::string_view toText(SizeCause cause);

/// The reason why there are no factors.
enum class NoFactorsReason : std::uint8_t
{
    Explained, ///< there are factors
    NoChange, ///< no tensor changed its size
    HardlyAnyChange, ///< less than 1% of the bytes changed their size
    TooFewRatios, ///< too few to tell pairs of factors apart, or a single one that is no simple fraction
    TooLittleExplained, ///< no pair of factors explains half of the bytes
};

/// Two factors by which tensor sizes changed: size after = size before × dimension^a × precision^b. They are
/// inferred from sizes alone; settings and copies of parameters that confirm them are listed as well.
struct SizeFactors
{
    SizeCause cause = SizeCause::None;
    NoFactorsReason why = NoFactorsReason::NoChange;
    double dimension = 1; ///< 1 if there is none; the factor itself with SizeCause::Either
    double precision = 1; ///< bytes per element after / before: 1, ½, ¼, 2 or 4
    /// Bytes before + after of the rows whose single block size changed. Rows whose counts of blocks do not
    /// agree, or that are parameters in one run only, do not count.
    Bytes changedBytes = 0;
    Bytes explainedBytes = 0; ///< the part of `changedBytes` that the factors explain
    /// Settings that changed by exactly this factor: "context_length 256 → 1024"; empty if unknown.
    std::string dimensionSetting;
    std::string precisionSetting;
    /// New blocks with half the size of parameters, if they confirm the precision (gone blocks if the
    /// precision is above 1). Sizes with more such blocks than parameters do not count. 0 if there are none.
    std::int64_t copies = 0;
    Bytes copiesBytes = 0;
};

/// Finds the factors that explain most bytes of the rows with one block size in each run. The dimension may
/// have exponent 2, the precision 1. Exchanging the runs inverts both factors.
///
/// Several explanations may be within 2% of the best one. Preferred are those that settings or half-precision
/// copies of parameters confirm, then those with fewer factors, then those in which the precision changes
/// together with the dimension. Two factors require three different ratios, or two and other confirmation.
///
/// Requested sizes are exact; others may be rounded up to 512 B. The rows of `diff` should be stacks, most of
/// which have one size. O(rows × log rows), plus a bounded search.
SizeFactors findSizeFactors(
    const RunDiff& diff, const DiffContents& contents, const std::vector<SettingChange>& settings = {});

/// Returns the exponents that explain a change of size, both 0 for equal sizes; nullopt if the factors do not
/// explain it.
std::optional<SizePower> explainingPower(
    const SizeFactors& factors, Bytes before, Bytes after, Quantity quantity);

/// True if two counts of blocks differ by at most an eighth of the larger one, for example because one run
/// has one more layer.
bool countsAgree(std::int64_t count, std::int64_t other);

} // namespace highwater
