#include "app/views/side_panel/highlighted_sites.h"

#include <algorithm>
#include <iterator>

#include "app/workspace/tasks/qt_text.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

namespace {

constexpr std::size_t kMaxLinks = 8;

std::vector<AllocationIndex> indicesOf(const std::vector<bool>& members)
{
    std::vector<AllocationIndex> indices;
    for (AllocationIndex i = 0; i < members.size(); ++i)
        if (members[i])
            indices.push_back(i);
    return indices;
}

} // namespace

bool HighlightedSites::show(
    const DeviceAnalysis& analysis, const Members& members, std::optional<std::int64_t> moment)
{
    if (members == m_members && moment == m_moment)
        return !m_sites.empty();
    if (members != m_members)
        m_chosen = 0;
    m_members = members;
    m_moment = moment;
    const std::vector<AllocationIndex> all = indicesOf(*members);
    const std::int64_t event = moment.value_or(keyMoment(analysis.study).event);
    std::vector<AllocationIndex> inUse;
    std::ranges::copy_if(all, std::back_inserter(inUse),
        [&](AllocationIndex i) { return analysis.allocations.isLiveAt(i, event); });
    m_areInUse = !inUse.empty();
    m_sites = siteStacks(analysis.allocations, analysis.sites, m_areInUse ? inUse : all);
    m_chosen = std::min(m_chosen, m_sites.empty() ? 0 : m_sites.size() - 1);
    return !m_sites.empty();
}

AllocationFacts HighlightedSites::stack(const DeviceAnalysis& analysis) const
{
    return stackFacts(analysis, m_sites[m_chosen].example);
}

std::vector<Paragraph> HighlightedSites::paragraphs(const DeviceAnalysis& analysis) const
{
    std::vector<Paragraph> result{{Paragraph::Kind::Heading,
        m_areInUse ? QObject::tr("Call sites of what is in use") : QObject::tr("Call sites"), {}, {}}};
    const auto labelOf
        = [&](const SiteStack& site) { return toQString(analysis.sites.site(site.total.site).label); };
    const std::size_t linkCount = std::min(m_sites.size(), kMaxLinks);
    Bytes others = 0;
    for (std::size_t i = 0; i < m_sites.size(); ++i) {
        const Bytes bytes = m_sites[i].total.bytes;
        if (i < linkCount)
            result.push_back({Paragraph::Kind::Fact, labelOf(m_sites[i]), bytesText(bytes), {},
                QObject::tr("Show its stack (Enter)")});
        else
            others += bytes;
    }
    if (m_sites.size() > linkCount)
        result.push_back({Paragraph::Kind::Fact,
            QObject::tr("%1 more").arg(countText(static_cast<std::int64_t>(m_sites.size() - linkCount))),
            bytesText(others), {}});
    const SiteStack& chosen = m_sites[m_chosen];
    const std::int64_t all = chosen.total.count;
    const QString count = countedText(all, "allocation", "allocations");
    const QString share
        = chosen.sameStack == all ? count : QObject::tr("%1 of %2").arg(countText(chosen.sameStack), count);
    const AllocationFacts facts = stack(analysis);
    result.push_back({Paragraph::Kind::Heading, facts.stackTitle, {}, {}});
    if (!facts.withoutStack.isEmpty())
        result.push_back({Paragraph::Kind::Plain, facts.withoutStack, {}, {}});
    else
        result.push_back(
            {Paragraph::Kind::Quiet, QStringLiteral("%1, %2").arg(labelOf(chosen), share), {}, {}});
    return result;
}

} // namespace highwater::gui
