#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Characters with the same style. The text is plain: it may contain any characters; "\n" is a line break.
struct RichSpan
{
    std::string text = {};
    bool strong = false;
    bool emphasis = false;
    bool code = false;
    bool struck = false; ///< struck through
    std::string link = {}; ///< "http:", "https:", "mailto:" or "#anchor"; may be empty

    bool operator==(const RichSpan&) const = default;
};

/// The kind of a block, which decides its contents.
enum class RichBlockKind : std::uint8_t
{
    Paragraph, ///< Has spans
    Heading, ///< Has spans; `level` is 1 to 6
    Code, ///< Has one span: verbatim lines without the last line break
    Quote, ///< Has blocks
    Bullets, ///< Has blocks, each an Item
    Numbers, ///< Has blocks, each an Item; `level` is the number of the first
    Item, ///< Has blocks
    Rule ///< A horizontal rule
};

/// A node of the tree: the kind decides whether it has spans or blocks.
struct RichBlock
{
    RichBlockKind kind = RichBlockKind::Paragraph;
    int level = 0;
    std::vector<RichSpan> spans = {};
    std::vector<RichBlock> blocks = {};

    bool operator==(const RichBlock&) const = default;
};
using RichText = std::vector<RichBlock>;

/// Quotes and lists nested more deeply than this are shown at this depth.
inline constexpr std::size_t kDeepestRichText = 12;

/// Parses Markdown (CommonMark 0.30 and strikethrough) into a tree. The result is safe for any input: HTML
/// tags become text, images their alternative text; links to anything except http, https, mailto and anchors
/// become text. Common named entities are decoded, others are kept verbatim. Text beyond kMaxNoteTextBytes
/// is cut off, and the last paragraph says so. O(text).
RichText parseRichText(std::string_view markdown);

} // namespace highwater
