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
        const std::uint32_t number = classes.stack[stack.index()];
        if (number >= rowOf.size())
            rowOf.resize(number + 1, kNoRow);
        rowOf[number] = side.rowOf[i];
    }
}

/// Returns, by row, the most bytes of the row that were alive at one time. Rows that are not in `wanted` get
/// 0.
std::vector<Bytes> mostOf(const DiffInput& input, const StackClasses::Side& classes,
    const std::vector<std::uint32_t>& rowOf, const std::vector<bool>& wanted)
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
        const std::uint32_t number = stack.isNone() ? kNoRow : classes.stack[stack.index()];
        const std::uint32_t row = number < rowOf.size() ? rowOf[number] : kNoRow;
        if (row == kNoRow || !wanted[row])
            continue;
        const Bytes bytes = input.allocations.bytes(i);
        changes.push_back({input.allocations.birth(i), row, bytes});
        if (input.allocations.death(i) != AllocationTable::kNeverFreed)
            changes.push_back({input.allocations.death(i), row, -bytes});
    }
    std::ranges::stable_sort(changes, {}, &Change::event);
    std::vector<Bytes> live(wanted.size());
    std::vector<Bytes> most(wanted.size());
    for (const Change& change : changes) {
        live[change.row] += change.bytes;
        most[change.row] = std::max(most[change.row], live[change.row]);
    }
    return most;
}

} // namespace

void markMovedRows(
    const DiffInput& before, const DiffInput& after, const StackClasses& classes, RunDiff& diff)
{
    std::vector<std::uint32_t> rowOf;
    addRows(before, diff.before, classes.before, rowOf);
    addRows(after, diff.after, classes.after, rowOf);
    std::vector<bool> rose(diff.rows.size());
    std::vector<bool> fell(diff.rows.size());
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        rose[i] = diff.rows[i].delta() > 0;
        fell[i] = diff.rows[i].delta() < 0;
    }
    const std::vector<Bytes> mostBefore = mostOf(before, classes.before, rowOf, rose);
    const std::vector<Bytes> mostAfter = mostOf(after, classes.after, rowOf, fell);
    for (std::size_t i = 0; i < diff.rows.size(); ++i)
        diff.rows[i].moved = (rose[i] && mostBefore[i] >= diff.rows[i].after.bytes)
            || (fell[i] && mostAfter[i] >= diff.rows[i].before.bytes);
}

} // namespace highwater
