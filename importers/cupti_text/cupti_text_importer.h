#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// CUPTI activity records of memory as text: the output of NVIDIA's sample `cuda_memory_trace`, of CUDA 11
/// and 12, or a table with a header (`readCsvRecords` lists its columns). Told by the first lines alone.
/// Format: FORMAT.md.
bool sniffCuptiText(std::string_view prefix);

/// Devices are of quantity DeviceUsed: what the program took from the driver; pinned memory of the host is a
/// device of its own, and so is each process's where several use one number. Frees of what was never
/// allocated end memory older than the records, of their own size. Figures of memory pools become counters.
/// Lines are read one by one.
Result<ImportedTrace> importCuptiText(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
