#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Finds the events of a trace without parsing its JSON, which may be invalid: cut off, or with unescaped
/// quotes in a name (Kineto before 2026, pytorch issue 146900).
namespace highwater::kineto {

/// No event is longer; an object that seems to be has a quote too many.
inline constexpr std::size_t kMaxEventBytes = 256 * 1024;

struct BrokenText
{
    std::string head; ///< the entries before `traceEvents` as a separate object; empty if there are none
    std::size_t firstEvent = 0; ///< after the bracket that opens the events; the text's size without one
};

BrokenText partsOf(std::string_view text);

/// Returns the entries from `position` on, after the bracket that closes the events, as a separate object.
std::string tailOf(std::string_view text, std::size_t position);

/// Returns the position of the last comma that seems to separate two events; 0 if there is none. A comma
/// within a name can be mistaken for one; the text before it is then not valid JSON.
std::size_t lastEventComma(std::string_view text);

struct TextRange
{
    std::size_t begin = 0;
    std::size_t end = 0;
    bool isWhole = false; ///< a complete object, from brace to brace
};

/// Finds the events one by one. Every search is bounded.
class EventFinder
{
public:
    EventFinder(std::string_view text, std::size_t position)
        : m_text(text)
        , m_position(position)
    {
    }

    /// Returns nothing at the end of the events or of the text.
    std::optional<TextRange> next();
    /// Continues at the next position after the range's begin at which an event seems to start. Returns false
    /// if there is none.
    bool skipBroken(const TextRange& range);
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
