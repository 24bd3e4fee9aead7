#pragma once

#include "app/views/charts/flame_chart.h"
#include "app/views/charts/histogram_chart.h"
#include "app/views/charts/treemap_chart.h"
#include "app/views/moment/moment_page.h"

class QScrollArea;

namespace highwater::gui {

/// A chart that follows the colours of the timeline. `bands` must outlive the page.
class MomentColoredPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentColoredPage(const BandView& bands, QWidget* parent = nullptr);

protected:
    /// Returns the timeline's palette; the default palette if the timeline shows another analysis; null
    /// without a moment. Remembers it as the palette of the content.
    std::shared_ptr<const BandPalette> takePalette();

private:
    std::shared_ptr<const BandPalette> palette() const;
    void followBands();

    const BandView& m_bands;
    std::shared_ptr<const BandPalette> m_palette; ///< palette of the content that is shown or being computed
};

/// The flame graph of a moment's allocations, with a box for each line that calls. Widths are bytes, or bytes
/// × lifetime.
class MomentFlamePage : public MomentColoredPage
{
    Q_OBJECT

public:
    explicit MomentFlamePage(const BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    /// Returns the tool tips of all boxes, one line each, indented by row.
    QString text(bool onlySelected) const override;
    bool canGoBack() const override { return m_chart->canGoBack(); }
    void goBack() override;
    FlameChart& chart() { return *m_chart; }

protected:
    void refresh() override;

private:
    struct Flame
    {
        std::shared_ptr<const CallTree> tree;
        std::shared_ptr<const BandPalette> palette;
        std::vector<std::optional<GroupRank>> groups; ///< by node
        std::vector<double> kept; ///< by node, the share of its bytes kept from earlier steps
    };

    static Flame flameOf(const Moment& moment, const MomentOptions& options,
        const std::shared_ptr<const BandPalette>& palette);
    std::vector<bool> membersBelow(std::uint32_t node) const;
    void paintNodes();

    FlameChart* m_chart;
    QScrollArea* m_scroll;
    Flame m_flame;
    Ground m_ground;
};

/// The treemap of a moment's call sites, in the groups that colour the timeline.
class MomentTreemapPage : public MomentColoredPage
{
    Q_OBJECT

public:
    explicit MomentTreemapPage(const BandView& bands, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    QString text(bool onlySelected) const override;
    bool canGoBack() const override { return m_chart->focusGroup() != TreemapChart::kNoGroup; }
    void goBack() override;
    TreemapChart& chart() { return *m_chart; }

protected:
    void refresh() override;

private:
    void choose(std::uint32_t group, const std::vector<AllocationIndex>& allocations);

    TreemapChart* m_chart;
};

/// The histogram of the sizes or of the lifetimes of a moment's allocations.
class MomentHistogramPage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentHistogramPage(HistogramKind kind, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) override;
    QString text(bool onlySelected) const override;
    HistogramChart& chart() { return *m_chart; }

protected:
    void refresh() override;

private:
    std::vector<bool> membersOfBin(std::size_t bin) const;

    HistogramKind m_kind;
    HistogramChart* m_chart;
    QScrollArea* m_scroll;
};

} // namespace highwater::gui
