#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// Files of torch.profiler's `export_memory_timeline`: lists of numbers with either the levels of eight
/// categories or every change, or an HTML page with a picture of them. Format: FORMAT.md; writer:
/// torch/profiler/_memory_profiler.py.
bool sniffMemoryTimeline(std::string_view prefix);
bool sniffMemoryTimelinePage(std::string_view prefix);

/// Creates one device. The file does not name it, so its kind is inferred from the sizes. PyTorch's GPU
/// allocator uses blocks of multiples of 512 bytes: if all sizes are such multiples, they are taken for
/// Allocated bytes of a GPU, otherwise for Requested bytes of CPU memory. Changes become allocations by size
/// and category, levels become layers; in both cases every level is exact. The import log lists these
/// assumptions. Events carry the profiler's category. Reads the file as a stream.
Result<ImportedTrace> importMemoryTimeline(std::unique_ptr<ByteSource> source, const ImportOptions& options);

/// Always fails with UnknownFormat, because the page has a picture but no figures.
Result<ImportedTrace> importMemoryTimelinePage(
    std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
