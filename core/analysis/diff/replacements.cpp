#include "core/analysis/diff/replacements.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace highwater {

namespace {

/// Only this many of the largest one-sided sizes of each run are examined.
constexpr std::size_t kMaxSizes = 256;
/// Blocks of at most 1/kLeastDivisor of the larger total are not examined.
constexpr std::int64_t kLeastDivisor = 1000;
/// Each place may be at most this many calls deeper than the function that contains both.
constexpr std::ptrdiff_t kMaxCallsApart = 2;

/// Blocks of one size that are on one side only.
struct OneSidedBlocks
{
    std::uint32_t row = 0;
    SizeCount blocks;
};

struct ReplacementPair
{
    std::size_t gone = 0;
    std::size_t came = 0;
    int distance = 0;
    SizePower power;
};

using CodeIterator = std::vector<CodePlace>::const_iterator;

/// Returns the number of calls from the first place on. Calls into other packages at the end do not count: an
/// einsum counts as its caller.
std::ptrdiff_t callsFrom(CodeIterator first, CodeIterator end)
{
    while (end - first > 1 && (end - 1)->package != first->package && (end - 1)->package != 0)
        --end;
    return end - first;
}

class ReplacementFinder
{
public:
    ReplacementFinder(const RunDiff& diff, const DiffContents& contents, const SizeCauses& causes)
        : m_diff(diff)
        , m_contents(contents)
        , m_causes(causes)
    {
        for (const ParameterCopies& copies : causes.copies)
            if (copies.areLikely())
                m_copies.insert({copies.row, copies.blocks.each});
    }

    std::vector<Replacement> findAll()
    {
        findWholeRows();
        findParts();
        std::ranges::stable_sort(m_found, [](const Replacement& a, const Replacement& b) {
            return std::max(a.gone.bytes(), a.came.bytes()) > std::max(b.gone.bytes(), b.came.bytes());
        });
        return std::move(m_found);
    }

private:
    using Rows = std::vector<std::uint32_t>;

    /// Returns the sizes of a row that only this side has. Empty if the other side also has sizes of its own.
    std::vector<SizeCount> unpaired(
        std::uint32_t row, SizeCount SizePart::*side, SizeCount SizePart::*other) const
    {
        std::vector<SizeCount> sizes;
        for (const SizePart& part : m_causes.parts[row]) {
            if (part.isOnBothSides())
                continue;
            if ((part.*other).count > 0)
                return {};
            sizes.push_back(part.*side);
        }
        std::ranges::sort(sizes);
        return sizes;
    }

    /// Pairs a gone row and a new row that have exactly the same sizes, if no third row has them.
    void findWholeRows()
    {
        constexpr std::size_t fewest = 3;
        std::map<std::vector<SizeCount>, std::pair<Rows, Rows>> bySizes;
        for (std::uint32_t row = 0; row < m_diff.rows.size(); ++row) {
            if (auto gone = unpaired(row, &SizePart::before, &SizePart::after); gone.size() >= fewest)
                bySizes[std::move(gone)].first.push_back(row);
            if (auto came = unpaired(row, &SizePart::after, &SizePart::before); came.size() >= fewest)
                bySizes[std::move(came)].second.push_back(row);
        }
        for (const auto& [sizes, rows] : bySizes)
            if (rows.first.size() == 1 && rows.second.size() == 1)
                addWholeRow(rows.first.front(), rows.second.front(), sizes);
    }

    void addWholeRow(std::uint32_t gone, std::uint32_t came, const std::vector<SizeCount>& sizes)
    {
        m_wholeRows.insert(gone);
        m_wholeRows.insert(came);
        const SizeCount& largest = *std::ranges::max_element(sizes, {}, &SizeCount::bytes);
        const Bytes bytes = std::accumulate(sizes.begin(), sizes.end(), Bytes{0},
            [](Bytes sum, const SizeCount& size) { return sum + size.bytes(); });
        m_found.push_back({gone, came, largest, largest, {}, bytes});
    }

    /// Returns the examined blocks of one run, largest first.
    std::vector<OneSidedBlocks> oneSidedBlocks(SizeCount SizePart::*side) const
    {
        const Bytes smallest = std::max(m_diff.before.bytes, m_diff.after.bytes) / kLeastDivisor;
        std::vector<OneSidedBlocks> blocksList;
        for (std::uint32_t row = 0; row < m_causes.parts.size(); ++row)
            for (const SizePart& part : m_causes.parts[row])
                if (const SizeCount& blocks = part.*side; !part.isOnBothSides() && blocks.count > 0
                    && blocks.bytes() > smallest && !m_wholeRows.contains(row)
                    && !m_copies.contains({row, blocks.each}))
                    blocksList.push_back({row, blocks});
        std::ranges::stable_sort(blocksList, [](const OneSidedBlocks& a, const OneSidedBlocks& b) {
            return a.blocks.bytes() > b.blocks.bytes();
        });
        blocksList.resize(std::min(blocksList.size(), kMaxSizes));
        return blocksList;
    }

    /// Returns the pairs whose counts agree, whose sizes the factors explain and whose code is near.
    std::vector<ReplacementPair> candidatesOf(
        const std::vector<OneSidedBlocks>& gone, const std::vector<OneSidedBlocks>& came) const
    {
        std::vector<ReplacementPair> candidates;
        for (std::size_t i = 0; i < gone.size(); ++i)
            for (std::size_t j = 0; j < came.size(); ++j) {
                if (gone[i].row == came[j].row || !countsAgree(gone[i].blocks.count, came[j].blocks.count))
                    continue;
                const auto power = explainingPower(
                    m_causes.factors, gone[i].blocks.each, came[j].blocks.each, m_diff.quantity);
                const auto distance
                    = codeDistance(m_contents.rows[gone[i].row].code, m_contents.rows[came[j].row].code);
                if (power && distance)
                    candidates.push_back({i, j, *distance, *power});
            }
        return candidates;
    }

    /// True if no other candidate with one of these blocks is as near.
    static bool isUniqueNearest(const ReplacementPair& candidate, const std::vector<ReplacementPair>& all)
    {
        return std::ranges::none_of(all, [&](const ReplacementPair& other) {
            const bool sharesBlocks = other.gone == candidate.gone || other.came == candidate.came;
            return &other != &candidate && sharesBlocks && other.distance <= candidate.distance;
        });
    }

    void findParts()
    {
        const std::vector<OneSidedBlocks> gone = oneSidedBlocks(&SizePart::before);
        const std::vector<OneSidedBlocks> came = oneSidedBlocks(&SizePart::after);
        const std::vector<ReplacementPair> candidates = candidatesOf(gone, came);
        for (const ReplacementPair& candidate : candidates)
            if (isUniqueNearest(candidate, candidates)) {
                const OneSidedBlocks& earlier = gone[candidate.gone];
                const OneSidedBlocks& later = came[candidate.came];
                m_found.push_back({earlier.row, later.row, earlier.blocks, later.blocks, candidate.power, 0});
            }
    }

    const RunDiff& m_diff;
    const DiffContents& m_contents;
    const SizeCauses& m_causes;
    std::set<std::pair<std::uint32_t, Bytes>> m_copies;
    std::set<std::uint32_t> m_wholeRows;
    std::vector<Replacement> m_found;
};

} // namespace

std::optional<int> codeDistance(
    const std::vector<CodePlace>& firstCode, const std::vector<CodePlace>& secondCode)
{
    const auto [firstDifference, secondDifference]
        = std::mismatch(firstCode.begin(), firstCode.end(), secondCode.begin(), secondCode.end());
    const std::ptrdiff_t firstDepth = callsFrom(firstDifference, firstCode.end());
    const std::ptrdiff_t secondDepth = callsFrom(secondDifference, secondCode.end());
    // Either one place calls the other, or they differ only in calls of a library below the same code.
    if (firstDepth == 0 || secondDepth == 0)
        return firstDifference != firstCode.begin() && firstDepth + secondDepth <= 1
            ? std::optional(int(firstDepth + secondDepth))
            : std::nullopt;
    if (firstDifference->function != secondDifference->function || firstDepth > kMaxCallsApart
        || secondDepth > kMaxCallsApart)
        return std::nullopt;
    return static_cast<int>(firstDepth + secondDepth);
}

std::vector<Replacement> findReplacements(
    const RunDiff& diff, const DiffContents& contents, const SizeCauses& causes)
{
    return ReplacementFinder(diff, contents, causes).findAll();
}

} // namespace highwater
