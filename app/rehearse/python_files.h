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

/// Writes the modules that start in every Python of a command whose environment has `pythonPath`. Fails with
/// CannotRead.
Result<void> writePythonFiles(const RehearsalFolder& folder);

/// Writes programs that report GPUs into "bin" of the folder. Fails with CannotRead.
Result<void> writePrograms(const RehearsalFolder& folder);

/// Writes the library with all stand-ins and returns its path.
Result<std::string> writeStandIns(const RehearsalFolder& folder);

/// Returns the environment that leads every Python that the command starts to these files. The library is
/// preloaded, and restores these variables in programs that get another environment
/// (stand_ins/follow_processes.c).
Environment followingEnvironment(const RehearsalFolder& folder, const std::string& standIns);

} // namespace highwater::rehearse
