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
    , sitesAtPeak(siteTotalsAt(live, sites, figures.peakEvent))
{
}

} // namespace highwater::gui
