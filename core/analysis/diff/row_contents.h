#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// Blocks of one size.
struct SizeCount
{
    Bytes each = 0; ///< size of one block
    std::int64_t count = 0;
    Bytes bytes() const { return each * count; }
    auto operator<=>(const SizeCount&) const = default;
};

/// A Python frame outside torch and the standard library, identified by the numbers of StackClasses.
struct CodePlace
{
    std::uint32_t place = 0; ///< function, file and line
    std::uint32_t function = 0; ///< function and file
    std::uint32_t package = 0; ///< the installed package that it belongs to; 0 for the user's own code
    bool operator==(const CodePlace&) const = default;
};

/// The contents of one row of a comparison.
struct RowContents
{
    std::vector<SizeCount> before; ///< by size, smallest first; their sum is the row's bytes before
    std::vector<SizeCount> after;
    /// The code of the row's first allocation, outermost first: in the run after if that has any, else in the
    /// run before. Empty if rows are neither stacks nor call sites, or if the sizes are the same in both
    /// runs.
    std::vector<CodePlace> code;
    bool areParameters = false; ///< true if all of its blocks are parameters, in every run that has it
    /// True if both runs have the row, and all of its blocks are parameters in one run only: a copy of a
    /// weight replaced another tensor, or the reverse.
    bool areParametersInOneRun = false;
};

/// The block sizes in the rows of a comparison.
struct DiffContents
{
    std::vector<RowContents> rows; ///< parallel to RunDiff::rows
    bool rowsArePlaces = false; ///< true if rows are stacks or call sites
    /// The parameters of each run, smallest first. Empty if categories are unknown.
    std::vector<SizeCount> parametersBefore;
    std::vector<SizeCount> parametersAfter;
};

/// Collects the contents of the rows. The inputs, key and classes must be those from which `diff` was
/// computed. O(live × log sizes of a row + frames of a stack per row).
DiffContents collectContents(const RunDiff& diff, const DiffInput& before, const DiffInput& after,
    GroupKey key, const StackClasses& classes);

} // namespace highwater
