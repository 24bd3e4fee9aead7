#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/rehearse/child_process.h"
#include "app/rehearse/rehearsal_folder.h"
#include "core/base/result.h"

namespace highwater::rehearse {

/// Writes a file. Fails with CannotRead.
Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);

/// Writes the modules that every Python of the command loads at its start (`followingEnvironment`) into
/// "python" of the folder. Fails with CannotRead.
Result<void> writePythonFiles(const RehearsalFolder& folder);

/// Writes a stand-in for nvidia-smi into "bin" of the folder. Fails with CannotRead.
Result<void> writeNvidiaSmi(const RehearsalFolder& folder);

/// Writes the library with all stand-ins and returns its path. Fails with CannotRead.
Result<std::string> writeStandIns(const RehearsalFolder& folder);

/// Returns the environment variables that make every Python of the command load the modules. The stand-in
/// library is preloaded, and restores the variables in programs that are started with another environment
/// (stand_ins/follow_processes.c).
Environment followingEnvironment(const RehearsalFolder& folder, const std::string& standIns);

} // namespace highwater::rehearse
