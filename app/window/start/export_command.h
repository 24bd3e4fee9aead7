#pragma once

namespace highwater::gui {

struct CommandLine;

/// Runs `--export`: reads the files, writes the report or the figure, and prints errors to stderr. Opens no
/// window and no dialog. Returns the exit code: 0 done; 2 wrong usage, or the runs have no data for it; 3 a
/// file cannot be read or written; 4 a file is truncated (the part before that was exported).
int runExport(const CommandLine& line);

} // namespace highwater::gui
