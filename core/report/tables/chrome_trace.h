#pragma once

#include <string>
#include <vector>

#include "core/analysis/device/device_study.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/table/sinks/table_writer.h"

namespace highwater {

/// Optional content of the trace.
struct ChromeTraceOptions
{
    std::string title; ///< Name of the device's track group, usually the file's name
    std::vector<AuxiliaryLine> auxiliaryFiles; ///< Each becomes a counter
};

/// Writes a device as a chrome trace (JSON object with `traceEvents`), which Perfetto and chrome://tracing
/// open: counters of the live bytes, of each category and of the reserved bytes at every change; steps,
/// phases and annotations as slices; out-of-memory events as instants; kernels, copies and calls if the trace
/// contains them. Times are microseconds since the first item, whose own time is in
/// `otherData.baseTimeNanoseconds`; if the file has no times, an event takes one microsecond. Returns false
/// if the sink failed. O(events + spans + activities); memory does not grow with the text. Format: the Trace
/// Event Format of Chromium, as Perfetto reads it.
bool writeChromeTrace(const DeviceStudy& study, const ChromeTraceOptions& options, const TextSink& sink);

} // namespace highwater
