#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <QWidget>

#include "app/timeline/bands/band_image.h"
#include "app/timeline/parts/plot_area.h"
#include "app/timeline/parts/text_cache.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// A card next to the mouse that describes the band and the allocation under the mouse. It ignores mouse
/// events. In a large trace, the figures of the band are counted off the GUI thread and appear later.
class HoverCard : public QWidget
{
    Q_OBJECT

public:
    explicit HoverCard(QWidget* plot);

    void setColors(const ThemeColors& colors);
    /// Shows an allocation of the picture as it was right after an event.
    void show(const std::shared_ptr<const BandImage>& image, AllocationIndex allocation, std::int64_t event);

    /// Returns the rows [first, second] of the widget in which no data is between two x.
    using ClearRows = std::function<std::pair<double, double>(double left, double right)>;
    /// True if a place covers no label.
    using IsUnlabelled = std::function<bool(const QRectF& place)>;
    /// Moves the card near the pointer: into free space up to 320 pixels away, else next to the pointer, if
    /// possible where it covers no label. Stays inside `area` if it fits there.
    void moveNear(const QPointF& pointer, const QRectF& area, const ClearRows& clearRows,
        const IsUnlabelled& isFreeOfLabels);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Facts
    {
        QString title; ///< the band, or the call site if each allocation is a band
        QString group; ///< "4.01 GiB in 18 allocations" of the title, once counted
        QString bytes; ///< of the allocation, with its call site where that is not the title
        QString category;
        QString born; ///< "allocated at event 53, step 0, backward"
        QString life;
    };

    void describe();
    void countBand();
    void fitSize();
    int lineHeight() const { return m_plain.lineHeight() + 2; }
    void setFonts();
    void paintRow(QPainter& painter, int row, const QString& left, const QString& right) const;
    /// `isRepeated`: many cards have the same text, so a picture of the text is cached.
    void paintText(QPainter& painter, TextCache& texts, const QRect& where, const QString& text,
        const QColor& ink, bool isRepeated) const;
    QRectF besidePointer(
        const QPointF& pointer, const QRectF& area, const IsUnlabelled& isFreeOfLabels) const;
    QColor swatchColor() const;

    ThemeColors m_colors;
    std::shared_ptr<const BandImage> m_image;
    AllocationIndex m_allocation = BandRaster::kEmpty;
    std::int64_t m_event = -1;
    Facts m_facts;
    mutable TextCache m_plain;
    mutable TextCache m_bold;
    LatestTask m_countTask;
};

} // namespace highwater::gui
