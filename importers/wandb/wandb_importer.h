#pragma once

#include <memory>
#include <string_view>

#include "importers/importer.h"

namespace highwater {

/// Whether the content begins like a run that W&B wrote offline.
bool sniffWandb(std::string_view prefix);

/// Reads `run-….wandb`: history and system statistics become series named by their keys, the recorded console
/// text is read as a log. Configuration, environment and host are left alone: they can hold secrets.
Result<ImportedTrace> importWandb(std::unique_ptr<ByteSource> source, const ImportOptions& options);

} // namespace highwater
