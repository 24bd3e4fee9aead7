#include "core/analysis/diff/matching/file_likeness.h"

#include <algorithm>

namespace highwater {

namespace {

/// Files that share fewer combinations of call chain and size are never versions of each other.
constexpr std::size_t kFewestCombinations = 3;
/// Least number of functions and call chains in common, added together, unless both files are scripts.
constexpr std::size_t kFewestNames = 4;

/// Returns part / whole; 0 if there is no whole.
double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Calls `use` with each pair of equal entries of two ascending lists.
template <typename Entry, typename Number, typename Use>
void forEachShared(const std::vector<Entry>& first, const std::vector<Entry>& second, Number number, Use use)
{
    for (auto a = first.begin(), b = second.begin(); a != first.end() && b != second.end();) {
        if (number(*a) == number(*b))
            use(*a++, *b++);
        else
            ++(number(*a) < number(*b) ? a : b);
    }
}

/// Returns the number of equal hashes in two ascending lists.
std::size_t sharedCount(const std::vector<std::uint64_t>& first, const std::vector<std::uint64_t>& second)
{
    std::size_t count = 0;
    forEachShared(
        first, second, [](std::uint64_t number) { return number; },
        [&count](std::uint64_t, std::uint64_t) { ++count; });
    return count;
}

} // namespace

FileLikeness compareFiles(const FileContents& first, const FileContents& second)
{
    using Counted = std::pair<std::uint64_t, std::int64_t>;
    FileLikeness likeness;
    likeness.sharedFunctions = sharedCount(first.functions, second.functions);
    likeness.mostFunctions = std::max(first.functions.size(), second.functions.size());
    likeness.sharedCalls = sharedCount(first.calls, second.calls);
    likeness.callShare = shareOf(static_cast<std::int64_t>(2 * likeness.sharedCalls),
        static_cast<std::int64_t>(first.calls.size() + second.calls.size()));
    likeness.areScripts = first.isScript && second.isScript;
    std::int64_t sharedAllocations = 0;
    forEachShared(
        first.allocations, second.allocations, [](const Counted& counted) { return counted.first; },
        [&](const Counted& a, const Counted& b) {
            sharedAllocations += a.second + b.second;
            ++likeness.sharedCombinations;
        });
    std::int64_t allCount = 0;
    for (const auto* file : {&first, &second})
        for (const Counted& counted : file->allocations)
            allCount += counted.second;
    likeness.allocationShare = shareOf(sharedAllocations, allCount);
    likeness.combinationShare = shareOf(static_cast<std::int64_t>(2 * likeness.sharedCombinations),
        static_cast<std::int64_t>(first.allocations.size() + second.allocations.size()));
    return likeness;
}

bool areVersions(const FileLikeness& likeness)
{
    const bool hasEnoughNames
        = likeness.areScripts || likeness.sharedFunctions + likeness.sharedCalls >= kFewestNames;
    if (likeness.sharedCombinations < kFewestCombinations || likeness.sharedFunctions == 0 || !hasEnoughNames)
        return false;
    if (likeness.allocationShare >= 0.6 && likeness.combinationShare >= 0.6)
        return true;
    return likeness.sharedFunctions == likeness.mostFunctions && likeness.callShare >= 0.9
        && likeness.allocationShare >= 0.5;
}

} // namespace highwater
