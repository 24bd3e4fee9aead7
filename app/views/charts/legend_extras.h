#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QColor>
#include <QRect>
#include <QString>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/band_view.h"

class QPainter;

namespace highwater::gui {

/// The entries of the legend that are not groups, with their bytes: memory kept from earlier steps, which is
/// hatched in the timeline, and reserved memory, which is drawn as a line. Each is left out if the device has
/// none. Widths do not depend on the bytes, so nothing moves while the cursor moves.
class LegendExtras
{
public:
    /// How much is shown; the legend takes the first form that fits.
    enum class Form : std::uint8_t
    {
        Full,
        Short, ///< "kept"
        KeptOnly,
        None,
    };
    struct Entry
    {
        bool isKept = false; ///< else reserved memory
        std::optional<Bytes> bytes; ///< nullopt before the file says how much is reserved

        bool operator==(const Entry&) const = default;
    };

    /// Sets the bytes to those right after an event. The view must have a device. O(live allocations); the
    /// first time for a device O(allocations).
    void follow(const BandView& view, std::int64_t event, const ThemeColors& colors);
    void clear() { m_entries.clear(); }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// Returns "kept from earlier steps: 14.89 GiB, reserved: 22.81 GiB".
    QString text() const;

    void setForm(Form form) { m_form = form; }
    int width(TextCache& texts) const;
    /// Paints the entries from the left edge of `where`, which must be at least as wide as `width`.
    void paint(QPainter& painter, const QRect& where, TextCache& texts) const;
    /// Returns the tool tip of the entry at an x; `left` is where the entries begin.
    QString tipAt(int x, int left, TextCache& texts) const;

private:
    bool isShown(const Entry& entry) const;
    QString labelOf(const Entry& entry) const;
    int widthOf(const Entry& entry, TextCache& texts) const;
    void paintSwatch(QPainter& painter, const Entry& entry, const QRect& where) const;

    std::vector<Entry> m_entries;
    Form m_form = Form::Full;
    ThemeColors m_colors;
    QColor m_keptColor;
    std::shared_ptr<const DeviceAnalysis> m_analysis; ///< of m_keptExample
    AllocationIndex m_keptExample = 0; ///< the largest allocation that is ever kept
};

} // namespace highwater::gui
