#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/diff/row_contents.h"
#include "core/analysis/diff/size_factors.h"

namespace highwater {

/// Blocks of a row that belong together: of one size before, of one size after. Blocks that are on one side
/// only have a count of 0 on the other.
struct SizePart
{
    SizeCount before;
    SizeCount after;
    std::optional<SizePower> power; ///< none: on one side only, or not explained by the factors

    bool isOnBothSides() const { return before.count > 0 && after.count > 0; }
};

/// A hint: blocks that are gone, and new ones of other code that probably stand in place of them. It never
/// changes a sum.
struct Replacement
{
    std::uint32_t goneRow = 0;
    std::uint32_t newRow = 0;
    SizeCount gone; ///< where the whole row is meant: of its largest size
    SizeCount came;
    SizePower power;
    Bytes wholeBytes = 0; ///< of a whole row, whose several sizes are all the same; 0: these blocks alone

    bool isWhole() const { return wholeBytes > 0; }
};

/// A hint: new blocks of a row that have half the size of parameters (of a run before: gone blocks).
struct ParameterCopies
{
    std::uint32_t row = 0;
    SizeCount blocks;
    SizeCount parameters; ///< of twice the size, of the same run
    std::int64_t sameSize = 0; ///< blocks of all rows that are new and have this size
    bool isNew = true;

    /// There are not more of them than parameters; else some are of other tensors.
    bool areLikely() const { return sameSize <= parameters.count; }
};

/// What the factors say of each row.
struct SizeCauses
{
    SizeFactors factors;
    Quantity quantity = Quantity::Requested;
    bool arePlaces = false; ///< rows are stacks or call sites, whose parts belong together
    /// By row: every block of the row is in exactly one part. Largest parts first.
    std::vector<std::vector<SizePart>> parts;
    std::vector<Replacement> replacements; ///< largest first; a row may stand in several
    std::vector<ParameterCopies> copies; ///< largest first
    /// Rows of parameters on one side only that hold exactly the sizes of all parameters of the other run:
    /// one copy of the model too many. In order of rows.
    std::vector<std::uint32_t> modelCopies;
};

} // namespace highwater
