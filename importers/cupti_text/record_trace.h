#pragma once

#include "core/trace/trace_builder.h"
#include "importers/cupti_text/record_list.h"

namespace highwater::cupti_text {

/// Fills the builder with metadata, devices, events and pool counters, as importers/nsys/event_rows.h does
/// for an Nsight Systems export, which has the same kind of records. Sorts the records by time, O(n log n).
void fillTrace(RecordList list, TraceBuilder& builder);

} // namespace highwater::cupti_text
