#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// True if the text begins as a Chrome trace of torch.profiler (Kineto): an object with `traceEvents`, or a
/// bare list of events. Format: FORMAT.md; writers: libkineto's output_json.cpp, torch/csrc/profiler.
bool sniffKineto(std::string_view prefix);

/// Each (device type, device id) with `[memory]` or `[OutOfMemory]` instants becomes a device that measures
/// Allocated, its events in order of (time, Ev Idx). Host annotations and profiler steps become spans of all
/// devices. The operators, modules and Python frames that surround an instant on its thread become its stack.
Result<ImportedTrace> importKineto(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
