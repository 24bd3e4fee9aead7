#pragma once

#include "app/views/charts/flame_chart.h"
#include "app/views/charts/histogram_chart.h"
#include "app/views/charts/treemap_chart.h"
#include "app/views/moment/moment_page.h"

class QScrollArea;

namespace highwater::gui {

/// The flame graph of a moment's allocations. Widths are bytes, or bytes × lifetime.
class MomentFlamePage : public MomentPage
{
    Q_OBJECT

public:
    explicit MomentFlamePage(QWidget* parent = nullptr);

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
        std::vector<QRgb> colors; ///< by node
    };

    static Flame flameOf(const Moment& moment, const MomentOptions& options);
    std::vector<bool> membersBelow(std::uint32_t node) const;
    void paintNodes();

    FlameChart* m_chart;
    QScrollArea* m_scroll;
    std::vector<QRgb> m_nodeColors; ///< for a light background
    bool m_isDark = false;
};

/// The treemap of a moment's allocations, in the groups that colour the timeline. `bands` must outlive the
/// page.
class MomentTreemapPage : public MomentPage
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
    std::shared_ptr<const BandPalette> palette() const;
    void followBands();
    void choose(std::uint32_t group, const std::vector<AllocationIndex>& allocations);

    const BandView& m_bands;
    std::shared_ptr<const BandPalette> m_palette; ///< palette of the content that is shown or being computed
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
