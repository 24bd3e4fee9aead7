#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Finds the events of a trace without parsing its JSON, which may be invalid: cut off, or with unescaped
/// quotes in a name (Kineto before 2026, pytorch issue 146900).
namespace highwater::kineto {

/// The longest event that is read. An object that seems longer is taken for one with an unescaped quote.
inline constexpr std::size_t kMaxEventBytes = 256 * 1024;

/// The parts of a text whose JSON may be invalid.
struct BrokenText
{
    /// JSON object of the entries before `traceEvents`; empty for a bare list, and without events.
    std::string head;
    /// Position after the bracket that opens the events; the text's size if there is no bracket.
    std::size_t firstEvent = 0;
};

/// Finds the events by the first key `traceEvents`, or by a bracket that begins the text. O(bytes before the
/// events).
BrokenText splitBrokenText(std::string_view text);

/// Returns the entries that follow the events as a JSON object, which is as incomplete as the text.
/// `position` is after the bracket that closes the events.
std::string entriesAfterEvents(std::string_view text, std::size_t position);

/// Returns the position of the last comma that seems to separate two events; 0 if there is none. It may find
/// a comma within a name; the text before that comma is then not valid JSON.
std::size_t lastEventComma(std::string_view text);

/// The bytes [begin, end) of the text.
struct TextRange
{
    std::size_t begin = 0;
    std::size_t end = 0;
    bool isWhole = false; ///< a complete object, from brace to brace
};

/// Finds the events of a text one by one. Looks for the end of an event in at most kMaxEventBytes.
class EventFinder
{
public:
    EventFinder(std::string_view text, std::size_t position)
        : m_text(text)
        , m_position(position)
    {
    }

    /// Returns nothing at the end of the events or of the text. Anything but an object gives a range of one
    /// byte.
    std::optional<TextRange> next();
    /// Continues at the next brace after the begin of `range` that is followed by the key "ph", with which
    /// events begin. Returns false if there is none in the text.
    bool skipToNextEvent(const TextRange& range);
    /// True if the bracket that closes the events was reached.
    bool sawEnd() const { return m_sawEnd; }
    std::size_t position() const { return m_position; }

private:
    TextRange objectAt(std::size_t begin) const;

    std::string_view m_text;
    std::size_t m_position;
    bool m_sawEnd = false;
};

} // namespace highwater::kineto
