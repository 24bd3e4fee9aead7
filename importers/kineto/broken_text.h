#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Finding the events of a trace without reading its JSON, which may not be valid: cut off, or with unescaped
/// quotes in a name (Kineto before 2026, pytorch issue 146900).
namespace highwater::kineto {

/// No event is that long; an object that seems to be has a quote too many.
inline constexpr std::size_t kMaxEventBytes = 256 * 1024;

struct BrokenText
{
    std::string head; ///< the entries before `traceEvents` as an object of their own; empty: there are none
    std::size_t firstEvent = 0; ///< behind the bracket that opens the events; the text's size: there is none
};

BrokenText partsOf(std::string_view text);

/// The entries from `position` (after the events' closing bracket) on, as an object of their own.
std::string tailOf(std::string_view text, std::size_t position);

/// The last comma that seems to stand between two events; 0: there is none. A name that holds one deceives
/// it: what is before such a comma is no valid JSON.
std::size_t lastEventComma(std::string_view text);

struct TextRange
{
    std::size_t begin = 0;
    std::size_t end = 0;
    bool isWhole = false; ///< an object from brace to brace
};

/// Finds the events one by one. Each search is bounded.
class EventFinder
{
public:
    EventFinder(std::string_view text, std::size_t position)
        : m_text(text)
        , m_position(position)
    {
    }

    /// None at the end of the events or of the text.
    std::optional<TextRange> next();
    /// Continues at the next position after the range's begin where an event seems to start. False: there is
    /// none.
    bool skipBroken(const TextRange& range);
    /// Whether the bracket that closes the events was reached.
    bool sawEnd() const { return m_sawEnd; }
    std::size_t position() const { return m_position; }

private:
    TextRange objectAt(std::size_t begin) const;

    std::string_view m_text;
    std::size_t m_position;
    bool m_sawEnd = false;
};

} // namespace highwater::kineto
