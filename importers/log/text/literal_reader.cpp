#include "importers/log/text/literal_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/characters.h"
#include "core/base/valid_text.h"

namespace highwater::logs {

namespace {

constexpr int kDeepest = 24;
constexpr std::size_t kLongestKey = 1'000;

/// True for characters of numbers and names.
bool isWordCharacter(char c)
{
    return isDigit(c) || isLetter(c) || c == '_' || c == '.' || c == '+' || c == '-';
}

class LiteralParser
{
public:
    LiteralParser(std::string_view text, const LeafSink& sink, std::size_t maxLeaves)
        : m_text(text)
        , m_sink(sink)
        , m_maxLeaves(maxLeaves)
    {
    }

    bool parseDictionary(int depth)
    {
        if (depth > kDeepest || !takeCharacter('{'))
            return false;
        if (takeCharacter('}'))
            return true;
        do {
            if (takeCharacter('}'))
                return true; // a trailing comma, as Python allows
            std::string key;
            if (!readKey(key) || !takeCharacter(':') || !parseMember(key, depth))
                return false;
        } while (takeCharacter(','));
        return takeCharacter('}');
    }

    std::size_t position() const { return m_position; }

private:
    bool parseMember(std::string_view key, int depth)
    {
        const std::size_t length = m_path.size();
        if (length + key.size() > kLongestKey)
            return false;
        if (length > 0)
            m_path += '/';
        m_path += key;
        const bool read = parseValue(depth + 1);
        m_path.resize(length);
        return read;
    }

    bool parseValue(int depth)
    {
        skipBlanks();
        switch (peek()) {
        case '{': return parseDictionary(depth);
        case '[': return parseList('[', ']', depth);
        case '(': return parseList('(', ')', depth);
        case '"':
        case '\'': return parseQuoted();
        default: return parseWord();
        }
    }

    bool parseList(char open, char close, int depth)
    {
        if (depth > kDeepest || !takeCharacter(open))
            return false;
        for (std::size_t index = 0; !takeCharacter(close); ++index)
            if ((index > 0 && !takeCharacter(','))
                || (!takeCharacter(close, false) && !parseMember(std::to_string(index), depth)))
                return false;
        return true;
    }

    bool parseQuoted()
    {
        std::string text;
        return readQuoted(text) && passLeaf(text);
    }

    /// Reads a number, a name, or a call that wraps a literal.
    bool parseWord()
    {
        const std::size_t begin = m_position;
        while (m_position < m_text.size() && isWordCharacter(m_text[m_position]))
            ++m_position;
        if (m_position == begin)
            return false;
        if (peek() != '(')
            return passLeaf(m_text.substr(begin, m_position - begin));
        const std::size_t close = m_text.find(')', m_position);
        if (close == std::string_view::npos)
            return false;
        std::string_view inside = m_text.substr(m_position + 1, close - m_position - 1);
        inside = inside.substr(0, inside.find(',')); // tensor(2.5, device='cuda:0')
        m_position = close + 1;
        return passLeaf(inside);
    }

    bool passLeaf(std::string_view text)
    {
        if (++m_leafCount > m_maxLeaves)
            return false;
        m_sink({m_path, text, m_position});
        return true;
    }

    bool readKey(std::string& key)
    {
        skipBlanks();
        if (peek() == '"' || peek() == '\'')
            return readQuoted(key);
        const std::size_t begin = m_position;
        while (m_position < m_text.size() && isWordCharacter(m_text[m_position]))
            ++m_position;
        key = m_text.substr(begin, m_position - begin);
        return m_position != begin;
    }

    bool readQuoted(std::string& out)
    {
        const char quote = m_text[m_position++];
        for (; m_position < m_text.size() && m_text[m_position] != quote; ++m_position) {
            if (m_text[m_position] != '\\')
                out += m_text[m_position];
            else if (!readEscape(out))
                return false;
        }
        return m_position++ < m_text.size();
    }

    bool readEscape(std::string& out)
    {
        if (++m_position >= m_text.size())
            return false;
        constexpr std::string_view kLetters = "nrtbf";
        constexpr std::string_view kMeanings = "\n\r\t\b\f";
        const char c = m_text[m_position];
        if (c == 'u')
            return readCodePoint(out);
        const std::size_t known = kLetters.find(c);
        out += known == std::string_view::npos ? c : kMeanings[known];
        return true;
    }

    /// Reads a code point after "\\u"; two escapes of UTF-16 surrogates make one. A lone surrogate becomes
    /// the replacement character.
    bool readCodePoint(std::string& out)
    {
        std::optional<unsigned> codePoint = readFourDigits();
        if (codePoint && isSurrogate(*codePoint)) {
            const bool isPair = *codePoint < 0xDC00 && m_text.substr(m_position + 1).starts_with("\\u");
            const std::size_t end = m_position;
            m_position += isPair ? 2 : 0;
            const std::optional<unsigned> low = isPair ? readFourDigits() : std::nullopt;
            if (low && isSurrogate(*low) && *low >= 0xDC00) {
                codePoint = 0x10000 + ((*codePoint - 0xD800) << 10) + (*low - 0xDC00);
            } else {
                m_position = end;
                codePoint = 0xFFFD;
            }
        }
        if (codePoint)
            appendUtf8(out, *codePoint);
        return codePoint.has_value();
    }

    static bool isSurrogate(unsigned codePoint) { return codePoint >= 0xD800 && codePoint < 0xE000; }

    std::optional<unsigned> readFourDigits()
    {
        unsigned value = 0;
        const std::string_view digits = m_text.substr(std::min(m_position + 1, m_text.size()), 4);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (error != std::errc() || end != digits.data() + 4)
            return std::nullopt;
        m_position += 4;
        return value;
    }

    void skipBlanks()
    {
        while (m_position < m_text.size() && isBlank(m_text[m_position]))
            ++m_position;
    }

    char peek() const { return m_position < m_text.size() ? m_text[m_position] : '\0'; }

    bool takeCharacter(char c, bool consume = true)
    {
        skipBlanks();
        if (peek() != c)
            return false;
        m_position += consume;
        return true;
    }

    std::string_view m_text;
    const LeafSink& m_sink;
    std::size_t m_maxLeaves;
    std::size_t m_position = 0;
    std::string m_path;
    std::size_t m_leafCount = 0;
};

} // namespace

std::optional<std::size_t> readDictionary(std::string_view text, const LeafSink& sink, std::size_t maxLeaves)
{
    LiteralParser parser(text, sink, maxLeaves);
    return parser.parseDictionary(0) ? std::optional(parser.position()) : std::nullopt;
}

} // namespace highwater::logs
