#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

// Files of torch.profiler's `export_memory_timeline`. Format: FORMAT.md; writer:
// torch/profiler/_memory_profiler.py.

/// True for the beginning of a file of lists of numbers, with either the levels of eight categories or every
/// change.
bool sniffMemoryTimeline(std::string_view prefix);
/// True for the beginning of an HTML page with a picture of a timeline.
bool sniffMemoryTimelinePage(std::string_view prefix);

/// Creates one device, or none if the file lists no tensor. The file does not name it: if all sizes allocated
/// or freed in the trace are multiples of 512 bytes, as the blocks of PyTorch's GPU allocator, they are taken
/// for Allocated bytes of GPU 0, otherwise for Requested bytes of CPU memory. If nothing is allocated or
/// freed in the trace, GPU 0 is assumed.
/// Changes become allocations by size and category, levels become layers; totals are exact where the file's
/// are not negative. The import log lists these assumptions. Events carry the profiler's category.
Result<ImportedTrace> importMemoryTimeline(std::unique_ptr<ByteSource> source, const ImportOptions& options);

/// Always fails with UnknownFormat, because the page has a picture but no figures.
Result<ImportedTrace> importMemoryTimelinePage(
    std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
