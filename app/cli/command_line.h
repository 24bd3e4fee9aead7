#pragma once

namespace highwater::cli {

/// Parses the arguments, runs the command, and returns the exit code (`ExitCode`). Never throws: every error
/// is printed on standard error.
int runCommandLine(int argc, char** argv);

} // namespace highwater::cli
