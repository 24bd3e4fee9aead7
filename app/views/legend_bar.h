#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "app/views/legend_rows.h"
#include "app/workspace/selection.h"
#include "app/workspace/theme_colors.h"

namespace highwater::gui {

/// Who holds the memory at the cursor, or at the peak when there is no cursor.
class LegendBar : public QWidget
{
    Q_OBJECT

public:
    explicit LegendBar(const Selection& selection, QWidget* parent = nullptr);

    void show(std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const SitePalette> palette);
    void setColors(const ThemeColors& colors);
    const std::vector<LegendRow>& rows() const { return m_rows; }
    /// "at event 25,812: 14.50 GiB in 912 allocations".
    const QString& heading() const { return m_heading; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void refresh();
    /// Left edges of the columns, and the right edge of the last.
    std::vector<int> columnEdges() const;
    int widthOf(const LegendRow& row) const;
    int rowHeight() const;
    QRect cell(std::size_t index, const std::vector<int>& edges) const;
    void paintRow(QPainter& painter, const LegendRow& row, const QRect& where) const;

    const Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const SitePalette> m_palette;
    ThemeColors m_colors;
    std::vector<LegendRow> m_rows;
    QString m_heading;
};

} // namespace highwater::gui
