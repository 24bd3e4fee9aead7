#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/diff/row_contents.h"
#include "core/analysis/diff/size_factors.h"

namespace highwater {

/// Blocks of a row that belong together: one size before and one size after. Blocks on one side only have a
/// count of 0 on the other.
struct SizePart
{
    SizeCount before;
    SizeCount after;
    std::optional<SizePower> power; ///< none: on one side only, or not explained by the factors

    bool isOnBothSides() const { return before.count > 0 && after.count > 0; }
};

/// A hint: blocks that are gone, and new ones of other code that probably replaced them. Never changes a sum.
struct Replacement
{
    std::uint32_t goneRow = 0;
    std::uint32_t newRow = 0;
    SizeCount gone; ///< for a whole row: its largest size
    SizeCount came;
    SizePower power;
    Bytes wholeBytes = 0; ///< bytes of a whole row whose several sizes all match; 0: only these blocks

    bool isWhole() const { return wholeBytes > 0; }
};

/// A hint: new blocks of a row with half the size of parameters (in the run before: gone blocks).
struct ParameterCopies
{
    std::uint32_t row = 0;
    SizeCount blocks;
    SizeCount parameters; ///< of twice the size, of the same run
    std::int64_t sameSize = 0; ///< blocks of this size in all rows that are new
    bool isNew = true;

    /// There are not more of them than parameters; otherwise some belong to other tensors.
    bool areLikely() const { return sameSize <= parameters.count; }
};

/// Parameters of one place, of one run alone, that are exactly the sizes of all parameters of the other run,
/// and besides which the run has these parameters, too: an extra copy of the model.
struct ExtraModelCopy
{
    std::vector<std::uint32_t> rows; ///< one, or the stacks of one call site
    std::int64_t blocks = 0;
    Bytes bytes = 0;
    bool isGone = true; ///< false: of the run after
};

/// What the factors explain in each row.
struct SizeCauses
{
    SizeFactors factors;
    Quantity quantity = Quantity::Requested;
    bool arePlaces = false; ///< rows are stacks or call sites, whose parts belong together
    /// By row: every block of the row is in exactly one part. Largest parts first.
    std::vector<std::vector<SizePart>> parts;
    std::vector<Replacement> replacements; ///< largest first; a row may occur in several
    std::vector<ParameterCopies> copies; ///< largest first
    std::vector<ExtraModelCopy> modelCopies; ///< in order of their first rows
};

} // namespace highwater
