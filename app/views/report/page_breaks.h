#pragma once

#include <vector>

namespace highwater::gui {

/// A piece of a text that no page cuts: a line, a row of a table, a figure. In units of its layout, from
/// above.
struct PageStrip
{
    double top = 0;
    double bottom = 0;
    bool keepWithNext = false; ///< no page ends behind it, as far as that can be
    double headerTop = 0; ///< what is repeated above it where it begins a page: the titles of its table
    double headerBottom = 0;
};

/// What one page shows of a text: [top, bottom), below what is repeated.
struct PageSpan
{
    double top = 0;
    double bottom = 0;
    double headerTop = 0;
    double headerBottom = 0;

    bool operator==(const PageSpan&) const = default;
};

/// Fills pages of that height one after the other. A strip that is higher than a page is cut; strips that are
/// to stay together and are higher than a page are parted where the page ends. At least one page. O(strips).
std::vector<PageSpan> breakPages(const std::vector<PageStrip>& strips, double pageHeight);

} // namespace highwater::gui
