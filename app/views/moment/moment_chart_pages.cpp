#include "app/views/moment/moment_chart_pages.h"

#include <algorithm>
#include <array>

#include "app/views/charts/node_groups.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

/// Returns the call sites of a group in the colours of their bands. What a call site has kept from earlier
/// steps is an entry of its own, as it is in the timeline.
std::vector<TreemapContent::Site> sitesOf(
    const Moment& moment, const BandPalette& palette, const std::vector<AllocationIndex>& members)
{
    const DeviceAnalysis& analysis = *moment.analysis;
    std::vector<TreemapContent::Site> sites;
    std::array<NumberMap<std::uint32_t, std::size_t>, 2> places;
    for (const AllocationIndex i : members) {
        const SiteId site = analysis.sites.of(i);
        const bool isKept = analysis.keptBlocks->isKept(i, keptAt(moment.set));
        const auto [found, isNew] = places[isKept ? 1 : 0].try_emplace(site.value(), sites.size());
        if (isNew)
            sites.push_back(
                {{toQString(analysis.sites.site(site).label), palette.themedShade(i, isKept)}, {}, isKept});
        sites[found->second].allocations.push_back(i);
    }
    return sites;
}

/// Returns the share of each node's bytes that is kept from earlier steps.
std::vector<double> keptShares(const CallTree& tree, const Moment& moment)
{
    std::vector<Bytes> kept(tree.nodes.size(), 0);
    const AllocationTable& allocations = moment.analysis->allocations;
    for (std::size_t i = 0; i < moment.set.allocations.size(); ++i) {
        const AllocationIndex allocation = moment.set.allocations[i];
        if (moment.analysis->keptBlocks->isKept(allocation, keptAt(moment.set)))
            kept[tree.endOf[i]] += allocations.bytes(allocation);
    }
    for (std::size_t node = kept.size(); node-- > 1;) // callees come after their callers
        kept[tree.nodes[node].parent] += kept[node];
    std::vector<double> shares;
    for (std::size_t node = 0; node < kept.size(); ++node)
        shares.push_back(static_cast<double>(kept[node])
            / static_cast<double>(std::max(tree.nodes[node].total.bytes, Bytes{1})));
    return shares;
}

/// Sorts the sites and the allocations of each by bytes, and returns the sizes of the sites.
TreemapGroup sortSites(std::vector<TreemapContent::Site>& sites, const AllocationTable& allocations)
{
    const auto bytesOf = [&](const TreemapContent::Site& site) {
        Bytes bytes = 0;
        for (const AllocationIndex i : site.allocations)
            bytes += allocations.bytes(i);
        return bytes;
    };
    std::ranges::stable_sort(sites, std::ranges::greater(), bytesOf);
    TreemapGroup sizes;
    for (TreemapContent::Site& site : sites) {
        std::ranges::stable_sort(site.allocations, std::ranges::greater(),
            [&](AllocationIndex i) { return allocations.bytes(i); });
        sizes.parts.push_back(bytesOf(site));
        sizes.bytes += sizes.parts.back();
    }
    return sizes;
}

/// Returns the call sites of a moment in the groups of the palette, the largest first.
std::shared_ptr<const TreemapContent> contentOf(const Moment& moment, const BandPalette& palette)
{
    const BandGroups& groups = *palette.groups();
    std::vector<std::vector<AllocationIndex>> byRank(groups.groups.size());
    for (const AllocationIndex i : moment.set.allocations)
        byRank[groups.rank(i)].push_back(i);
    std::vector<std::pair<TreemapContent::Group, TreemapGroup>> found;
    for (std::size_t rank = 0; rank < byRank.size(); ++rank) {
        if (byRank[rank].empty())
            continue;
        const auto group = static_cast<GroupRank>(rank);
        TreemapContent::Group content{{toQString(groups.groups[rank].label), palette.themedColor(group)},
            sitesOf(moment, palette, byRank[rank])};
        TreemapGroup sizes = sortSites(content.sites, moment.analysis->allocations);
        found.emplace_back(std::move(content), std::move(sizes));
    }
    std::ranges::stable_sort(
        found, std::ranges::greater(), [](const auto& group) { return group.second.bytes; });
    auto content = std::make_shared<TreemapContent>();
    content->total = moment.set.total;
    content->hasTitles = groups.mode != BandMode::Site;
    for (auto& [group, sizes] : found) {
        content->groups.push_back(std::move(group));
        content->sizes.push_back(std::move(sizes));
    }
    return content;
}

} // namespace

MomentColoredPage::MomentColoredPage(const BandView& bands, QWidget* parent)
    : MomentPage(parent)
    , m_bands(bands)
{
    connect(&bands, &BandView::changed, this, &MomentColoredPage::followBands);
}

std::shared_ptr<const BandPalette> MomentColoredPage::palette() const
{
    return wanted() ? m_bands.paletteFor(wanted()->analysis) : nullptr;
}

std::shared_ptr<const BandPalette> MomentColoredPage::takePalette()
{
    m_palette = palette();
    return m_palette;
}

void MomentColoredPage::followBands()
{
    if (isVisible() && palette() != m_palette)
        refresh();
}

MomentFlamePage::MomentFlamePage(const BandView& bands, QWidget* parent)
    : MomentColoredPage(bands, parent)
    , m_chart(new FlameChart)
    , m_scroll(fillWithScrollArea(m_chart, this))
{
    m_chart->setChains(FlameChains::Folded);
    connect(m_chart, &FlameChart::nodeChosen, this, [this](std::uint32_t node) {
        if (node == CallTree::kRoot)
            emit highlightRequested(nullptr);
        else
            highlight(membersBelow(node), toQString(m_chart->tree()->label(node)));
    });
    connect(m_chart, &FlameChart::nodeOpened, this,
        [this](std::uint32_t node) { pinLargest(membersBelow(node)); });
}

void MomentFlamePage::setColors(const ThemeColors& colors)
{
    m_ground = colors.ground();
    m_chart->setColors(colors);
    paintNodes();
    setScrollBackground(*m_scroll, colors.surface);
}

void MomentFlamePage::paintNodes()
{
    std::vector<QRgb> colors(m_flame.groups.size(), 0); // 0: the root and mixtures have no colour
    for (std::size_t node = 1; node < colors.size(); ++node)
        if (const std::optional<GroupRank> group = m_flame.groups[node])
            colors[node] = m_flame.palette->color(*group, m_ground).rgb();
    m_chart->setNodeColors(std::move(colors));
    m_chart->setKeptShares(m_flame.kept);
}

std::vector<bool> MomentFlamePage::membersBelow(std::uint32_t node) const
{
    std::vector<bool> chosen(m_chart->tree()->nodes.size());
    chosen[node] = true;
    return membersOf(*m_chart->tree(), chosen);
}

MomentFlamePage::Flame MomentFlamePage::flameOf(
    const Moment& moment, const MomentOptions& options, const std::shared_ptr<const BandPalette>& palette)
{
    Flame flame{treeOf(moment, options, CallDirection::TopDown, FrameLines::Apart), palette, {}, {}};
    flame.groups = mainGroups(*flame.tree, *palette->groups(), moment.analysis->allocations, moment.set);
    flame.kept = keptShares(*flame.tree, moment);
    return flame;
}

void MomentFlamePage::refresh()
{
    const std::shared_ptr<const BandPalette> palette = takePalette();
    if (!wanted()) {
        m_flame = {};
        m_chart->setTree(nullptr, options().weight);
        return;
    }
    m_chart->setSearch(options().search);
    compute([palette](const Moment& moment,
                const MomentOptions& options) { return flameOf(moment, options, palette); },
        [this](const Flame& flame) {
            m_flame = flame;
            m_chart->setTree(flame.tree, options().weight);
            paintNodes();
        });
}

QString MomentFlamePage::text(bool) const
{
    QString text;
    for (const FlameBox& box : m_chart->boxes())
        text += QString(2 * box.row, QLatin1Char(' '))
            + m_chart->tip(box).replace(QLatin1Char('\n'), QStringLiteral("; ")) + QLatin1Char('\n');
    return text;
}

void MomentFlamePage::goBack()
{
    m_chart->goBack();
}

MomentTreemapPage::MomentTreemapPage(const BandView& bands, QWidget* parent)
    : MomentColoredPage(bands, parent)
    , m_chart(new TreemapChart(this))
{
    layColumn(this, {m_chart});
    setFocusProxy(m_chart);
    connect(m_chart, &TreemapChart::chosen, this, &MomentTreemapPage::choose);
    connect(m_chart, &TreemapChart::opened, this, &MomentTreemapPage::allocationPinned);
}

void MomentTreemapPage::setColors(const ThemeColors& colors)
{
    m_chart->setColors(colors);
}

void MomentTreemapPage::refresh()
{
    const std::shared_ptr<const BandPalette> palette = takePalette();
    if (!wanted()) {
        m_chart->setContent(nullptr);
        return;
    }
    m_chart->setSearch(options().search);
    compute([palette](const Moment& moment, const MomentOptions&) { return contentOf(moment, *palette); },
        [this](const std::shared_ptr<const TreemapContent>& content) { m_chart->setContent(content); });
}

void MomentTreemapPage::choose(std::uint32_t group, const std::vector<AllocationIndex>& allocations)
{
    if (!shown() || !m_chart->content())
        return;
    auto chosen = std::make_shared<std::vector<bool>>(shown()->analysis->allocations.size());
    for (const AllocationIndex i : allocations)
        (*chosen)[i] = true;
    for (const TreemapContent::Site& site : m_chart->content()->groups[group].sites)
        for (std::size_t i = 0; allocations.empty() && i < site.allocations.size(); ++i)
            (*chosen)[site.allocations[i]] = true;
    emit highlightRequested(chosen, m_chart->content()->groups[group].name.title);
}

QString MomentTreemapPage::text(bool) const
{
    QString text = tr("Group\tCall site\tBytes\tShare\tAllocations\tKept from earlier steps\n");
    if (!m_chart->content())
        return text;
    const TreemapContent& content = *m_chart->content();
    for (std::size_t i = 0; i < content.groups.size(); ++i)
        for (std::size_t k = 0; k < content.groups[i].sites.size(); ++k) {
            const TreemapContent::Site& site = content.groups[i].sites[k];
            const Bytes bytes = content.sizes[i].parts[k];
            text += QStringLiteral("%1\t%2\t%3\t%4\t%5\t%6\n")
                        .arg(content.groups[i].name.title, site.name.title, bytesText(bytes),
                            QString::fromStdString(formatShare(bytes, content.total.bytes)),
                            countText(static_cast<std::int64_t>(site.allocations.size())),
                            site.isKept ? tr("yes") : QString());
        }
    return text;
}

void MomentTreemapPage::goBack()
{
    m_chart->setFocusGroup(TreemapChart::kNoGroup);
}

MomentHistogramPage::MomentHistogramPage(HistogramKind kind, QWidget* parent)
    : MomentPage(parent)
    , m_kind(kind)
    , m_chart(new HistogramChart(kind))
    , m_scroll(fillWithScrollArea(m_chart, this))
{
    connect(
        m_chart, &HistogramChart::binChosen, this, [this](std::size_t bin) { highlight(membersOfBin(bin)); });
    connect(m_chart, &HistogramChart::binOpened, this,
        [this](std::size_t bin) { pinLargest(membersOfBin(bin)); });
}

void MomentHistogramPage::setColors(const ThemeColors& colors)
{
    m_chart->setColors(colors);
    setScrollBackground(*m_scroll, colors.surface);
}

QString MomentHistogramPage::text(bool) const
{
    return m_chart->text();
}

std::vector<bool> MomentHistogramPage::membersOfBin(std::size_t bin) const
{
    const AllocationTable& allocations = shown()->analysis->allocations;
    const auto binOf = m_kind == HistogramKind::Size ? findSizeBin : findLifetimeBin;
    std::vector<bool> members;
    for (const AllocationIndex i : shown()->set.allocations)
        members.push_back(binOf(*m_chart->histogram(), allocations, i) == bin);
    return members;
}

void MomentHistogramPage::refresh()
{
    if (!wanted()) {
        m_chart->setHistogram(nullptr);
        return;
    }
    const auto make = m_kind == HistogramKind::Size ? sizeHistogram : lifetimeHistogram;
    compute(
        [make](const Moment& moment, const MomentOptions&) {
            return std::make_shared<const Histogram>(make(moment.analysis->allocations, moment.set));
        },
        [this](const std::shared_ptr<const Histogram>& histogram) { m_chart->setHistogram(histogram); });
}

} // namespace highwater::gui
