#include "app/cli/agent/short_answer.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/base/valid_text.h"

namespace highwater::cli {

namespace {

/// Limits that apply before an answer is measured, since no short answer can contain more.
constexpr std::size_t kMaxItems = 400;
constexpr std::size_t kMaxTextBytes = 16'384;
/// Objects of at most so many members are records, which are never cut.
constexpr std::size_t kRecordMembers = 24;
constexpr std::size_t kMaxCaveats = 6;
constexpr std::size_t kMaxCaveatBytes = 300;

/// The shown range of a shortened value, in items, members or bytes: [first, first + shown) of `total`.
/// `Cuts` maps the JSON pointers of such values within the answer to their ranges.
struct Cut
{
    std::size_t first = 0;
    std::size_t shown = 0;
    std::size_t total = 0;
};
using Cuts = std::map<std::string, Cut>;

/// Returns the first `bytes` bytes, or fewer so that no character is split.
std::string prefixOf(std::string_view text, std::size_t bytes)
{
    return std::string(text.substr(0, characterStart(text, bytes)));
}

/// Returns the code point of one character in UTF-8.
std::uint32_t codePointOf(std::string_view character)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
    if (character.size() == 1)
        return byte(0);
    std::uint32_t code = byte(0) & (0xFFu >> (character.size() + 1));
    for (std::size_t i = 1; i < character.size(); ++i)
        code = code << 6 | (byte(i) & 0x3Fu);
    return code;
}

/// True for control characters, characters without width, those that change the direction of text, tags and
/// variation selectors.
bool isInvisible(std::uint32_t code)
{
    if (code == '\n' || code == '\t')
        return false;
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C
        || (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E)
        || (code >= 0x2060 && code <= 0x206F) || (code >= 0xFE00 && code <= 0xFE0F) || code == 0xFEFF
        || (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE0FFF);
}

/// Quotes all texts and keys in the value (`quotedText`).
void quoteAll(Json& value)
{
    if (value.is_string()) {
        value = quotedText(value.get_ref<const std::string&>());
    } else if (value.is_array()) {
        for (Json& item : value)
            quoteAll(item);
    } else if (value.is_object()) {
        Json quoted = Json::object();
        for (auto& [key, item] : value.items()) {
            quoteAll(item);
            quoted[quotedText(key)] = std::move(item);
        }
        value = std::move(quoted);
    }
}

/// Returns the number of items, members or bytes.
std::size_t sizeOf(const Json& value)
{
    return value.is_string() ? value.get_ref<const std::string&>().size() : value.size();
}

/// Keeps the items, members or bytes [first, first + count); a text never ends within a character.
void keepOnly(Json& value, std::size_t first, std::size_t count)
{
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        value = prefixOf(std::string_view(text).substr(std::min(first, text.size())), count);
        return;
    }
    Json part = value.is_array() ? Json::array() : Json::object();
    std::size_t index = 0;
    for (auto& [key, item] : value.items()) {
        if (index >= first && index < first + count) {
            if (value.is_array())
                part.push_back(std::move(item));
            else
                part[key] = std::move(item);
        }
        ++index;
    }
    value = std::move(part);
}

/// Shortens an answer: cuts its largest values in half until the text is short enough. Never cuts the
/// diagnosis, and keeps the first caveats only.
class Shortener
{
public:
    Shortener(Json answer, const DocumentPart& part, const AnswerNotes& notes)
        : m_answer(std::move(answer))
        , m_next(notes.next)
        , m_part(part)
    {
        for (const std::string& caveat : notes.caveats) {
            if (m_caveats.size() == kMaxCaveats) {
                m_caveats.push_back(fmt::format("and {} more", notes.caveats.size() - kMaxCaveats));
                break;
            }
            m_caveats.push_back(quotedMessage(caveat, kMaxCaveatBytes));
        }
        if (part.first > 0)
            cut(m_answer, "", part.first, sizeOf(m_answer));
        clip(m_answer, "");
    }

    std::string fittedText(std::size_t maxBytes)
    {
        std::string text = documentText();
        while (text.size() > maxBytes && halveLargest())
            text = documentText();
        return text;
    }

private:
    std::string documentText() const
    {
        Json leftOut = Json::array();
        for (const auto& [pointer, cut] : m_cuts)
            leftOut.push_back({{"part", pointerInDocument(pointer)}, {"first", cut.first},
                {"shown", cut.shown}, {"of", cut.total},
                {"next_from", cut.first + cut.shown < cut.total ? Json(cut.first + cut.shown) : Json()}});
        const Json document = {{"note", kTextsAreData}, {"answer", m_answer}, {"next", m_next},
            {"left_out", leftOut}, {"caveats", m_caveats}};
        return jsonText(document);
    }

    /// Converts a JSON pointer within the answer to one within the document: the first item of the answer's
    /// array may be a later item of the document's array.
    std::string pointerInDocument(const std::string& pointer) const
    {
        if (pointer.empty() || !m_answer.is_array() || m_part.first == 0)
            return m_part.pointer + pointer;
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        const auto index
            = parsedNumber<std::size_t>(std::string_view(pointer).substr(1, end - 1)).value_or(0);
        return fmt::format("{}/{}{}", m_part.pointer, index + m_part.first, pointer.substr(end));
    }

    void cut(Json& value, const std::string& pointer, std::size_t first, std::size_t count)
    {
        const std::size_t size = sizeOf(value);
        keepOnly(value, first, count);
        const auto entry = m_cuts.try_emplace(pointer, Cut{first, 0, size}).first;
        entry->second.shown = sizeOf(value);
        // Forgets the cuts of values inside items that have been dropped.
        std::erase_if(m_cuts, [&](const auto& other) {
            return other.first.starts_with(pointer + "/")
                && !m_answer.contains(Json::json_pointer(other.first));
        });
    }

    /// Cuts everything that is too large for any answer.
    void clip(Json& value, const std::string& pointer)
    {
        if (value.is_string()) {
            if (sizeOf(value) > kMaxTextBytes)
                cut(value, pointer, 0, kMaxTextBytes);
            return;
        }
        if (!value.is_structured())
            return;
        if (value.size() > kMaxItems)
            cut(value, pointer, 0, kMaxItems);
        for (auto& [key, item] : value.items())
            clip(item, pointer + "/" + escaped(key));
    }

    static std::string escaped(const std::string& key)
    {
        std::string out;
        for (const char c : key)
            out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        return out;
    }

    /// A value that can be shortened. The one with the highest priority is shortened first: very long texts,
    /// then arrays of many items, then large objects and long texts, then shorter ones.
    struct Candidate
    {
        int priority = 0;
        std::size_t size = 0;
        std::string pointer;
    };

    static int priorityOf(const Json& value)
    {
        const std::size_t size = sizeOf(value);
        if (value.is_array())
            return size > 6 ? 5 : size > 1 ? 3 : size > 0 ? 1 : 0;
        if (value.is_object())
            return size > kRecordMembers ? 4 : 0;
        return !value.is_string() ? 0 : size > 2000 ? 6 : size > 200 ? 4 : size > 40 ? 2 : 0;
    }

    static void findLargest(const Json& value, const std::string& pointer, Candidate& largest)
    {
        if (pointer == "/diagnosis") // an agent always gets the diagnosis, whatever else fits
            return;
        const Candidate candidate{priorityOf(value), sizeOf(value), pointer};
        if (candidate.priority > 0
            && std::pair(candidate.priority, candidate.size) > std::pair(largest.priority, largest.size))
            largest = candidate;
        if (value.is_structured())
            for (const auto& [key, item] : value.items())
                findLargest(item, pointer + "/" + escaped(key), largest);
    }

    bool halveLargest()
    {
        Candidate largest;
        findLargest(m_answer, "", largest);
        if (largest.priority == 0)
            return false;
        cut(m_answer[Json::json_pointer(largest.pointer)], largest.pointer, 0, largest.size / 2);
        return true;
    }

    Json m_answer;
    Json m_next;
    DocumentPart m_part;
    Json m_caveats = Json::array();
    Cuts m_cuts;
};

} // namespace

std::string quotedText(std::string_view text)
{
    return replaceUnwanted(
        text, [](std::string_view character) { return isInvisible(codePointOf(character)); });
}

std::string quotedMessage(std::string_view message, std::size_t maxBytes)
{
    // Replacements may be longer than the original.
    return cutText(quotedText(cutText(message, maxBytes)), maxBytes);
}

Result<std::string> shortAnswer(const Json& document, const DocumentPart& part, const AnswerNotes& notes,
    std::size_t maxBytes, bool quoteTexts)
{
    Json answer;
    try {
        answer = document.at(Json::json_pointer(part.pointer));
    } catch (const Json::exception&) {
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "part: the answer has no {} (use a JSON pointer as in left_out)", quotedText(part.pointer)));
    }
    if (part.first > 0 && part.first >= sizeOf(answer))
        return fail(ErrorCode::BadRequest,
            fmt::format("from: {} has {}", part.pointer.empty() ? "the answer" : part.pointer,
                counted(sizeOf(answer), "entry", "entries")));
    if (quoteTexts)
        quoteAll(answer);
    const std::string text = Shortener(std::move(answer), part, notes).fittedText(maxBytes);
    if (text.size() > maxBytes)
        return fail(ErrorCode::BadRequest,
            fmt::format("part: {} is too large for an answer; ask for a part of it",
                part.pointer.empty() ? "the answer" : part.pointer));
    return text;
}

} // namespace highwater::cli
