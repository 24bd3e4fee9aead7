#pragma once

#include <memory>
#include <string_view>

#include "core/trace/trace.h"
#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// The container of a PyTorch memory snapshot: a pickle of a dict or of a list of segments, JSON, or an HTML
/// page with an embedded pickle. Format: FORMAT.md; writers: torch/cuda/memory.py, memory_snapshot.cpp.
enum class SnapshotContainer
{
    None,
    Pickle,
    Json,
    HtmlPage
};

/// Judges by the beginning of the file. A pickle is recognized only by its opcodes, whatever its content.
SnapshotContainer sniffSnapshot(std::string_view prefix);

/// Reads a snapshot in this container, which must not be None. A file that ends early or is damaged gives
/// what was read before (`ImportedTrace::incomplete`), or the error if that is nothing.
Result<ImportedTrace> importSnapshot(
    SnapshotContainer container, std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
