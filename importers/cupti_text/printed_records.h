#pragma once

#include <string_view>

#include "importers/cupti_text/record_list.h"
#include "importers/source/byte_source.h"

namespace highwater::cupti_text {

/// True if one of the first 64 lines begins a memory or pool record as NVIDIA's sample `cuda_memory_trace`
/// prints it.
bool sniffPrintedRecords(std::string_view prefix);

/// Reads text that the sample printed, line by line. A record takes one line (CUDA 11) or at least three
/// (CUDA 12), with its fields in any order; other lines are skipped. A memory record without a usable time,
/// operation, address or size is counted as unreadable; so is a pool record without a time or address.
RecordList readPrintedRecords(ByteSource& source, std::uint64_t maxMemoryBytes);

/// Corrects a bug of the CUDA 12.4 sample, which prints process, correlation and stream under the names
/// stream, process and correlation. The columns' values reveal it: correlations mostly differ from row to
/// row, processes do not. Fewer than three rows are judged one by one. Moves the numbers to their own
/// columns. Returns false, without any change, if the values do not reveal the bug. O(rows).
bool restoreSwappedNumbers(std::vector<nsys::MemoryRow>& rows);

} // namespace highwater::cupti_text
