#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

/// How the bytes of a row differ between the runs.
enum class DiffStatus : std::uint8_t
{
    Same,
    Grew,
    Shrank,
    New, ///< absent in the run before
    Gone, ///< absent in the run after
};

/// Returns "same", "grew", "shrank", "new" or "gone".
std::string_view toText(DiffStatus status);

/// The reason why only one run has a row, if that is no difference between the runs.
enum class RowCut : std::uint8_t
{
    None,
    StartsLate, ///< allocated before the recording of the run that has the row, so by unknown code
    EndsEarly, ///< the recording of the other run ends before it comes to this code
};

/// The allocations of one run in a row.
struct DiffAmount
{
    Bytes bytes = 0;
    std::int64_t count = 0;
    /// The size of each allocation; −1 if sizes differ or there are no allocations.
    Bytes bytesOfEach = -1;
};

/// One group of allocations in both runs.
struct DiffRow
{
    /// The key in the run after if it has the row, else in the run before. Unique.
    std::string key;
    std::string beforeKey; ///< key in the run before if it differs from `key`; else empty
    DiffAmount before;
    DiffAmount after;
    /// True if the stacks agree only in the user's own code and differ elsewhere, in torch or in C++ frames.
    bool isLoose = false;
    /// True if the run with fewer bytes had as many as the other one at another moment, so that the row did
    /// not really grow or shrink (`markMovedRows`).
    bool isMoved = false;
    RowCut cut = RowCut::None; ///< set by `markCutRows`

    /// True if the row exists only because one of the recordings is cut off.
    bool isCut() const { return cut != RowCut::None; }
    Bytes delta() const { return after.bytes - before.bytes; }
    DiffStatus status() const;
    /// Returns the size of an allocation after, divided by the size of one before; nullopt if either run has
    /// several sizes or none.
    std::optional<double> sizeRatio() const;
};

/// The total of one run, and the row of each of its allocations.
struct DiffSide
{
    Bytes bytes = 0;
    std::int64_t count = 0;
    std::vector<std::uint32_t> rowOf; ///< parallel to DiffInput::live
};

/// The live memory of two runs, row by row. The rows add up exactly to the two totals, and exchanging the
/// runs negates every row.
struct RunDiff
{
    Quantity quantity = Quantity::Requested; ///< quantity of both
    /// Ordered by absolute difference, largest first; then by bytes and key. `markCutRows` moves the rows
    /// that are cut to the end.
    std::vector<DiffRow> rows;
    DiffSide before;
    DiffSide after;

    Bytes delta() const { return after.bytes - before.bytes; }
};

/// Compares two moments. Both tables must have the same quantity, and `classes` must belong to the same
/// traces.
/// - Stacks and sites that both runs have, line by line, are compared with themselves, so none of them is new
///   or gone.
/// - The other stacks and sites, and functions and files, are matched as the same places of the program
///   (`matchStacks`); groups of other keys are matched by their text.
/// - Stacks that are still unmatched are matched by the user's own frames only, those that share most frames
///   first.
///
/// O(live + stacks × log stacks), and O(n²) in unmatched stacks of one outline, up to 4,096 pairs.
RunDiff diffRuns(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes);

/// Returns the key of a row in one line. For a stack, this is the innermost line of the user's code. If there
/// is none, it is a line of a package that only wraps operators (einops), else the autograd node, else the
/// innermost frame.
std::string shortKey(const std::string& key);

/// Returns the file in a line of a key, "function (file:line)" or "function (file.py)"; empty if it is not a
/// Python frame.
std::string_view fileOfKeyLine(std::string_view line);

/// True for keys by which two runs can be compared.
bool isComparable(GroupKey key);

} // namespace highwater
