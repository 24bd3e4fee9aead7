#pragma once

#include <memory>
#include <optional>

#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/allocator/settings_advice.h"

namespace highwater::test {

/// A device of a trace with everything that a replay of its allocator needs.
struct ReplayedRun
{
    explicit ReplayedRun(std::shared_ptr<const Trace> of, DeviceIndex device = 0)
        : trace(std::move(of))
        , allocations(*trace, device)
        , live(allocations)
        , curve(*trace, allocations)
        , history(*trace, allocations, live)
        , figures(deviceFigures(*trace, device))
        , script(allocationScript(history, curve, knownCapacity(trace->devices[device], figures.ooms, curve)))
    {
    }

    WhatIfResult asRecorded() const { return replay(*script, {script->settings, {}}); }
    WhatIfResult with(const AllocatorSettings& settings) const { return replay(*script, {settings, {}}); }
    ReplayFidelity fidelity() const { return compareWithRecording(*script, asRecorded()); }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    UsageCurve curve;
    SegmentHistory history;
    DeviceFigures figures;
    Result<AllocationScript> script;
};

} // namespace highwater::test
