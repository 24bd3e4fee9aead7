#include "app/views/legend_rows.h"

#include "app/workspace/qt_text.h"
#include "core/analysis/site_totals.h"

namespace highwater::gui {

std::vector<LegendRow> legendRows(
    const DeviceAnalysis& analysis, const SitePalette& palette, std::int64_t event, std::size_t top)
{
    std::vector<LegendRow> rows;
    std::vector<LegendRow> withoutStack;
    LegendRow rest;
    std::int64_t restSites = 0;
    for (const SiteTotal& total : siteTotalsAt(analysis.live, analysis.sites, event)) {
        const CallSite& site = analysis.sites.site(total.site);
        const LegendRow row{
            palette.color(total.site), toQString(site.label), toQString(site.key), total.bytes, total.count};
        if (site.kind == SiteKind::NoStack) {
            withoutStack.push_back(row);
        } else if (rows.size() < top) {
            rows.push_back(row);
        } else {
            rest.bytes += row.bytes;
            rest.count += row.count;
            ++restSites;
        }
    }
    if (restSites > 0) {
        rest.label = QStringLiteral("other sites (%1)").arg(countText(restSites));
        rest.tip = QStringLiteral("%1 further call sites").arg(countText(restSites));
        rows.push_back(rest);
    }
    rows.insert(rows.end(), withoutStack.begin(), withoutStack.end());
    return rows;
}

} // namespace highwater::gui
