#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// Files of torch.profiler's `export_memory_timeline`: levels of eight categories, or every change, as lists
/// of numbers; or a page with a picture of them. Format: FORMAT.md; writer:
/// torch/profiler/_memory_profiler.py.
bool sniffMemoryTimeline(std::string_view prefix);
bool sniffMemoryTimelinePage(std::string_view prefix);

/// One device; the file does not name it, so its kind is inferred from its sizes: PyTorch's GPU allocator
/// makes blocks of multiples of 512 bytes, which are then Allocated bytes; all else is CPU memory in
/// Requested ones. Changes become allocations by size and category, levels become layers; either way every
/// level is exact. The import log lists these assumptions. Events carry the profiler's category. Read as a
/// stream.
Result<ImportedTrace> importMemoryTimeline(std::unique_ptr<ByteSource> source, const ImportOptions& options);

/// Fails with UnknownFormat: the page has a picture and no figures.
Result<ImportedTrace> importMemoryTimelinePage(
    std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
