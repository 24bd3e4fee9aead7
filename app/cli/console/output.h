#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace highwater::cli {

/// The standard streams of all commands. Printing never throws for a failed write: what went wrong with
/// standard output is kept and told once, by `finishOutput`; standard error has nobody left to tell.

/// Gives closed standard streams a file that can be neither read nor written, so that no file opened later
/// takes their place. To be called before anything is opened.
void reserveStandardStreams();

void writeOut(std::string_view text);
void writeErr(std::string_view text);

template <typename... Args>
void printOut(fmt::format_string<Args...> format, Args&&... args)
{
    writeOut(fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void printErr(fmt::format_string<Args...> format, Args&&... args)
{
    writeErr(fmt::format(format, std::forward<Args>(args)...));
}

/// One document with indentation and a line break; text that is no UTF-8 is replaced.
void printDocument(const nlohmann::ordered_json& document);

/// Writes out what is buffered. Fails with CannotRead and the system's reason if anything printed so far
/// did not arrive.
Result<void> finishOutput();

} // namespace highwater::cli
