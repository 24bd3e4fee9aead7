#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// Runs a program and returns its standard output. Its standard error is this program's. Fails with
/// BadRequest if it cannot be started, ends with an exit code other than 0, or is ended since it wrote more
/// than 64 MiB.
Result<std::string> captureOutput(const std::vector<std::string>& command);

/// Environment variables as entries of the form "NAME=VALUE".
using Environment = std::vector<std::string>;

/// The way in which a child process ended.
struct ChildEnd
{
    int exitCode = 0; ///< 128 plus the signal's number if a signal ended it
    bool isInterrupted = false; ///< a signal to this program was passed on to it
    bool isOverLimit = false; ///< it was stopped at its time limit
    bool hasLeftProcesses = false; ///< processes that it started were still running 3 s after its end
};

/// The destination of a program's standard output.
enum class ChildOutput
{
    Kept, ///< goes to this program's standard output
    ToErrors, ///< goes to this program's standard error
    /// Is dropped; standard error goes to a file or is dropped, too. Processes that the child leaves running
    /// are ended.
    Discarded,
};

/// Returns true if the process ends within this time or has ended before, or if the system cannot observe
/// processes (Linux before 5.3).
bool endsWithin(int process, std::chrono::milliseconds time);

/// Runs a program with a changed environment and waits for its end, and up to 3 s for processes that it left
/// running. Discarded standard error goes to the file `errorsPath`, if there is one. SIGINT, SIGTERM and
/// SIGHUP that arrive meanwhile are passed on to it. The child is killed when the calling thread or the whole
/// program ends, so call this function in the main thread. At the time limit the child gets SIGTERM, and
/// SIGKILL if it then does not end within 20 s; before Linux 5.3 there is no limit. Fails with BadRequest if
/// it cannot be started. Throws WorkCancelled if a stop was requested before.
Result<ChildEnd> runChild(const std::vector<std::string>& command, const Environment& changes,
    ChildOutput output, std::optional<std::chrono::seconds> limit = std::nullopt,
    const std::string& errorsPath = {});

} // namespace highwater::rehearse
