#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// Runs a program and returns its standard output, of at most 64 MiB. Its standard error is this program's.
/// Fails with BadRequest if it cannot be started or ends with an exit code other than 0.
Result<std::string> outputOf(const std::vector<std::string>& command);

/// Entries of the form "NAME=VALUE".
using Environment = std::vector<std::string>;

struct ChildEnd
{
    int exitCode = 0; ///< 128 plus the signal's number if a signal ended it
    bool isInterrupted = false; ///< a signal was passed on to it
    bool isOverLimit = false; ///< it was stopped at its time limit
    bool leavesProcesses = false; ///< it started processes, directly or not, that are still running
};

/// The destination of a program's standard output.
enum class ChildOutput
{
    Kept,
    ToErrors, ///< standard error
    /// Nowhere, with standard error to a file or nowhere; processes that it leaves running are ended.
    Discarded,
};

/// True if the process ends within this time or is already gone; also true if the system cannot find out.
bool endsWithin(int process, std::chrono::milliseconds time);

/// Runs a program with these changes of the environment and waits for it. SIGINT, SIGTERM and SIGHUP that
/// arrive meanwhile are passed on to it. It is killed when the thread that called this function ends, or the
/// whole program: call it in the main thread. At the limit it gets SIGTERM, and SIGKILL if it does not end
/// then; systems before Linux 5.3 have no limits. Fails with BadRequest if it cannot be started.
Result<ChildEnd> runChild(const std::vector<std::string>& command, const Environment& changes,
    ChildOutput output, std::optional<std::chrono::seconds> limit = std::nullopt,
    const std::string& errorsPath = {});

} // namespace highwater::rehearse
