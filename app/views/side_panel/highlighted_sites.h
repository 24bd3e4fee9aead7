#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/allocation_facts.h"
#include "core/analysis/composition/site_totals.h"

namespace highwater::gui {

/// The call sites of highlighted allocations, of which one is chosen: at first the largest.
class HighlightedSites
{
public:
    using Members = std::shared_ptr<const std::vector<bool>>;

    /// Shows the call sites of these allocations that are in use right after the event `moment`; without a
    /// moment, at the `keyMoment` of the run. If none is in use then, shows those of all. Returns false if
    /// there are no allocations. O(allocations), but O(1) if the arguments are unchanged.
    bool show(const DeviceAnalysis& analysis, const Members& members, std::optional<std::int64_t> moment);
    void clear() { *this = {}; }
    /// Chooses the site of a link, counted from 0.
    void choose(std::size_t link) { m_chosen = link; }

    /// Returns the stack that most allocations of the chosen site share. There must be a site.
    AllocationFacts stack(const DeviceAnalysis& analysis) const;
    /// Returns a heading, a link for each of the largest sites, the bytes of the other sites, and the title
    /// of the stack with the number of allocations that have it.
    std::vector<Paragraph> paragraphs(const DeviceAnalysis& analysis) const;

private:
    Members m_members;
    std::optional<std::int64_t> m_moment;
    bool m_areInUse = false; ///< m_sites are of the allocations in use at the moment
    std::vector<SiteStack> m_sites; ///< largest first
    std::size_t m_chosen = 0;
};

} // namespace highwater::gui
