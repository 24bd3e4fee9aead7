#include "app/cli/console/terminal.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/cli/console/output.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater::cli {

namespace {

/// Returns the end of a path, which has the file's name, so that it fits into `columns`.
std::string fittedPath(const std::string& text, std::size_t columns)
{
    if (text.size() <= columns)
        return text;
    std::size_t begin = text.size() - columns + 1;
    while (begin < text.size() && isContinuationByte(text[begin]))
        ++begin;
    return "…" + text.substr(begin);
}

/// Returns the width of the terminal on standard error, or 80.
std::size_t progressWidth()
{
    struct winsize size = {};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

class ProgressLine : public ProgressSink
{
public:
    explicit ProgressLine(std::string label)
        : m_label(std::move(label))
    {
    }
    void progressed(std::uint64_t done, std::uint64_t total) override
    {
        const bool isRead = total > 0 && done >= total;
        const std::string state = isRead ? std::string("analysing")
            : total > 0
            ? fmt::format("{:3.0f}% of {}", 100.0 * static_cast<double>(done) / static_cast<double>(total),
                formatBytes(static_cast<Bytes>(total)))
            : formatBytes(static_cast<Bytes>(done));
        const std::size_t room = progressWidth() - std::min(progressWidth(), state.size() + 3);
        printErr("\r\033[K{}  {}", fittedPath(m_label, room), state);
        std::fflush(stderr);
    }

private:
    std::string m_label;
};

const StopToken& sharedToken()
{
    static const StopToken token;
    return token;
}

extern "C" void onSignal(int)
{
    sharedToken().requestStop(); // one relaxed store to a lock-free atomic
}

/// Handles a signal: the first one requests a stop, so that half-written files are removed; the second one
/// ends the program at once. A signal that is ignored, as under nohup, stays ignored.
void installHandler(int signal)
{
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = {};
    action.sa_handler = onSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(signal, &action, nullptr);
}

} // namespace

StopToken interruptToken()
{
    static const bool installed = [] {
        sharedToken();
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            installHandler(signal);
        // Exceeding `ulimit -f` becomes a write error instead of ending the program.
        ::signal(SIGXFSZ, SIG_IGN);
        return true;
    }();
    (void)installed;
    return sharedToken();
}

TerminalProgress::TerminalProgress(const std::string& label, bool quiet)
{
    if (!quiet && ::isatty(STDERR_FILENO))
        m_line = std::make_unique<ProgressLine>(sanitizedText(label));
}

TerminalProgress::~TerminalProgress()
{
    clear();
}

void TerminalProgress::wipe()
{
    if (m_line)
        printErr("\r\033[K");
}

void TerminalProgress::clear()
{
    wipe();
    m_line.reset();
}

std::size_t outputWidth()
{
    constexpr std::size_t kLeastWidth = 40; // narrower tables would show no text
    const char* columnsText = std::getenv("COLUMNS");
    if (const auto columns = parsedNumber<std::size_t>(columnsText ? columnsText : "");
        columns && *columns > 0)
        return std::max(*columns, kLeastWidth);
    struct winsize size = {};
    const bool isTerminal = ::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return isTerminal && size.ws_col > 0 ? std::max<std::size_t>(size.ws_col, kLeastWidth) : 0;
}

Style Style::forStdout()
{
    const char* noColour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool isDumb = terminal && std::string_view(terminal) == "dumb";
    return Style(::isatty(STDOUT_FILENO) && !isDumb && (!noColour || !*noColour));
}

std::string Style::strong(const std::string& text) const
{
    return m_colours ? "\033[1m" + text + "\033[0m" : text;
}

std::string Style::quiet(const std::string& text) const
{
    return m_colours ? "\033[2m" + text + "\033[0m" : text;
}

std::string Style::warning(const std::string& text) const
{
    return m_colours ? "\033[33m" + text + "\033[0m" : text;
}

} // namespace highwater::cli
