#include "core/analysis/diff/size_causes.h"

#include <algorithm>
#include <map>

#include "core/analysis/diff/replacements.h"

namespace highwater {

namespace {

/// Pairs the sizes of one row.
class PartFinder
{
public:
    PartFinder(const RowContents& row, const SizeFactors& factors, Quantity quantity)
        : m_factors(factors)
        , m_quantity(quantity)
        , m_before(row.before)
        , m_after(row.after)
        , m_mixesParameters(row.areParametersInOneRun)
    {
    }

    std::vector<SizePart> findParts()
    {
        if (!m_mixesParameters && m_before.size() == 1 && m_after.size() == 1
            && countsAgree(m_before[0].count, m_after[0].count))
            joinSizes(0, 0);
        joinEqual(true);
        if (!m_mixesParameters)
            joinExplained();
        joinEqual(false);
        for (const SizeCount& size : m_before)
            if (size.count > 0)
                m_parts.push_back({size, {}, {}});
        for (const SizeCount& size : m_after)
            if (size.count > 0)
                m_parts.push_back({{}, size, {}});
        std::ranges::stable_sort(m_parts, [](const SizePart& a, const SizePart& b) {
            return std::max(a.before.bytes(), a.after.bytes()) > std::max(b.before.bytes(), b.after.bytes());
        });
        return std::move(m_parts);
    }

private:
    /// Makes a part of a size of each run, given by position. A count of 0 then shows that the size is
    /// joined.
    void joinSizes(std::size_t before, std::size_t after)
    {
        SizeCount& sizeBefore = m_before[before];
        SizeCount& sizeAfter = m_after[after];
        m_parts.push_back(
            {sizeBefore, sizeAfter, explainingPower(m_factors, sizeBefore.each, sizeAfter.each, m_quantity)});
        sizeBefore.count = 0;
        sizeAfter.count = 0;
    }

    /// Joins equal sizes that are not joined yet.
    void joinEqual(bool countsMustAgree)
    {
        for (std::size_t i = 0; i < m_before.size(); ++i) {
            const auto equalSize = std::ranges::lower_bound(m_after, m_before[i].each, {}, &SizeCount::each);
            if (equalSize == m_after.end() || equalSize->each != m_before[i].each || equalSize->count == 0
                || m_before[i].count == 0
                || (countsMustAgree && !countsAgree(m_before[i].count, equalSize->count)))
                continue;
            joinSizes(i, static_cast<std::size_t>(equalSize - m_after.begin()));
        }
    }

    /// Joins the sizes that the factors explain, largest first. Only the 64 largest sizes of each side are
    /// tried, since no reader follows more.
    void joinExplained()
    {
        constexpr std::size_t most = 64;
        for (std::size_t i = m_before.size(); i-- > m_before.size() - std::min(most, m_before.size());)
            for (std::size_t j = m_after.size(); j-- > m_after.size() - std::min(most, m_after.size());)
                if (m_before[i].count > 0 && m_after[j].count > 0
                    && countsAgree(m_before[i].count, m_after[j].count)
                    && explainingPower(m_factors, m_before[i].each, m_after[j].each, m_quantity))
                    joinSizes(i, j);
    }

    const SizeFactors& m_factors;
    Quantity m_quantity;
    std::vector<SizeCount> m_before;
    std::vector<SizeCount> m_after;
    bool m_mixesParameters;
    std::vector<SizePart> m_parts;
};

using Totals = std::map<Bytes, std::int64_t>;

/// Returns the number of blocks that are on one side only, by size.
Totals totalsOf(const std::vector<std::vector<SizePart>>& rows, SizeCount SizePart::*side)
{
    Totals totals;
    for (const std::vector<SizePart>& parts : rows)
        for (const SizePart& part : parts)
            if (!part.isOnBothSides() && (part.*side).count > 0)
                totals[(part.*side).each] += (part.*side).count;
    return totals;
}

/// Finds blocks with half the size of parameters that only one run has: the run after if `areNew`, because
/// elements became smaller; else the run before.
std::vector<ParameterCopies> findCopies(
    const SizeCauses& causes, const std::vector<SizeCount>& parameters, bool areNew)
{
    const auto side = areNew ? &SizePart::after : &SizePart::before;
    const Totals totals = totalsOf(causes.parts, side);
    std::vector<ParameterCopies> copies;
    for (std::uint32_t row = 0; row < causes.parts.size(); ++row)
        for (const SizePart& part : causes.parts[row]) {
            const SizeCount& blocks = part.*side;
            const auto found = std::lower_bound(parameters.begin(), parameters.end(), blocks.each,
                [](const SizeCount& size, Bytes each) { return size.each / 2 < each; });
            if (part.isOnBothSides() || blocks.count == 0 || found == parameters.end() || found->each % 2 != 0
                || found->each / 2 != blocks.each)
                continue;
            copies.push_back({row, blocks, *found, totals.at(blocks.each), areNew});
        }
    std::ranges::stable_sort(copies, [](const ParameterCopies& a, const ParameterCopies& b) {
        return a.blocks.bytes() > b.blocks.bytes();
    });
    return copies;
}

/// Adds two lists of counts. Both must be ordered by size, and so is the result.
std::vector<SizeCount> sumOf(const std::vector<SizeCount>& left, const std::vector<SizeCount>& right)
{
    std::vector<SizeCount> sum;
    for (auto a = left.begin(), b = right.begin(); a != left.end() || b != right.end();) {
        const bool isFromLeft = b == right.end() || (a != left.end() && a->each <= b->each);
        const SizeCount next = isFromLeft ? *a++ : *b++;
        if (!sum.empty() && sum.back().each == next.each)
            sum.back().count += next.count;
        else
            sum.push_back(next);
    }
    return sum;
}

/// True if `sizes` contains everything in `needed`. Both are ordered by size.
bool containsAll(const std::vector<SizeCount>& sizes, const std::vector<SizeCount>& needed)
{
    return std::ranges::all_of(needed, [&](const SizeCount& neededSize) {
        const auto found = std::ranges::lower_bound(sizes, neededSize.each, {}, &SizeCount::each);
        return found != sizes.end() && found->each == neededSize.each && found->count >= neededSize.count;
    });
}

/// Finds extra copies of the model among rows of parameters that only one run has. Rows are combined by code,
/// since several stacks may make one model: they differ only in frames of torch or the standard library.
///
/// A run has n extra copies if it has the parameters of the other run n + 1 times. If more candidates fit
/// than that, those with the highest place numbers are reported; the remaining one counts as the model.
std::vector<ExtraModelCopy> findModelCopies(const RunDiff& diff, const DiffContents& contents)
{
    constexpr std::size_t fewestSizes = 3;
    struct Candidate
    {
        ExtraModelCopy copy;
        std::vector<SizeCount> sizes;
    };
    std::map<std::pair<std::vector<std::uint32_t>, bool>, Candidate> candidates;
    for (std::uint32_t row = 0; row < contents.rows.size(); ++row) {
        const RowContents& contentsOfRow = contents.rows[row];
        if (!contentsOfRow.areParameters || contentsOfRow.before.empty() == contentsOfRow.after.empty())
            continue;
        const bool isGone = contentsOfRow.after.empty();
        std::vector<std::uint32_t> places;
        for (const CodePlace& code : contentsOfRow.code)
            places.push_back(code.place);
        Candidate& found = candidates[{places, isGone}];
        found.copy.isGone = isGone;
        found.copy.rows.push_back(row);
        found.copy.count += diff.rows[row].before.count + diff.rows[row].after.count;
        found.copy.bytes += diff.rows[row].before.bytes + diff.rows[row].after.bytes;
        found.sizes = sumOf(found.sizes, isGone ? contentsOfRow.before : contentsOfRow.after);
    }
    std::vector<ExtraModelCopy> copies;
    for (const bool isGone : {true, false}) {
        const std::vector<SizeCount>& ownParameters
            = isGone ? contents.parametersBefore : contents.parametersAfter;
        const std::vector<SizeCount>& otherParameters
            = isGone ? contents.parametersAfter : contents.parametersBefore;
        std::vector<SizeCount> needed
            = sumOf(otherParameters, otherParameters); // one copy more than the other run has
        for (auto candidate = candidates.rbegin(); candidate != candidates.rend(); ++candidate) {
            const Candidate& found = candidate->second;
            if (found.copy.isGone == isGone && found.sizes.size() >= fewestSizes
                && found.sizes == otherParameters && containsAll(ownParameters, needed)) {
                copies.push_back(found.copy);
                needed = sumOf(needed, otherParameters);
            }
        }
    }
    std::ranges::sort(copies, {}, [](const ExtraModelCopy& copy) { return copy.rows.front(); });
    return copies;
}

} // namespace

SizeCauses sizeCauses(const RunDiff& diff, const DiffContents& contents, const SizeFactors& factors)
{
    SizeCauses causes;
    causes.factors = factors;
    causes.quantity = diff.quantity;
    causes.rowsArePlaces = contents.rowsArePlaces;
    for (const RowContents& row : contents.rows)
        causes.parts.push_back(PartFinder(row, factors, diff.quantity).findParts());
    if (!contents.rowsArePlaces)
        return causes;
    if (factors.copies > 0)
        causes.copies = factors.precision < 1 ? findCopies(causes, contents.parametersAfter, true)
                                              : findCopies(causes, contents.parametersBefore, false);
    causes.replacements = findReplacements(diff, contents, causes);
    causes.modelCopies = findModelCopies(diff, contents);
    return causes;
}

} // namespace highwater
