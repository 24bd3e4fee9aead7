#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QRect>
#include <QString>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/band_view.h"

class QPainter;

namespace highwater::gui {

/// The place of an entry of the legend, in pixels of the bar. An entry with a `width` of 0 is not painted.
struct LegendPlace
{
    int left = 0;
    int width = 0;
    bool hasFigure = false; ///< the bytes are painted after the name

    bool operator==(const LegendPlace&) const = default;
};

inline constexpr int kLegendSwatch = 10;
inline constexpr int kLegendGap = 6; ///< between swatch, name and bytes

/// The entries of the legend that are not groups: memory kept from earlier steps, which is hatched and whose
/// bytes are parts of the groups, and reserved memory, which is drawn as a line. Kept memory is left out if
/// the device has too little to be seen, reserved memory if none was recorded.
class LegendExtras
{
public:
    struct Entry
    {
        bool isKept = false; ///< true for kept memory, false for reserved memory
        std::optional<Bytes> bytes; ///< nullopt before the file says how much is reserved
        Bytes bytesAtPeak = 0; ///< kept bytes at the peak, or reserved bytes that are not in use then

        bool operator==(const Entry&) const = default;
    };

    /// Sets the entries, with their bytes right after an event. The view must have a device. O(live
    /// allocations); the first time for a device O(allocations).
    void follow(const BandView& view, std::int64_t event, const ThemeColors& colors);
    void clear() { m_entries.clear(); }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// Returns "of this kept from earlier steps: 14.89 GiB, reserved: 22.81 GiB"; empty without entries.
    QString text() const;

    /// Returns "kept from earlier steps" or "reserved".
    static QString labelOf(const Entry& entry);
    /// Paints an entry at its place in a bar of this height.
    void paint(
        QPainter& painter, const Entry& entry, const LegendPlace& place, int height, TextCache& texts) const;
    /// Paints the swatch of an entry over the whole rectangle.
    void paintSwatch(QPainter& painter, const Entry& entry, const QRect& where) const;
    /// Returns the tool tip of an entry.
    static QString tipOf(const Entry& entry);

private:
    std::vector<Entry> m_entries;
    ThemeColors m_colors;
    std::shared_ptr<const DeviceAnalysis> m_analysis; ///< device of the next two members
    Bytes m_keptAtPeak = 0;
    bool m_isKeptSeen = false; ///< enough is ever kept for hatching to be seen
};

} // namespace highwater::gui
