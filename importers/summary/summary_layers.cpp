#include "importers/summary/summary_layers.h"

#include <algorithm>

namespace highwater::summary {

namespace {

/// The layers of one category, built moment by moment.
class CategoryLayers
{
public:
    CategoryLayers(std::uint32_t category, std::vector<Layer>& layers)
        : m_category(category)
        , m_layers(layers)
    {
    }

    void setLevel(std::uint32_t moment, Bytes level)
    {
        if (level > m_level)
            m_open.push_back({moment, SummaryAllocation::kNever, level - m_level, m_category});
        for (Bytes endingBytes = m_level - level; endingBytes > 0;) {
            Layer& last = m_open.back();
            const Bytes cut = std::min(endingBytes, last.bytes);
            m_layers.push_back({last.birth, moment, cut, m_category});
            last.bytes -= cut;
            endingBytes -= cut;
            if (last.bytes == 0)
                m_open.pop_back();
        }
        m_level = level;
    }

    void finish() { m_layers.insert(m_layers.end(), m_open.begin(), m_open.end()); }

private:
    std::uint32_t m_category;
    std::vector<Layer>& m_layers;
    std::vector<Layer> m_open;
    Bytes m_level = 0;
};

/// Returns, by category and moment, the bytes that the allocations add (negative if they take some away).
std::vector<std::vector<Bytes>> changesOfAllocations(const RankSummary& summary)
{
    std::vector<std::vector<Bytes>> changes(
        summary.categories.size(), std::vector<Bytes>(summary.moments.size(), 0));
    for (const SummaryAllocation& allocation : summary.allocations) {
        changes[allocation.category][allocation.birth] += allocation.bytes;
        if (allocation.death != SummaryAllocation::kNever)
            changes[allocation.category][allocation.death] -= allocation.bytes;
    }
    return changes;
}

} // namespace

Result<std::vector<Layer>> layersBeyondAllocations(const RankSummary& summary)
{
    const std::vector<std::vector<Bytes>> changes = changesOfAllocations(summary);
    std::vector<Layer> layers;
    for (std::uint32_t category = 0; category < changes.size(); ++category) {
        CategoryLayers categoryLayers(category, layers);
        Bytes allocated = 0;
        for (std::uint32_t moment = 0; moment < summary.moments.size(); ++moment) {
            allocated += changes[category][moment];
            const Bytes level = summary.moments.byCategory[category][moment];
            if (allocated > level)
                return fail(ErrorCode::Malformed, "is a damaged summary: its allocations exceed its curve");
            categoryLayers.setLevel(moment, level - allocated);
        }
        categoryLayers.finish();
    }
    return layers;
}

} // namespace highwater::summary
