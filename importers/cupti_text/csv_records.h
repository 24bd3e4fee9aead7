#pragma once

#include <string_view>

#include "importers/cupti_text/record_list.h"
#include "importers/source/byte_source.h"

namespace highwater::cupti_text {

/// Whether the first line that is neither blank nor a comment (#) heads a table with a time, an operation, an
/// address and a size, separated by commas, semicolons or tabs.
bool sniffCsvRecords(std::string_view prefix);

/// Reads a table of memory records: one row an operation, columns by their names, in any order; case, blanks
/// and punctuation of names do not matter.
///
/// | column | names | values |
/// |---|---|---|
/// | time | timestamp, start, time, timestamp_ns, start_ns, time_ns | nanoseconds |
/// | operation | operation, memoryOperationType, operationType, op, action | words (allocate, alloc, release,
/// free, deallocation …) or numbers | | address | address, addr, ptr, pointer | decimal, or hexadecimal with
/// 0x | | size | bytes, size, numBytes, size_bytes | bytes | | kind | kind, memoryKind, memKind | words
/// (device, pinned, managed, device static …) or numbers; device if absent | | device | deviceId, device,
/// devId | 0 if absent | | others | contextId, streamId, processId or pid, correlationId, memoryPoolAddress,
/// memoryPoolSize, memoryPoolUtilizedSize; with "local" in front as Nsight Systems has them | optional |
///
/// Numbers of operations and kinds are CUPTI's (1 allocation, 2 release; 3 device). Where an operation is 0,
/// which CUPTI does not know, they are those of Nsight Systems (0 allocation, 1 deallocation; 2 device).
/// A row that lacks a usable time, operation, address or size is counted as unreadable.
RecordList readCsvRecords(ByteSource& source, std::uint64_t maxMemoryBytes);

} // namespace highwater::cupti_text
