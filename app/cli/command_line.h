#pragma once

namespace highwater::cli {

/// Parses the arguments, runs the command, and returns the exit code (`ExitCode`). Errors are printed on
/// standard error, not thrown.
int runCommandLine(int argc, char** argv);

} // namespace highwater::cli
