#pragma once

#include <vector>

namespace highwater::gui {

/// A part of a text that is not split by a page break: a line, a table row, a figure. Positions are in units
/// of the layout, from the top of the text.
struct PageStrip
{
    double top = 0;
    double bottom = 0;
    bool keepWithNext = false; ///< no page break after this strip, if possible
    double headerTop = 0; ///< column titles of the strip's table, repeated if the strip begins a page
    double headerBottom = 0;
};

/// The part of a text on one page, [top, bottom), below a repeated header.
struct PageSpan
{
    double top = 0;
    double bottom = 0;
    double headerTop = 0;
    double headerBottom = 0;

    bool operator==(const PageSpan&) const = default;
};

/// Divides a text into pages of this height; returns at least one page. A strip higher than a page is cut.
/// Strips that belong together but are higher than a page are separated at its end. A last page that
/// would be less than 15% full takes more from the page before it, if that adds no page. O(strips).
std::vector<PageSpan> breakPages(const std::vector<PageStrip>& strips, double pageHeight);

} // namespace highwater::gui
