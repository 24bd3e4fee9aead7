#pragma once

#include <memory>
#include <string_view>

#include "core/trace/trace.h"
#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// PyTorch memory snapshots: pickle of a dict or of a list of segments, JSON, HTML page with an embedded
/// pickle. Format: FORMAT.md; writers: torch/cuda/memory.py, memory_snapshot.cpp.
enum class SnapshotContainer
{
    None,
    Pickle,
    Json,
    HtmlPage
};

/// What the beginning of a file looks like. A pickle can only be told by its opcodes, whatever it holds.
SnapshotContainer sniffSnapshot(std::string_view prefix);

Result<ImportedTrace> importSnapshot(
    SnapshotContainer container, std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
