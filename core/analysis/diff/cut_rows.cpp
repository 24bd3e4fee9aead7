#include "core/analysis/diff/cut_rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/interruption.h"
#include "core/base/text_format.h"

// Finds rows that only seem to be causes. Input: the rows of two recordings. Idea: a row of one run says
// something about the program only if the other recording could have shown it. Example: the history buffer of
// the later run overflowed, and 8 of its blocks are known by the event that freed them alone. Their row
// "freed by …" is new, and what allocated them seems to have shrunk: StartsLate. Another example: the earlier
// recording ends in step 2, and the later one evaluates in step 5: EndsEarly.

namespace highwater {

namespace {

constexpr std::uint32_t kNoStackClass = 0xffffffff;

std::uint32_t stackClassOf(
    const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation)
{
    const StackId stack = input.allocations.stack(allocation);
    return stack.isNone() ? kNoStackClass : classes.stack[stack.index()];
}

/// True if the recording shows what allocated the block: it has the event, or the stack of the allocation.
bool hasKnownOrigin(const DiffInput& input, AllocationIndex allocation)
{
    const AllocationTable& table = input.allocations;
    return table.birth(allocation) != AllocationTable::kBeforeTrace
        || (table.stackOrigin(allocation) != StackOrigin::Free
            && input.trace.stacks.hasFrames(table.stack(allocation)));
}

/// Returns, by row, whether no allocation of the side is known by what allocated it.
std::vector<bool> rowsOfUnknownOrigin(const DiffInput& input, const DiffSide& side, std::size_t rowCount)
{
    std::vector<bool> isUnknown(rowCount, true);
    for (std::size_t i = 0; i < input.live.size(); ++i)
        if (hasKnownOrigin(input, input.live[i]))
            isUnknown[side.rowOf[i]] = false;
    return isUnknown;
}

/// Returns, by stack class, the first event at which the run allocates there; SharedEnds::kNone if it never
/// does.
std::vector<std::int64_t> firstBirths(const DiffInput& input, const StackClasses::Side& classes)
{
    std::vector<std::int64_t> births;
    InterruptionCounter interruption;
    for (AllocationIndex i = 0; i < input.allocations.size(); ++i) {
        interruption.round();
        const std::uint32_t stackClass = stackClassOf(input, classes, i);
        if (stackClass == kNoStackClass)
            continue;
        if (stackClass >= births.size())
            births.resize(stackClass + 1, SharedEnds::kNone);
        births[stackClass] = std::min<std::int64_t>(births[stackClass], input.allocations.birth(i));
    }
    return births;
}

/// Returns, by row, whether its code runs only after `end`, where the other recording has ended.
std::vector<bool> rowsAfterTheEnd(const DiffInput& input, const DiffSide& side,
    const StackClasses::Side& classes, std::int64_t end, const std::vector<std::int64_t>& otherBirths,
    std::size_t rowCount)
{
    std::vector<bool> isAfter(rowCount, end != SharedEnds::kNone);
    if (end == SharedEnds::kNone)
        return isAfter;
    const std::vector<std::int64_t> births = firstBirths(input, classes);
    for (std::size_t i = 0; i < input.live.size(); ++i) {
        const std::uint32_t stackClass = stackClassOf(input, classes, input.live[i]);
        const bool isShared = stackClass == kNoStackClass || births[stackClass] < end
            || (stackClass < otherBirths.size() && otherBirths[stackClass] != SharedEnds::kNone);
        if (isShared)
            isAfter[side.rowOf[i]] = false;
    }
    return isAfter;
}

void moveCutRowsLast(RunDiff& diff)
{
    std::vector<std::uint32_t> placeOf(diff.rows.size());
    std::vector<DiffRow> ordered;
    ordered.reserve(diff.rows.size());
    for (const bool isCut : {false, true})
        for (std::size_t i = 0; i < diff.rows.size(); ++i) {
            if (diff.rows[i].isCut() != isCut)
                continue;
            placeOf[i] = static_cast<std::uint32_t>(ordered.size());
            ordered.push_back(std::move(diff.rows[i]));
        }
    diff.rows = std::move(ordered);
    for (DiffSide* side : {&diff.before, &diff.after})
        for (std::uint32_t& row : side->rowOf)
            row = placeOf[row];
}

bool canBeCut(GroupKey key)
{
    return key == GroupKey::Stack || key == GroupKey::Site || key == GroupKey::Function
        || key == GroupKey::File;
}

bool isOneSided(const DiffRow& row)
{
    return (row.before.count == 0) != (row.after.count == 0);
}

std::string reasonText(RowCut cut, bool isNew)
{
    if (cut == RowCut::StartsLate)
        return fmt::format("the {} recording starts late, so the code that allocated these bytes is unknown",
            isNew ? "later" : "earlier");
    return fmt::format("the {} recording ends before this code runs", isNew ? "earlier" : "later");
}

} // namespace

SharedEnds sharedEnds(const StepTable& before, const StepTable& after, const AlignedSteps& aligned)
{
    SharedEnds ends;
    for (const StepPair& pair : aligned.pairs) {
        if (pair.before && pair.after)
            ends = {before.steps[*pair.before].end, after.steps[*pair.after].end};
    }
    if (before.steps.empty() || ends.before >= before.steps.back().end)
        ends.before = SharedEnds::kNone;
    if (after.steps.empty() || ends.after >= after.steps.back().end)
        ends.after = SharedEnds::kNone;
    return ends;
}

void markCutRows(const DiffInput& before, const DiffInput& after, GroupKey key, const StackClasses& classes,
    const SharedEnds& ends, RunDiff& diff)
{
    const bool isOneRun
        = &before.trace == &after.trace && before.allocations.device() == after.allocations.device();
    if (isOneRun || !canBeCut(key) || std::ranges::none_of(diff.rows, isOneSided))
        return;
    const std::size_t count = diff.rows.size();
    const std::vector<bool> unknownBefore = rowsOfUnknownOrigin(before, diff.before, count);
    const std::vector<bool> unknownAfter = rowsOfUnknownOrigin(after, diff.after, count);
    const auto birthsUnless = [](bool isUnused, const DiffInput& input, const StackClasses::Side& side) {
        return isUnused ? std::vector<std::int64_t>() : firstBirths(input, side);
    };
    const std::vector<bool> lateBefore = rowsAfterTheEnd(before, diff.before, classes.before, ends.before,
        birthsUnless(ends.before == SharedEnds::kNone, after, classes.after), count);
    const std::vector<bool> lateAfter = rowsAfterTheEnd(after, diff.after, classes.after, ends.after,
        birthsUnless(ends.after == SharedEnds::kNone, before, classes.before), count);
    bool hasCut = false;
    for (std::size_t i = 0; i < count; ++i) {
        DiffRow& row = diff.rows[i];
        if (!isOneSided(row) || row.isMoved)
            continue;
        const bool isNew = row.before.count == 0;
        row.cut = (isNew ? unknownAfter : unknownBefore)[i] ? RowCut::StartsLate
            : (isNew ? lateAfter : lateBefore)[i]           ? RowCut::EndsEarly
                                                            : RowCut::None;
        hasCut = hasCut || row.isCut();
    }
    if (hasCut)
        moveCutRowsLast(diff);
}

std::vector<std::string> cutSentences(const RunDiff& diff)
{
    std::vector<std::string> sentences;
    for (const RowCut cut : {RowCut::StartsLate, RowCut::EndsEarly})
        for (const bool isNew : {true, false}) {
            Bytes bytes = 0;
            for (const DiffRow& row : diff.rows)
                if (row.cut == cut && (row.before.count == 0) == isNew)
                    bytes += row.delta();
            if (bytes != 0)
                sentences.push_back(fmt::format(
                    "{} cannot be compared: {}", formatBytesDelta(bytes), reasonText(cut, isNew)));
        }
    return sentences;
}

} // namespace highwater
