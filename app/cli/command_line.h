#pragma once

namespace highwater::cli {

/// Parses the arguments, runs the command, and returns the exit code.
int runCommandLine(int argc, char** argv);

} // namespace highwater::cli
