#include "core/analysis/diff/matching/file_likeness.h"

#include <algorithm>

namespace highwater {

namespace {

/// Files with fewer kinds of allocations in common are never versions of each other.
constexpr std::size_t kFewestKinds = 3;
/// Least number of functions and call chains in common, added together, unless both files are scripts.
constexpr std::size_t kFewestNames = 4;

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Calls `use` with each pair of equal entries of two ascending lists.
template <typename Entry, typename Number, typename Use>
void forEachShared(const std::vector<Entry>& one, const std::vector<Entry>& other, Number number, Use use)
{
    for (auto a = one.begin(), b = other.begin(); a != one.end() && b != other.end();) {
        if (number(*a) == number(*b))
            use(*a++, *b++);
        else
            ++(number(*a) < number(*b) ? a : b);
    }
}

std::size_t sharedCount(const std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other)
{
    std::size_t count = 0;
    forEachShared(
        one, other, [](std::uint64_t number) { return number; },
        [&count](std::uint64_t, std::uint64_t) { ++count; });
    return count;
}

} // namespace

FileLikeness likenessOf(const FileContents& one, const FileContents& other)
{
    using Counted = std::pair<std::uint64_t, std::int64_t>;
    FileLikeness likeness;
    likeness.functions = sharedCount(one.functions, other.functions);
    likeness.mostFunctions = std::max(one.functions.size(), other.functions.size());
    likeness.sharedCalls = sharedCount(one.calls, other.calls);
    likeness.calls = shareOf(static_cast<std::int64_t>(2 * likeness.sharedCalls),
        static_cast<std::int64_t>(one.calls.size() + other.calls.size()));
    likeness.areScripts = one.isScript && other.isScript;
    std::int64_t shared = 0;
    forEachShared(
        one.allocations, other.allocations, [](const Counted& counted) { return counted.first; },
        [&](const Counted& a, const Counted& b) {
            shared += a.second + b.second;
            ++likeness.sharedKinds;
        });
    std::int64_t all = 0;
    for (const auto* file : {&one, &other})
        for (const Counted& counted : file->allocations)
            all += counted.second;
    likeness.allocations = shareOf(shared, all);
    likeness.kinds = shareOf(static_cast<std::int64_t>(2 * likeness.sharedKinds),
        static_cast<std::int64_t>(one.allocations.size() + other.allocations.size()));
    return likeness;
}

bool areVersions(const FileLikeness& likeness)
{
    const bool isEnough = likeness.areScripts || likeness.functions + likeness.sharedCalls >= kFewestNames;
    if (likeness.sharedKinds < kFewestKinds || likeness.functions == 0 || !isEnough)
        return false;
    if (likeness.allocations >= 0.6 && likeness.kinds >= 0.6)
        return true;
    return likeness.functions == likeness.mostFunctions && likeness.calls >= 0.9
        && likeness.allocations >= 0.5;
}

} // namespace highwater
