#pragma once

#include <memory>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/run_diff.h"
#include "tests/support/trace_from_text.h"

namespace highwater::test {

/// Returns the trace for this notation, in which allocations that are live at the end are blocks.
inline std::shared_ptr<const Trace> traceToTheEnd(const std::string& text)
{
    return traceFromText(text + "end\n");
}

/// Returns one side of a comparison: everything that is live at the peak.
inline DiffInput atPeak(const DeviceStudy& study)
{
    return {study.trace, study.allocations, study.sites, &study.categories,
        study.allocations.liveAt(study.curve.peak().event)};
}

} // namespace highwater::test
