#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Characters with the same marks. Its text is plain: any characters, "\n" is a line break.
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
    Code, ///< one span, lines as they were written, without the last line break
    Quote, ///< blocks
    Bullets, ///< blocks, each an Item
    Numbers, ///< blocks, each an Item; `level` is the first one's number
    Item, ///< blocks
    Rule ///< a line across
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

/// Quotes and lists within each other beyond this are shown at this depth.
inline constexpr std::size_t kDeepestRichText = 12;

/// Markdown (CommonMark 0.30 and struck-through text) as a tree. Whatever the text holds, the result is
/// harmless: tags of HTML are text, images are their alternative text, links to anything but http, https,
/// mailto and anchors are text. Of named entities the usual ones are known, others stay as they were written.
/// What is longer than kMostNoteTextBytes is cut, and the last paragraph says so. O(text).
RichText parseRichText(std::string_view markdown);

} // namespace highwater
