#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/base/progress.h"

namespace highwater::cli {

/// Returns a token that requests a stop on the first SIGINT (Ctrl+C), SIGTERM or SIGHUP. The same signal ends
/// the program the second time. A signal that was ignored at the first call stays ignored.
StopToken interruptToken();

/// A progress line on standard error. It is shown only on a terminal and unless the command is quiet.
class TerminalProgress
{
public:
    TerminalProgress(const std::string& label, bool quiet);
    ~TerminalProgress();

    /// Returns null if no progress is shown. The sink exists until `clear`.
    ProgressSink* sink() const { return m_line.get(); }
    /// Wipes the line, so that other text can be printed; the next report draws it again.
    void wipe();
    /// Removes the line for good.
    void clear();

private:
    std::unique_ptr<ProgressSink> m_line;
};

/// Returns the width of a line of standard output in characters, for tables: the value of COLUMNS, else the
/// width of the terminal, and at least 40. Returns 0, for no limit, if neither is known, as for files.
std::size_t outputWidth();

/// Styles for text on standard output. They change nothing if it is not a terminal, or a dumb one (TERM), or
/// if NO_COLOR is set to some text.
class Style
{
public:
    static Style forStdout();
    std::string strong(const std::string& text) const;
    std::string quiet(const std::string& text) const;
    std::string warning(const std::string& text) const;

private:
    explicit Style(bool colours)
        : m_colours(colours)
    {
    }
    bool m_colours;
};

} // namespace highwater::cli
