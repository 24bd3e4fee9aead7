#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/rehearse/child_process.h"
#include "app/rehearse/rehearsal_folder.h"
#include "core/base/result.h"

namespace highwater::rehearse {

/// Fails with CannotRead.
Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);

/// Writes the modules that begin in every Python of a command whose environment has `pythonPath`. Fails with
/// CannotRead.
Result<void> writePythonFiles(const RehearsalFolder& folder);

/// Programs that tell of GPUs, in "bin" of the folder. Fails with CannotRead.
Result<void> writePrograms(const RehearsalFolder& folder);

/// The library with all stand-ins; its path.
Result<std::string> writeStandIns(const RehearsalFolder& folder);

/// What leads every Python that the command starts to these files. The library is preloaded, and puts that
/// back into the environment of programs that get one of their own (stand_ins/follow_processes.c).
Environment followingEnvironment(const RehearsalFolder& folder, const std::string& standIns);

} // namespace highwater::rehearse
