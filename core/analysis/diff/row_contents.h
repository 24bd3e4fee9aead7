#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// Blocks of one size.
struct SizeCount
{
    Bytes each = 0;
    std::int64_t count = 0;
    Bytes bytes() const { return each * count; }
    auto operator<=>(const SizeCount&) const = default;
};

/// A frame of a stack outside of torch and the standard library, in the numbers of StackClasses.
struct CodePlace
{
    std::uint32_t place = 0; ///< function, file and line
    std::uint32_t function = 0; ///< function and file
    std::uint32_t package = 0; ///< the installed package it belongs to; 0: the user's own code
    bool operator==(const CodePlace&) const = default;
};

/// The contents of one row of a comparison.
struct RowContents
{
    std::vector<SizeCount> before; ///< by size, smallest first; Σ = the row's bytes before
    std::vector<SizeCount> after;
    /// The frames, outermost first, of the first allocation of the row: of the run after where it has
    /// one, else of the run before. Only where rows are stacks or call sites, and sizes differ.
    std::vector<CodePlace> code;
    bool areParameters = false; ///< all of its blocks, as far as categories are known
    /// All of its blocks are parameters in one run, and in the other they are not: a copy of a weight in the
    /// place of something else.
    bool mixesParameters = false;
};

/// The sizes behind the rows of a comparison.
struct DiffContents
{
    std::vector<RowContents> rows; ///< parallel to RunDiff::rows
    bool arePlaces = false; ///< rows are stacks or call sites
    /// The parameters of each run, smallest first. Empty where categories are not known.
    std::vector<SizeCount> parametersBefore;
    std::vector<SizeCount> parametersAfter;
};

/// The inputs, key and classes must be those from which `diff` was computed. O(live × log sizes of a row +
/// frames of a stack per row).
DiffContents contentsOf(const RunDiff& diff, const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes);

} // namespace highwater
