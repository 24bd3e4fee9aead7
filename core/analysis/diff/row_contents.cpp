#include "core/analysis/diff/row_contents.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/analysis/diff/matching/code_paths.h"

namespace highwater {

namespace {

using CountOfSize = std::map<Bytes, std::int64_t>;

std::vector<SizeCount> sizeCountsOf(const CountOfSize& counts)
{
    std::vector<SizeCount> sizeCounts;
    for (const auto& [each, count] : counts)
        sizeCounts.push_back({each, count});
    return sizeCounts;
}

bool isPlaceKey(GroupKey key)
{
    return key == GroupKey::Stack || key == GroupKey::Site;
}

/// Gives packages the same numbers in both runs.
class PackageNumbers
{
public:
    std::uint32_t of(std::string_view file)
    {
        const std::string_view package = packageName(file);
        if (package.empty())
            return 0;
        return m_numbers.try_emplace(std::string(package), m_numbers.size() + 1).first->second;
    }

private:
    std::map<std::string, std::uint32_t> m_numbers;
};

/// Returns the user's frames of a stack, outermost first.
std::vector<CodePlace> userCode(
    const DiffInput& input, const StackClasses::Side& classes, StackId stack, PackageNumbers& packages)
{
    std::vector<CodePlace> code;
    if (!input.trace.stacks.hasFrames(stack))
        return code;
    for (const FrameId id : input.trace.stacks.frames(stack)) {
        const Frame& frame = input.trace.stacks.frame(id);
        const std::string_view file = input.trace.text(frame.file);
        if (frame.kind == FrameKind::Python && !isLibraryFile(file))
            code.push_back({classes.place[id.index()], classes.function[id.index()], packages.of(file)});
    }
    std::ranges::reverse(code);
    return code;
}

/// Sorts the list by size and merges entries of equal size.
void mergeEqualSizes(std::vector<SizeCount>& sizeCounts)
{
    std::ranges::sort(sizeCounts, {}, &SizeCount::each);
    std::size_t merged = 0;
    for (std::size_t i = 0; i < sizeCounts.size(); ++i)
        if (merged > 0 && sizeCounts[merged - 1].each == sizeCounts[i].each)
            sizeCounts[merged - 1].count += sizeCounts[i].count;
        else
            sizeCounts[merged++] = sizeCounts[i];
    sizeCounts.resize(merged);
}

/// Adds a block. Entries of equal size are merged before the list grows, since a row may have a million
/// blocks of few sizes.
void addBlock(std::vector<SizeCount>& sizeCounts, Bytes each)
{
    if (!sizeCounts.empty() && sizeCounts.back().each == each) {
        ++sizeCounts.back().count;
        return;
    }
    if (sizeCounts.size() == sizeCounts.capacity() && !sizeCounts.empty()) {
        mergeEqualSizes(sizeCounts);
        if (sizeCounts.size() > sizeCounts.capacity() / 2)
            sizeCounts.reserve(2 * sizeCounts.capacity());
    }
    sizeCounts.push_back({each, 1});
}

/// Adds the sizes of one run to its rows.
void addSizes(const DiffSide& side, const DiffInput& input, std::vector<SizeCount> RowContents::*sizes,
    std::vector<RowContents>& rows)
{
    for (std::size_t i = 0; i < input.live.size(); ++i)
        addBlock(rows[side.rowOf[i]].*sizes, input.allocations.bytes(input.live[i]));
    for (RowContents& row : rows)
        mergeEqualSizes(row.*sizes);
}

/// Adds the code of the first allocation to rows that have no code yet and whose sizes differ.
void addCode(const DiffSide& side, const DiffInput& input, const StackClasses::Side& classes,
    PackageNumbers& packages, std::vector<RowContents>& rows)
{
    std::vector<bool> seen(rows.size());
    for (std::size_t i = 0; i < input.live.size(); ++i) {
        const std::uint32_t row = side.rowOf[i];
        if (!seen[row] && rows[row].code.empty() && rows[row].before != rows[row].after)
            rows[row].code = userCode(input, classes, input.allocations.stack(input.live[i]), packages);
        seen[row] = true;
    }
}

/// Returns, by row, whether all blocks that the run has of it are parameters. True for rows without blocks in
/// this run; false for all rows if the run has no categories.
std::vector<bool> areParameters(const DiffSide& side, const DiffInput& input, std::size_t rowCount)
{
    std::vector<bool> areAll(rowCount, input.categories != nullptr);
    for (std::size_t i = 0; i < input.live.size(); ++i)
        if (areAll[side.rowOf[i]] && input.categories->of(input.live[i]) != Category::Parameter)
            areAll[side.rowOf[i]] = false;
    return areAll;
}

/// Sets `areParameters` and `areParametersInOneRun` of all rows.
void markParameters(
    const RunDiff& diff, const DiffInput& before, const DiffInput& after, std::vector<RowContents>& rows)
{
    const std::vector<bool> areParametersBefore = areParameters(diff.before, before, rows.size());
    const std::vector<bool> areParametersAfter = areParameters(diff.after, after, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].areParameters = areParametersBefore[i] && areParametersAfter[i];
        rows[i].areParametersInOneRun = areParametersBefore[i] != areParametersAfter[i] && before.categories
            && after.categories && !rows[i].before.empty() && !rows[i].after.empty();
    }
}

/// Returns the live parameters of a run by size; none if categories are unknown.
CountOfSize parametersOf(const DiffInput& input)
{
    CountOfSize counts;
    if (input.categories)
        for (const AllocationIndex i : input.live)
            if (input.categories->of(i) == Category::Parameter)
                ++counts[input.allocations.bytes(i)];
    return counts;
}

} // namespace

DiffContents collectContents(const RunDiff& diff, const DiffInput& before, const DiffInput& after,
    GroupKey key, const StackClasses& classes)
{
    DiffContents contents;
    contents.rows.resize(diff.rows.size());
    addSizes(diff.before, before, &RowContents::before, contents.rows);
    addSizes(diff.after, after, &RowContents::after, contents.rows);
    markParameters(diff, before, after, contents.rows);
    contents.rowsArePlaces = isPlaceKey(key);
    if (contents.rowsArePlaces) {
        PackageNumbers packages;
        addCode(diff.after, after, classes.after, packages, contents.rows);
        addCode(diff.before, before, classes.before, packages, contents.rows);
    }
    contents.parametersBefore = sizeCountsOf(parametersOf(before));
    contents.parametersAfter = sizeCountsOf(parametersOf(after));
    return contents;
}

} // namespace highwater
