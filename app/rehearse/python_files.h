#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/rehearse/rehearsal_folder.h"
#include "core/base/result.h"

namespace highwater::rehearse {

/// Fails with CannotRead.
Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);

/// Writes the modules that begin in every Python of a command whose environment has `pythonPath`. Fails with
/// CannotRead.
Result<void> writePythonFiles(const RehearsalFolder& folder);

/// "PYTHONPATH=…": these modules, then what this program's environment names.
std::string pythonPath(const RehearsalFolder& folder);

} // namespace highwater::rehearse
