#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace highwater::cli {

// The standard streams of all commands. A failed write does not throw: `finishOutput` returns the first error
// of standard output; errors of standard error are ignored.

/// Replaces closed standard streams by files with which reading and writing fail, so that no file opened
/// later takes their place. To be called before anything is opened.
void reserveStandardStreams();

/// Writes text as it is to standard output. `printOut` formats it first.
void writeOut(std::string_view text);
/// Writes text as it is to standard error. `printErr` formats it first.
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

/// While this object exists, text that its thread prints is collected in `out` and `err` instead of being
/// printed. Objects may be nested; the innermost one collects.
class CapturedOutput
{
public:
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    std::string out;
    std::string err;

private:
    CapturedOutput* m_outer;
};

/// Prints one document with indentation and a line break; invalid UTF-8 is replaced.
void printDocument(const nlohmann::ordered_json& document);

/// Flushes standard output. Fails with CannotRead and the system's reason if anything printed so far could
/// not be written.
Result<void> finishOutput();

} // namespace highwater::cli
