#include "core/analysis/diff/row_contents.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/analysis/diff/matching/code_paths.h"

namespace highwater {

namespace {

using CountOfSize = std::map<Bytes, std::int64_t>;

std::vector<SizeCount> listOf(const CountOfSize& counts)
{
    std::vector<SizeCount> list;
    for (const auto& [each, count] : counts)
        list.push_back({each, count});
    return list;
}

bool isPlace(GroupKey key)
{
    return key == GroupKey::Stack || key == GroupKey::Site;
}

/// Gives packages the same numbers in both runs.
class PackageNumbers
{
public:
    std::uint32_t of(std::string_view file)
    {
        const std::string_view package = packageOf(file);
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
void join(std::vector<SizeCount>& list)
{
    std::ranges::sort(list, {}, &SizeCount::each);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (kept > 0 && list[kept - 1].each == list[i].each)
            list[kept - 1].count += list[i].count;
        else
            list[kept++] = list[i];
    list.resize(kept);
}

/// Adds a block. Entries of equal size are merged before the list grows, since a row may have a million
/// blocks of few sizes.
void add(std::vector<SizeCount>& list, Bytes each)
{
    if (!list.empty() && list.back().each == each) {
        ++list.back().count;
        return;
    }
    if (list.size() == list.capacity() && !list.empty()) {
        join(list);
        if (list.size() > list.capacity() / 2)
            list.reserve(2 * list.capacity());
    }
    list.push_back({each, 1});
}

/// Adds the sizes of one run to its rows.
void addSizes(const DiffSide& side, const DiffInput& input, std::vector<SizeCount> RowContents::*sizes,
    std::vector<RowContents>& rows)
{
    for (std::size_t i = 0; i < input.live.size(); ++i)
        add(rows[side.rowOf[i]].*sizes, input.allocations.bytes(input.live[i]));
    for (RowContents& row : rows)
        join(row.*sizes);
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
std::vector<bool> areParameters(const DiffSide& side, const DiffInput& input, std::size_t rows)
{
    std::vector<bool> all(rows, input.categories != nullptr);
    for (std::size_t i = 0; i < input.live.size(); ++i)
        if (all[side.rowOf[i]] && input.categories->of(input.live[i]) != Category::Parameter)
            all[side.rowOf[i]] = false;
    return all;
}

void markParameters(
    const RunDiff& diff, const DiffInput& before, const DiffInput& after, std::vector<RowContents>& rows)
{
    const std::vector<bool> left = areParameters(diff.before, before, rows.size());
    const std::vector<bool> right = areParameters(diff.after, after, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].areParameters = left[i] && right[i];
        rows[i].mixesParameters = left[i] != right[i] && before.categories && after.categories
            && !rows[i].before.empty() && !rows[i].after.empty();
    }
}

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

DiffContents contentsOf(const RunDiff& diff, const DiffInput& before, const DiffInput& after, GroupKey key,
    const StackClasses& classes)
{
    DiffContents contents;
    contents.rows.resize(diff.rows.size());
    addSizes(diff.before, before, &RowContents::before, contents.rows);
    addSizes(diff.after, after, &RowContents::after, contents.rows);
    markParameters(diff, before, after, contents.rows);
    contents.arePlaces = isPlace(key);
    if (contents.arePlaces) {
        PackageNumbers packages;
        addCode(diff.after, after, classes.after, packages, contents.rows);
        addCode(diff.before, before, classes.before, packages, contents.rows);
    }
    contents.parametersBefore = listOf(parametersOf(before));
    contents.parametersAfter = listOf(parametersOf(after));
    return contents;
}

} // namespace highwater
