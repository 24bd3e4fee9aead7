#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// True if the content begins like the file of a run that W&B recorded offline.
bool sniffWandb(std::string_view prefix);

/// Reads `run-….wandb`: history and system statistics become series named by their keys, and the recorded
/// console text is read as a log. Ignores configuration, environment and host, which can contain secrets.
Result<ImportedTrace> importWandb(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
