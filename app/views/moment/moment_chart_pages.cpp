#include "app/views/moment/moment_chart_pages.h"

#include <algorithm>

#include "app/views/charts/function_colors.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

std::shared_ptr<const TreemapContent> contentOf(const Moment& moment, const BandPalette& palette)
{
    const BandGroups& groups = *palette.groups();
    const AllocationTable& allocations = moment.analysis->allocations;
    std::vector<TreemapContent::Group> byRank(groups.groups.size());
    std::vector<TreemapGroup> sizes(groups.groups.size());
    for (const AllocationIndex i : moment.set.allocations) {
        byRank[groups.rank(i)].allocations.push_back(i);
        sizes[groups.rank(i)].bytes += allocations.bytes(i);
    }
    std::vector<std::size_t> order;
    for (std::size_t rank = 0; rank < byRank.size(); ++rank)
        if (!byRank[rank].allocations.empty())
            order.push_back(rank);
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return sizes[a].bytes > sizes[b].bytes; });
    auto content = std::make_shared<TreemapContent>();
    content->total = moment.set.total;
    for (const std::size_t rank : order) {
        TreemapContent::Group& group = byRank[rank];
        const BandGroup& band = groups.groups[rank];
        group.title = QString::fromStdString(groups.mode == BandMode::Category ? band.label : band.key);
        group.color = palette.color(static_cast<GroupRank>(rank)).rgb();
        std::stable_sort(
            group.allocations.begin(), group.allocations.end(), [&](AllocationIndex a, AllocationIndex b) {
                return allocations.bytes(a) > allocations.bytes(b);
            });
        for (const AllocationIndex i : group.allocations)
            sizes[rank].parts.push_back(allocations.bytes(i));
        content->groups.push_back(std::move(group));
        content->sizes.push_back(std::move(sizes[rank]));
    }
    return content;
}

} // namespace

MomentFlamePage::MomentFlamePage(QWidget* parent)
    : MomentPage(parent)
    , m_chart(new FlameChart)
    , m_scroll(scrolling(m_chart, this))
{
    connect(m_chart, &FlameChart::nodeChosen, this, [this](std::uint32_t node) {
        if (node == CallTree::kRoot)
            emit highlightRequested(nullptr);
        else
            highlight(membersBelow(node));
    });
    connect(m_chart, &FlameChart::nodeOpened, this,
        [this](std::uint32_t node) { pinLargest(membersBelow(node)); });
}

void MomentFlamePage::setColors(const ThemeColors& colors)
{
    m_isDark = colors.dark;
    m_chart->setColors(colors);
    paintNodes();
    setScrollBackground(*m_scroll, colors.surface);
}

void MomentFlamePage::paintNodes()
{
    std::vector<QRgb> colors = m_nodeColors;
    for (QRgb& color : colors)
        if (qAlpha(color) != 0)
            color = onSurface(QColor::fromRgb(color), m_isDark).rgb();
    m_chart->setNodeColors(std::move(colors));
}

std::vector<bool> MomentFlamePage::membersBelow(std::uint32_t node) const
{
    std::vector<bool> chosen(m_chart->tree()->nodes.size());
    chosen[node] = true;
    return membersOf(*m_chart->tree(), chosen);
}

MomentFlamePage::Flame MomentFlamePage::flameOf(const Moment& moment, const MomentOptions& options)
{
    Flame flame{treeOf(moment, options, CallDirection::TopDown), {}};
    flame.colors = nodeColors(*flame.tree, *moment.analysis, moment.set);
    return flame;
}

void MomentFlamePage::refresh()
{
    if (!wanted()) {
        m_chart->setTree(nullptr, options().weight);
        return;
    }
    m_chart->setSearch(options().search);
    compute(flameOf, [this](const Flame& flame) {
        m_chart->setTree(flame.tree, options().weight);
        m_nodeColors = flame.colors;
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
    : MomentPage(parent)
    , m_bands(bands)
    , m_chart(new TreemapChart(this))
{
    layColumn(this, {m_chart});
    setFocusProxy(m_chart);
    connect(&bands, &BandView::changed, this, &MomentTreemapPage::followBands);
    connect(m_chart, &TreemapChart::chosen, this, &MomentTreemapPage::choose);
    connect(m_chart, &TreemapChart::opened, this, &MomentTreemapPage::allocationPinned);
}

void MomentTreemapPage::setColors(const ThemeColors& colors)
{
    m_chart->setColors(colors);
}

/// Returns the timeline's palette; the default palette if the timeline shows another analysis; null without a
/// moment.
std::shared_ptr<const BandPalette> MomentTreemapPage::palette() const
{
    if (!wanted())
        return nullptr;
    const bool isSameDevice = m_bands.analysis() == wanted()->analysis && m_bands.palette();
    return isSameDevice ? m_bands.palette() : wanted()->analysis->allocationPalette();
}

void MomentTreemapPage::followBands()
{
    if (isVisible() && palette() != m_palette)
        refresh();
}

void MomentTreemapPage::refresh()
{
    m_palette = palette();
    if (!wanted()) {
        m_chart->setContent(nullptr);
        return;
    }
    m_chart->setSearch(options().search);
    compute([of = m_palette](const Moment& moment, const MomentOptions&) { return contentOf(moment, *of); },
        [this](const std::shared_ptr<const TreemapContent>& content) { m_chart->setContent(content); });
}

void MomentTreemapPage::choose(std::uint32_t group, const std::vector<AllocationIndex>& allocations)
{
    if (!shown() || !m_chart->content())
        return;
    auto chosen = std::make_shared<std::vector<bool>>(shown()->analysis->allocations.size());
    for (const AllocationIndex i :
        allocations.empty() ? m_chart->content()->groups[group].allocations : allocations)
        (*chosen)[i] = true;
    emit highlightRequested(chosen);
}

QString MomentTreemapPage::text(bool) const
{
    QString text = tr("Group\tBytes\tShare\tAllocations\n");
    if (!m_chart->content())
        return text;
    const TreemapContent& content = *m_chart->content();
    for (std::size_t i = 0; i < content.groups.size(); ++i)
        text += QStringLiteral("%1\t%2\t%3\t%4\n")
                    .arg(content.groups[i].title, bytesText(content.sizes[i].bytes),
                        QString::fromStdString(formatShare(content.sizes[i].bytes, content.total.bytes)),
                        countText(static_cast<std::int64_t>(content.groups[i].allocations.size())));
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
    , m_scroll(scrolling(m_chart, this))
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
    const auto binOf = m_kind == HistogramKind::Size ? sizeBinOf : lifetimeBinOf;
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
