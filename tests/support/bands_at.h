#pragma once

#include <vector>

#include "core/figure/raster/band_raster.h"

namespace highwater::test {

/// Returns all bands of a moment, from the bottom up.
inline std::vector<Band> bandsAt(
    const LiveIndex& index, std::int64_t event, const BandGroups* groups = nullptr)
{
    std::vector<Band> bands;
    visitBands(index, event, groups, [&bands](const Band& band) { bands.push_back(band); });
    return bands;
}

} // namespace highwater::test
