#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/figure/raster/column_painter.h"

namespace highwater {

/// The bands of one moment as a tree over their places in the stack: eight adjacent bands make a node, eight
/// nodes the node above. A node stores the live bytes below it and its largest band, so that bands that share
/// a pixel are painted as one. Moving to another moment updates only the allocations that begin or end in
/// between.
class BandTree
{
public:
    /// `places` are the allocations of all moments in stacking order, initially not live. Takes about 12
    /// bytes for each, 15 with emphasis. The arguments must outlive the tree.
    BandTree(const AllocationTable& allocations, const std::vector<AllocationIndex>& places,
        const std::vector<bool>* emphasis);

    /// Toggles places between live and not live; the places must ascend. O(places × log n), less for adjacent
    /// places.
    void toggle(std::span<const std::uint32_t> places);

    /// Paints one column. O(height × log n), independent of the number of bands.
    void paint(ColumnPainter& painter) const;

private:
    static constexpr std::size_t kFanOut = 8;

    /// The nodes of one level; kFanOut adjacent nodes have the same parent.
    struct Level
    {
        std::vector<Bytes> bytes;
        std::vector<BandClaim> largest; ///< Largest band that is not emphasised
        std::vector<BandClaim> largestEmphasised; ///< Largest emphasised band; empty without emphasis
        std::vector<Bytes> emphasisedBytes; ///< Emphasised bytes; empty without emphasis
    };

    void sumBands(std::size_t node);
    void sumNodes(std::size_t levelIndex, std::size_t node);
    void paintNodes(std::size_t levelIndex, std::size_t node, std::size_t end, ColumnPainter& painter) const;
    void paintBands(std::size_t firstPlace, ColumnPainter& painter) const;
    bool isEmphasised(std::size_t place) const { return m_emphasis && (*m_emphasis)[m_places[place]]; }

    const AllocationTable& m_allocations;
    const std::vector<AllocationIndex>& m_places;
    const std::vector<bool>* m_emphasis;
    std::vector<Bytes> m_bytes; ///< Bytes of each place; 0 while it is not live
    std::vector<Level> m_levels; ///< From the nodes of kFanOut places up to a single node
    std::vector<std::uint32_t> m_touched;
};

} // namespace highwater
