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

/// What one run holds of a row.
struct DiffAmount
{
    Bytes bytes = 0;
    std::int64_t count = 0;
    /// Size of its allocations where all are of one size; −1: they differ, or there are none.
    Bytes eachBytes = -1;
};

/// One group of allocations in both runs.
struct DiffRow
{
    /// As in the run after, where it is there; else as in the run before. No two rows have the same.
    std::string key;
    std::string beforeKey; ///< where it reads differently in the run before; else empty
    DiffAmount before;
    DiffAmount after;
    /// The stacks are of the same user code, but differ below it: in torch, in C++ frames.
    bool loose = false;

    Bytes delta() const { return after.bytes - before.bytes; }
    DiffStatus status() const;
    /// Size of one allocation after, of one before; none where either side holds different sizes.
    std::optional<double> sizeRatio() const;
};

/// Which row each allocation of one run belongs to.
struct DiffSide
{
    Bytes bytes = 0;
    std::int64_t blocks = 0;
    std::vector<std::uint32_t> rowOf; ///< parallel to DiffInput::live
};

/// What was live in one run and in another, row by row. Σ of the rows are the two totals, exactly; with the
/// runs exchanged every row is negated.
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
/// program (`matchStacks`), as functions and files are; other keys by their text. Stacks that have no equal
/// are then matched by the user's own frames alone, those first that agree in most frames. `classes` are of
/// the same traces. O(live + stacks × log stacks), and O(n²) in stacks of one outline that have no equal, up
/// to 4,096 pairs.
RunDiff diffRuns(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes);

/// A row's key in one line: of a stack the innermost line outside of torch, the standard library and packages
/// that only spell operators (einops), else of such a package, else the autograd node, else the innermost.
std::string shortKey(const std::string& key);

/// The keys that two runs can be compared by.
bool isComparable(GroupKey key);

} // namespace highwater
