#pragma once

namespace highwater::gui {

struct CommandLine;

/// Does what `--export` says: reads the files, writes the report or the figure, and says on stderr what went
/// wrong. No window, no dialog. Returns the exit code: 0 done; 2 wrong usage, or the runs have nothing
/// of the kind; 3 a file cannot be read or written; 4 a file ends early (what there is was written).
int runExport(const CommandLine& line);

} // namespace highwater::gui
