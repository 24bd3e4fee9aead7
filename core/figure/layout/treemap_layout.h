#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/units.h"

namespace highwater {

/// An area of the picture, in pixels; y grows downwards.
struct Rectangle
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double area() const { return width * height; }
    bool contains(double atX, double atY) const
    {
        return atX >= x && atX < x + width && atY >= y && atY < y + height;
    }
};

/// Tiles `area` with rectangles in proportion to `weights`, which descend and are not negative; the
/// rectangles are as square as possible when arranged in rows (Bruls, Huizing, van Wijk: "Squarified
/// treemaps", 2000). Weight 0 gives an empty rectangle. O(weights).
std::vector<Rectangle> squarify(std::span<const Bytes> weights, const Rectangle& area);

/// One group of a treemap and its parts.
struct TreemapGroup
{
    Bytes bytes = 0; ///< Sum of the parts
    std::vector<Bytes> parts; ///< Descending
};

/// A rectangle for one part of a group, or for several parts that are too small to show.
struct TreemapTile
{
    Rectangle place;
    std::uint32_t group = 0;
    std::uint32_t firstPart = 0; ///< The tile shows parts [firstPart, firstPart + partCount) of the group
    std::uint32_t partCount = 1; ///< More than one for merged parts
    Bytes bytes = 0; ///< Sum of its parts; all tiles add up to the sum of all groups
};

/// The rectangles of a treemap.
struct TreemapLayout
{
    std::vector<Rectangle> groups; ///< By group
    std::vector<TreemapTile> tiles; ///< By group, then by part
};

/// Lays out groups, which descend by bytes. A group's rectangle is reduced by `header` pixels at the top if
/// it is high enough; within it, each part has a tile, and parts smaller than `smallest` square pixels share
/// one. O(parts).
TreemapLayout treemapLayout(
    std::span<const TreemapGroup> groups, const Rectangle& area, double header, double smallest = 4);

} // namespace highwater
