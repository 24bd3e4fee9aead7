#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/units.h"

namespace highwater {

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

/// Rectangles that tile `area` in proportion to `weights`, which descend and are not negative; as square as
/// possible when arranged in rows (Bruls, Huizing, van Wijk: "Squarified treemaps", 2000). Weight 0 gives an
/// empty rectangle. O(weights).
std::vector<Rectangle> squarify(std::span<const Bytes> weights, const Rectangle& area);

/// One group of a treemap with its parts.
struct TreemapGroup
{
    Bytes bytes = 0; ///< Σ parts
    std::vector<Bytes> parts; ///< descending
};

struct TreemapTile
{
    Rectangle place;
    std::uint32_t group = 0;
    std::uint32_t firstPart = 0; ///< parts [firstPart, firstPart + partCount) of the group
    std::uint32_t partCount = 1; ///< more than one: parts too small to show, as one tile
    Bytes bytes = 0; ///< of its parts; the sum over all tiles is that of all groups
};

struct TreemapLayout
{
    std::vector<Rectangle> groups; ///< by group
    std::vector<TreemapTile> tiles; ///< by group, then by part
};

/// Groups descend by bytes. Within its group's rectangle, which is reduced by `header` pixels at the top if
/// it is high enough, each part has a tile; parts smaller than `smallest` square pixels share one. O(parts).
TreemapLayout treemapLayout(
    std::span<const TreemapGroup> groups, const Rectangle& area, double header, double smallest = 4);

} // namespace highwater
