#pragma once

#include <string_view>

namespace highwater::logs {

/// What a text is, where it is no output of a run.
struct TextKind
{
    std::string_view name; ///< "Python source code", static; empty: any text
    /// No run writes such text in front of its output, as some write their script: nothing in it is a
    /// message.
    bool isProgram = false;
};

/// By the lines that it begins with.
TextKind textKind(std::string_view prefix);

} // namespace highwater::logs
