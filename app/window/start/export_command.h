#pragma once

namespace highwater::gui {

struct CommandLine;

/// Runs `--export`: reads the files, writes the report or the figure, and prints errors to stderr. Opens no
/// window and no dialog. Returns the exit code: 0 if done; 2 for wrong usage, or if the runs lack the data; 3
/// if a file, even one of several, cannot be read or written; 4 if a file is truncated (the part before the
/// cut was exported).
int runExport(const CommandLine& line);

} // namespace highwater::gui
