#pragma once

#include <string_view>

namespace highwater::logs {

/// The kind of a text that is not the output of a run.
struct TextKind
{
    std::string_view name; ///< for example "Python source code"; static; empty for other text
    /// True if no run prints text of this kind, so nothing in it is a message. Some runs print their Python
    /// or shell script first, so those are not included.
    bool isProgram = false;
};

/// Judges a text by how its first 60 lines begin: at least three must begin as in one kind of text.
TextKind textKind(std::string_view prefix);

} // namespace highwater::logs
