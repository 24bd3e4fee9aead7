#pragma once

#include "core/trace/trace_builder.h"
#include "importers/cupti_text/record_list.h"

namespace highwater::cupti_text {

/// Fills the builder with devices, events and pool counters, as for an Nsight Systems export
/// (importers/nsys/event_rows.h), which holds the same kind of records. Sorts the records by time.
void fillTrace(RecordList list, TraceBuilder& builder);

} // namespace highwater::cupti_text
