#pragma once

#include <string_view>

#include "importers/cupti_text/record_list.h"
#include "importers/source/byte_source.h"

namespace highwater::cupti_text {

/// Whether one of the first lines is a memory record as NVIDIA's sample `cuda_memory_trace` prints it.
bool sniffPrintedRecords(std::string_view prefix);

/// Reads such a text line by line: records on one line (CUDA 11) or on three or more (CUDA 12), with their
/// fields in any order; other lines are skipped. A record without a usable time, operation, address or size
/// is counted as unreadable.
RecordList readPrintedRecords(ByteSource& source, std::uint64_t maxMemoryBytes);

/// The sample of CUDA 12.4 prints process, correlation and stream under the names of stream, process and
/// correlation. Recognised by the columns' values: correlations are nearly all different, processes are few.
/// Moves the numbers to the right columns; false: they were right.
bool putNumbersRight(std::vector<nsys::MemoryRow>& rows);

} // namespace highwater::cupti_text
