#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

enum class DiffStatus : std::uint8_t
{
    Same,
    Grew,
    Shrank,
    New, ///< nothing of it before
    Gone, ///< nothing of it after
};

/// "same", "grew", "shrank", "new", "gone".
std::string_view toText(DiffStatus status);

/// One run's share of a row.
struct DiffAmount
{
    Bytes bytes = 0;
    std::int64_t count = 0;
    /// Size of its allocations if they all have one size; −1: they differ, or there are none.
    Bytes eachBytes = -1;
};

/// One group of allocations in both runs.
struct DiffRow
{
    /// As in the run after, if it has the row; else as in the run before. Unique.
    std::string key;
    std::string beforeKey; ///< key in the run before if it differs; else empty
    DiffAmount before;
    DiffAmount after;
    /// The stacks agree in the user's code, but differ below it: in torch or in C++ frames.
    bool loose = false;
    /// The other run has had as much of it, at another moment: it did not grow or shrink (`markMovedRows`).
    bool moved = false;

    Bytes delta() const { return after.bytes - before.bytes; }
    DiffStatus status() const;
    /// Size of one allocation after divided by one before; none if either side has different sizes.
    std::optional<double> sizeRatio() const;
};

/// Which row each allocation of one run belongs to.
struct DiffSide
{
    Bytes bytes = 0;
    std::int64_t blocks = 0;
    std::vector<std::uint32_t> rowOf; ///< parallel to DiffInput::live
};

/// What was live in one run and in another, row by row. Σ of the rows are the two totals, exactly; exchanging
/// the runs negates every row.
struct RunDiff
{
    Quantity quantity = Quantity::Requested; ///< of both
    std::vector<DiffRow>
        rows; ///< by the size of their difference, largest first; then by their bytes and key
    DiffSide before;
    DiffSide after;

    Bytes delta() const { return after.bytes - before.bytes; }
};

/// The quantities of both tables must be equal. Stacks and sites that both runs have, line by line, are
/// compared with themselves: none of them is new or gone. The others are matched as the same places of the
/// program (`matchStacks`), as functions and files are; other keys by their text. Unmatched stacks are then
/// matched by the user's own frames only, those that agree in most frames first. `classes` must be of the
/// same traces. O(live + stacks × log stacks), and O(n²) in unmatched stacks of one outline, up to 4,096
/// pairs.
RunDiff diffRuns(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes);

/// A row's key in one line. For a stack: the innermost line outside of torch, the standard library and
/// packages that only wrap operators (einops), else of such a package, else the autograd node, else the
/// innermost frame.
std::string shortKey(const std::string& key);

/// The keys that two runs can be compared by.
bool isComparable(GroupKey key);

} // namespace highwater
