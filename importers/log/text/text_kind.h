#pragma once

#include <string_view>

namespace highwater::logs {

/// The kind of a text that is not the output of a run.
struct TextKind
{
    std::string_view name; ///< for example "Python source code"; static; empty for other text
    /// True if no run prints such text before its output (as some print their script), so that nothing in it
    /// is a message.
    bool isProgram = false;
};

/// Judges by the first lines.
TextKind textKind(std::string_view prefix);

} // namespace highwater::logs
