#pragma once

#include <string_view>

#include "importers/cupti_text/record_list.h"
#include "importers/source/byte_source.h"

namespace highwater::cupti_text {

/// True if the first line that is neither blank nor a comment (#) is a header with a time, an operation, an
/// address and a size, separated by commas, semicolons or tabs.
bool sniffCsvRecords(std::string_view prefix);

/// Reads a table of memory records, one operation per row. Columns are recognized by name, in any order;
/// case, blanks and punctuation of names do not matter. Each item below lists the names of one column, then
/// its values:
///
/// - timestamp, start, time, timestamp_ns, start_ns, time_ns: nanoseconds
/// - operation, memoryOperationType, memoryOperation, operationType, op, action: words (allocate, alloc,
///   release, free, deallocation …) or numbers
/// - address, addr, ptr, pointer: decimal, or hexadecimal with 0x
/// - bytes, size, numBytes, size_bytes: bytes
/// - kind, memoryKind, memKind: words (device, pinned, managed, device static …) or numbers; device if absent
/// - deviceId, device, devId: a number; 0 if absent
/// - optional columns: contextId (context, ctxId), streamId (stream), processId (procId, pid), correlationId
///   (corrId), memoryPoolAddress, memoryPoolSize, memoryPoolUtilizedSize (utilizedSize); the last three may
///   begin with "local", as in Nsight Systems
///
/// Numbers of operations and kinds are CUPTI's (1 allocation, 2 release; 3 device). If an operation is 0,
/// which CUPTI does not use, all numbers are those of Nsight Systems (0 allocation, 1 deallocation; 2
/// device). A row without a usable time, operation, address or size is counted as unreadable.
RecordList readCsvRecords(ByteSource& source, std::uint64_t maxMemoryBytes);

} // namespace highwater::cupti_text
