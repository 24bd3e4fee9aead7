#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// True if the first lines are those of CUPTI memory records as text: the output of NVIDIA's sample
/// `cuda_memory_trace` from CUDA 11 or 12, or a table with a header (`readCsvRecords` lists its columns).
/// Format: FORMAT.md.
bool sniffCuptiText(std::string_view prefix);

/// Devices measure DeviceUsed: the bytes that the program allocated from the driver. Pinned host memory is a
/// device of its own, and so is each process's memory if several processes use the same device number. A free
/// without a recorded allocation ends a block of the same size, allocated before recording began. Memory pool
/// figures become counters.
Result<ImportedTrace> importCuptiText(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
