#include "app/workspace/device_analysis.h"

namespace highwater::gui {

DeviceAnalysis::DeviceAnalysis(std::shared_ptr<const Trace> of, DeviceIndex index)
    : trace(std::move(of))
    , device(index)
    , figures(deviceFigures(*trace, index))
    , allocations(*trace, index)
    , curve(*trace, allocations)
    , sites(*trace, allocations)
    , live(allocations)
    , byEvent(*trace, index, AxisKind::Event)
    , byTime(*trace, index, AxisKind::Time)
    , bandModes(usefulBandModes(*trace, live, sites))
    , siteGroups(std::make_shared<const BandGroups>(
          groupBands(*trace, live, sites, figures.peakEvent, BandMode::Site)))
    , sitePalette(std::make_shared<const BandPalette>(siteGroups, live))
{
}

} // namespace highwater::gui
