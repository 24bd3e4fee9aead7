#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Characters with the same style. The text is plain: any characters, "\n" is a line break.
struct RichSpan
{
    std::string text = {};
    bool strong = false;
    bool emphasis = false;
    bool code = false;
    bool struck = false; ///< struck through
    std::string link = {}; ///< "http:", "https:", "mailto:" or "#anchor"; empty: none

    bool operator==(const RichSpan&) const = default;
};

enum class RichBlockKind : std::uint8_t
{
    Paragraph, ///< spans
    Heading, ///< spans, `level` 1 to 6
    Code, ///< one span, verbatim lines without the last line break
    Quote, ///< blocks
    Bullets, ///< blocks, each an Item
    Numbers, ///< blocks, each an Item; `level` is the first one's number
    Item, ///< blocks
    Rule ///< a horizontal rule
};

struct RichBlock
{
    RichBlockKind kind = RichBlockKind::Paragraph;
    int level = 0;
    std::vector<RichSpan> spans = {};
    std::vector<RichBlock> blocks = {};

    bool operator==(const RichBlock&) const = default;
};
using RichText = std::vector<RichBlock>;

/// Quotes and lists nested deeper than this are shown at this depth.
inline constexpr std::size_t kDeepestRichText = 12;

/// Markdown (CommonMark 0.30 and struck-through text) as a tree. The result is safe for any input: HTML tags
/// are text, images are their alternative text, links to anything but http, https, mailto and anchors are
/// text. Common named entities are decoded, others are kept verbatim. Text beyond kMostNoteTextBytes is cut
/// off, and the last paragraph says so. O(text).
RichText parseRichText(std::string_view markdown);

} // namespace highwater
