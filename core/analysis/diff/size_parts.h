#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/diff/row_contents.h"
#include "core/analysis/diff/size_factors.h"

namespace highwater {

/// Blocks of a row that belong together: one size before and one size after. If they are in one run only, the
/// count of the other side is 0.
struct SizePart
{
    SizeCount before;
    SizeCount after;
    std::optional<SizePower> power; ///< nullopt if on one side only, or not explained by the factors

    bool isOnBothSides() const { return before.count > 0 && after.count > 0; }
};

/// A hint: blocks that are gone, and new ones from other code that probably replaced them. Hints never change
/// a sum.
struct Replacement
{
    std::uint32_t goneRow = 0;
    std::uint32_t newRow = 0;
    SizeCount gone; ///< if a whole row was replaced, only its largest size
    SizeCount came;
    SizePower power;
    /// Bytes of all sizes of one run only, if those of the new row are the same; 0 if only these blocks were
    /// replaced
    Bytes wholeBytes = 0;

    bool isWhole() const { return wholeBytes > 0; }
};

/// A hint: new blocks of a row with half the size of parameters (gone blocks if `isNew` is false).
struct ParameterCopies
{
    std::uint32_t row = 0;
    SizeCount blocks;
    SizeCount parameters; ///< the parameters of twice the size in the same run
    std::int64_t sameSize = 0; ///< number of unpaired blocks of this size in this run, over all rows
    bool isNew = true;

    /// True if there are at most as many blocks of this size as parameters; otherwise some belong to other
    /// tensors.
    bool areLikely() const { return sameSize <= parameters.count; }
};

/// An extra copy of the model: parameters from one place that only one run has, with exactly the sizes of all
/// parameters of the other run. The run also has these parameters elsewhere.
struct ExtraModelCopy
{
    std::vector<std::uint32_t> rows; ///< the rows with the same user code
    std::int64_t count = 0;
    Bytes bytes = 0;
    bool isGone = true; ///< true if in the run before, false if in the run after
};

/// The block sizes of each row, paired and explained by the factors, and the hints.
struct SizeCauses
{
    SizeFactors factors;
    Quantity quantity = Quantity::Requested;
    bool rowsArePlaces = false; ///< true if rows are stacks or call sites, whose parts belong together
    /// The parts of each row, largest first. Every block of the row is in exactly one part.
    std::vector<std::vector<SizePart>> parts;
    std::vector<Replacement> replacements; ///< largest first; a row may occur in several
    std::vector<ParameterCopies> copies; ///< largest first
    std::vector<ExtraModelCopy> modelCopies; ///< in order of their first rows
};

} // namespace highwater
