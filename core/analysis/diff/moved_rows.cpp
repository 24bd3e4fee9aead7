#include "core/analysis/diff/moved_rows.h"

#include <algorithm>

#include "core/base/interruption.h"

namespace highwater {

namespace {

constexpr std::uint32_t kNoRow = 0xffffffff;

/// Maps the class of each live stack of a side to its row. If a class occurs in several rows, the last one
/// counts.
void addRows(const DiffInput& input, const DiffSide& side, const StackClasses::Side& classes,
    std::vector<std::uint32_t>& rowOf)
{
    for (std::size_t i = 0; i < input.live.size(); ++i) {
        const StackId stack = input.allocations.stack(input.live[i]);
        if (stack.isNone())
            continue;
        const std::uint32_t stackClass = classes.stack[stack.index()];
        if (stackClass >= rowOf.size())
            rowOf.resize(stackClass + 1, kNoRow);
        rowOf[stackClass] = side.rowOf[i];
    }
}

/// Returns, by row, the most bytes of the row that were alive at one time. Rows for which `isExamined` is
/// false get 0.
std::vector<Bytes> highestBytes(const DiffInput& input, const StackClasses::Side& classes,
    const std::vector<std::uint32_t>& rowOf, const std::vector<bool>& isExamined)
{
    struct Change
    {
        std::int32_t event;
        std::uint32_t row;
        Bytes bytes;
    };
    std::vector<Change> changes;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < input.allocations.size(); ++i) {
        interruption.round();
        const StackId stack = input.allocations.stack(i);
        const std::uint32_t stackClass = stack.isNone() ? kNoRow : classes.stack[stack.index()];
        const std::uint32_t row = stackClass < rowOf.size() ? rowOf[stackClass] : kNoRow;
        if (row == kNoRow || !isExamined[row])
            continue;
        const Bytes bytes = input.allocations.bytes(i);
        changes.push_back({input.allocations.birth(i), row, bytes});
        if (input.allocations.death(i) != AllocationTable::kNeverFreed)
            changes.push_back({input.allocations.death(i), row, -bytes});
    }
    std::ranges::stable_sort(changes, {}, &Change::event);
    std::vector<Bytes> live(isExamined.size());
    std::vector<Bytes> highest(isExamined.size());
    for (const Change& change : changes) {
        live[change.row] += change.bytes;
        highest[change.row] = std::max(highest[change.row], live[change.row]);
    }
    return highest;
}

} // namespace

void markMovedRows(
    const DiffInput& before, const DiffInput& after, const StackClasses& classes, RunDiff& diff)
{
    std::vector<std::uint32_t> rowOf;
    addRows(before, diff.before, classes.before, rowOf);
    addRows(after, diff.after, classes.after, rowOf);
    std::vector<bool> hasRisen(diff.rows.size());
    std::vector<bool> hasFallen(diff.rows.size());
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        hasRisen[i] = diff.rows[i].delta() > 0;
        hasFallen[i] = diff.rows[i].delta() < 0;
    }
    const std::vector<Bytes> highestBefore = highestBytes(before, classes.before, rowOf, hasRisen);
    const std::vector<Bytes> highestAfter = highestBytes(after, classes.after, rowOf, hasFallen);
    for (std::size_t i = 0; i < diff.rows.size(); ++i)
        diff.rows[i].isMoved = (hasRisen[i] && highestBefore[i] >= diff.rows[i].after.bytes)
            || (hasFallen[i] && highestAfter[i] >= diff.rows[i].before.bytes);
}

} // namespace highwater
