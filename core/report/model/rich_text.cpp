#include "core/report/model/rich_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <md4c.h>

#include "core/base/text_format.h"
#include "core/run/note.h"

namespace highwater {

namespace {

struct NamedEntity
{
    std::string_view name;
    std::string_view text;
};
/// The entities that people type; see the list of HTML 5.
constexpr std::array kEntities{NamedEntity{"amp", "&"}, NamedEntity{"lt", "<"}, NamedEntity{"gt", ">"},
    NamedEntity{"quot", "\""}, NamedEntity{"apos", "'"}, NamedEntity{"nbsp", "\u00a0"},
    NamedEntity{"ndash", "–"}, NamedEntity{"mdash", "—"}, NamedEntity{"hellip", "…"},
    NamedEntity{"times", "×"}, NamedEntity{"middot", "·"}, NamedEntity{"bull", "•"}, NamedEntity{"rarr", "→"},
    NamedEntity{"larr", "←"}, NamedEntity{"le", "≤"}, NamedEntity{"ge", "≥"}, NamedEntity{"ne", "≠"},
    NamedEntity{"plusmn", "±"}, NamedEntity{"micro", "µ"}, NamedEntity{"deg", "°"}, NamedEntity{"copy", "©"}};

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Returns a code point as UTF-8; the replacement character for an invalid one.
std::string utf8Text(std::uint32_t code)
{
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return std::string(kReplacement);
    if (code < 0x80)
        return {static_cast<char>(code)};
    if (code < 0x800)
        return {static_cast<char>(0xc0 | code >> 6), tail(0)};
    if (code < 0x10000)
        return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

std::string numericEntity(std::string_view digits)
{
    const bool isHexadecimal = !digits.empty() && (digits[0] == 'x' || digits[0] == 'X');
    digits.remove_prefix(isHexadecimal ? 1 : 0);
    std::uint32_t code = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), code, isHexadecimal ? 16 : 10);
    return utf8Text(code);
}

/// Returns the character of "&amp;" or "&#38;"; an unknown entity is returned unchanged.
std::string entityText(std::string_view entity)
{
    const std::string_view name = entity.substr(1, entity.size() - 2);
    if (!name.empty() && name[0] == '#')
        return numericEntity(name.substr(1));
    const auto found = std::find_if(
        kEntities.begin(), kEntities.end(), [&](const auto& known) { return known.name == name; });
    return std::string(found == kEntities.end() ? entity : found->text);
}

std::string textOf(MD_TEXTTYPE type, std::string_view text)
{
    switch (type) {
    case MD_TEXT_NULLCHAR: return std::string(kReplacement);
    case MD_TEXT_BR: return "\n";
    case MD_TEXT_SOFTBR: return " ";
    case MD_TEXT_ENTITY: return entityText(text);
    default: return std::string(text);
    }
}

std::string textOf(const MD_ATTRIBUTE& attribute)
{
    std::string text;
    for (std::size_t i = 0; attribute.text && attribute.substr_offsets[i] < attribute.size; ++i) {
        const MD_OFFSET begin = attribute.substr_offsets[i];
        const std::size_t length = attribute.substr_offsets[i + 1] - begin;
        text += textOf(attribute.substr_types[i], {attribute.text + begin, length});
    }
    return text;
}

/// Returns the address if it is that of a web page, an e-mail or an anchor in the document; else empty.
std::string safeLink(const std::string& address)
{
    const bool hasControl = std::any_of(address.begin(), address.end(),
        [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; });
    if (hasControl)
        return {};
    std::string scheme = address.substr(0, address.find(':'));
    for (char& c : scheme)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    const bool isKnown = scheme == "http" || scheme == "https" || scheme == "mailto";
    return address.starts_with('#') || (isKnown && scheme.size() < address.size()) ? address : std::string();
}

std::optional<RichBlockKind> kindOf(MD_BLOCKTYPE type)
{
    switch (type) {
    case MD_BLOCK_QUOTE: return RichBlockKind::Quote;
    case MD_BLOCK_UL: return RichBlockKind::Bullets;
    case MD_BLOCK_OL: return RichBlockKind::Numbers;
    case MD_BLOCK_LI: return RichBlockKind::Item;
    case MD_BLOCK_HR: return RichBlockKind::Rule;
    case MD_BLOCK_H: return RichBlockKind::Heading;
    case MD_BLOCK_CODE: return RichBlockKind::Code;
    case MD_BLOCK_P: return RichBlockKind::Paragraph;
    default: return std::nullopt;
    }
}

bool holdsBlocks(RichBlockKind kind)
{
    return kind == RichBlockKind::Quote || kind == RichBlockKind::Bullets || kind == RichBlockKind::Numbers
        || kind == RichBlockKind::Item;
}

/// Returns the level of a heading, or the first number of a list; 0 for other blocks.
int levelOf(MD_BLOCKTYPE type, const void* detail)
{
    if (type == MD_BLOCK_H)
        return static_cast<int>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
    if (type == MD_BLOCK_OL) // at most nine digits
        return static_cast<int>(static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start);
    return 0;
}

bool haveSameMarks(const RichSpan& a, const RichSpan& b)
{
    return a.strong == b.strong && a.emphasis == b.emphasis && a.code == b.code && a.struck == b.struck
        && a.link == b.link;
}

/// Receives the parser's events. The open blocks are a path from the document to the innermost one.
class TreeBuilder
{
public:
    TreeBuilder() { m_open.emplace_back(); }

    void enterBlock(MD_BLOCKTYPE type, const void* detail);
    void leaveBlock(MD_BLOCKTYPE type);
    void enterSpan(MD_SPANTYPE type, const void* detail) { mark(type, 1, detail); }
    void leaveSpan(MD_SPANTYPE type) { mark(type, -1, nullptr); }
    void text(MD_TEXTTYPE type, std::string_view text);

    RichText take()
    {
        closeParagraph();
        return std::move(m_open.front().blocks);
    }

private:
    void mark(MD_SPANTYPE type, int change, const void* detail);
    void close();
    void closeParagraph();

    std::vector<RichBlock> m_open; ///< The first one holds the document's blocks
    std::size_t m_omittedDepth = 0; ///< Number of open containers that are left out
    bool m_hasImpliedParagraph = false; ///< In a tight list's item, without a paragraph
    int m_strong = 0;
    int m_emphasis = 0;
    int m_code = 0;
    int m_struck = 0;
    std::string m_link;
};

void TreeBuilder::close()
{
    RichBlock block = std::move(m_open.back());
    m_open.pop_back();
    if (block.kind == RichBlockKind::Code && !block.spans.empty() && block.spans[0].text.ends_with('\n'))
        block.spans[0].text.pop_back();
    m_open.back().blocks.push_back(std::move(block));
}

void TreeBuilder::closeParagraph()
{
    if (m_hasImpliedParagraph)
        close();
    m_hasImpliedParagraph = false;
}

void TreeBuilder::enterBlock(MD_BLOCKTYPE type, const void* detail)
{
    const std::optional<RichBlockKind> kind = kindOf(type);
    if (!kind)
        return;
    closeParagraph();
    // A list and its items count as one level: an item is never without its list.
    const bool opensDepth = holdsBlocks(*kind) && *kind != RichBlockKind::Item;
    if (m_omittedDepth > 0 ? holdsBlocks(*kind) : opensDepth && m_open.size() > kDeepestRichText)
        ++m_omittedDepth;
    else
        m_open.push_back({.kind = *kind, .level = levelOf(type, detail)});
}

void TreeBuilder::leaveBlock(MD_BLOCKTYPE type)
{
    const std::optional<RichBlockKind> kind = kindOf(type);
    if (!kind)
        return;
    closeParagraph();
    if (m_omittedDepth > 0 && holdsBlocks(*kind))
        --m_omittedDepth;
    else
        close();
}

void TreeBuilder::mark(MD_SPANTYPE type, int change, const void* detail)
{
    switch (type) {
    case MD_SPAN_STRONG: m_strong += change; break;
    case MD_SPAN_EM: m_emphasis += change; break;
    case MD_SPAN_CODE: m_code += change; break;
    case MD_SPAN_DEL: m_struck += change; break;
    case MD_SPAN_A:
        m_link
            = detail ? safeLink(textOf(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href)) : std::string();
        break;
    default: break;
    }
}

void TreeBuilder::text(MD_TEXTTYPE type, std::string_view text)
{
    if (holdsBlocks(m_open.back().kind) || m_open.size() == 1) {
        m_open.push_back({.kind = RichBlockKind::Paragraph});
        m_hasImpliedParagraph = true;
    }
    std::vector<RichSpan>& spans = m_open.back().spans;
    RichSpan span{textOf(type, text), m_strong > 0, m_emphasis > 0, m_code > 0, m_struck > 0, m_link};
    if (!spans.empty() && haveSameMarks(span, spans.back()))
        spans.back().text += span.text;
    else
        spans.push_back(std::move(span));
}

TreeBuilder& builder(void* data)
{
    return *static_cast<TreeBuilder*>(data);
}

MD_PARSER makeParser()
{
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML | MD_FLAG_STRIKETHROUGH;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
        builder(data).enterBlock(type, detail);
        return 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* data) {
        builder(data).leaveBlock(type);
        return 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
        builder(data).enterSpan(type, detail);
        return 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* data) {
        builder(data).leaveSpan(type);
        return 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
        builder(data).text(type, {text, size});
        return 0;
    };
    return parser;
}

/// Returns the number of bytes that are read, ending with a whole character.
std::size_t readLength(std::string_view text)
{
    std::size_t length = std::min(text.size(), kMaxNoteTextBytes);
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        --length;
    return length;
}

} // namespace

RichText parseRichText(std::string_view markdown)
{
    const std::size_t length = readLength(markdown);
    const MD_PARSER parser = makeParser();
    TreeBuilder tree;
    md_parse(markdown.data(), static_cast<MD_SIZE>(length), &parser, &tree);
    RichText text = tree.take();
    if (length < markdown.size()) {
        const auto omittedBytes = static_cast<Bytes>(markdown.size() - length);
        text.push_back({.kind = RichBlockKind::Paragraph,
            .spans
            = {{.text = "The rest of the text (" + formatExactBytes(omittedBytes) + ") is omitted."}}});
    }
    return text;
}

} // namespace highwater
