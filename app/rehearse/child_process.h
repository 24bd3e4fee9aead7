#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// What a program writes to standard output, at most 64 MiB. Its own errors go where this program's go. Fails
/// with BadRequest: it cannot be started, or ends with another code than 0.
Result<std::string> outputOf(const std::vector<std::string>& command);

/// "NAME=VALUE".
using Environment = std::vector<std::string>;

struct ChildEnd
{
    int exitCode = 0; ///< 128 and the signal's number where a signal ended it
    bool isInterrupted = false; ///< a signal was passed on to it
    bool isOverLimit = false; ///< it was stopped
    bool leavesProcesses = false; ///< that it started, itself or by another one, and that run still
};

/// Where a program's standard output goes.
enum class ChildOutput
{
    Kept,
    ToErrors, ///< to standard error
    Discarded, ///< nowhere, and standard error to a file, or nowhere either; what it leaves running is ended
};

/// Whether the process ends within this time, or is gone; also true where the system cannot tell.
bool endsWithin(int process, std::chrono::milliseconds time);

/// Runs a program with these changes of the environment and waits for it. SIGINT, SIGTERM and SIGHUP that
/// arrive meanwhile are passed on. It is killed when the thread that called this ends, as with the program
/// itself: call it in the main thread. After the limit it gets SIGTERM, and SIGKILL where it does not end of
/// that; systems before Linux 5.3 have no limits. Fails with BadRequest: it cannot be started.
Result<ChildEnd> runChild(const std::vector<std::string>& command, const Environment& changes,
    ChildOutput output, std::optional<std::chrono::seconds> limit = std::nullopt,
    const std::string& errorsPath = {});

} // namespace highwater::rehearse
