#include "core/report/html/html_rich_text.h"

#include <algorithm>

#include "core/report/model/plain_text.h"

namespace highwater {

namespace {

constexpr int kDeepestHeading = 6;

/// Writes the text of one block with its line breaks.
void writeLines(HtmlWriter& out, const std::string& text)
{
    const std::vector<std::string> lines = linesOf(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0)
            out.single("br");
        out.text(lines[i]);
    }
}

void writeSpan(HtmlWriter& out, const RichSpan& span)
{
    const std::pair<bool, std::string_view> marks[]
        = {{span.strong, "strong"}, {span.emphasis, "em"}, {span.struck, "del"}, {span.code, "code"}};
    if (!span.link.empty())
        out.open("a", {{"href", span.link}, {"rel", span.link[0] == '#' ? "" : "noopener noreferrer"}});
    for (const auto& [isSet, element] : marks)
        if (isSet)
            out.open(element);
    writeLines(out, span.text);
    for (auto mark = std::rbegin(marks); mark != std::rend(marks); ++mark)
        if (mark->first)
            out.close(mark->second);
    if (!span.link.empty())
        out.close("a");
}

class RichTextWriter
{
public:
    RichTextWriter(HtmlWriter& out, int headingLevel)
        : m_out(out)
        , m_base(headingLevel)
        , m_lastHeading(headingLevel)
    {
    }

    void blocks(const std::vector<RichBlock>& blocks)
    {
        for (const RichBlock& item : blocks)
            block(item);
    }

private:
    void block(const RichBlock& block);
    void spans(std::string_view element, const RichBlock& block);
    void container(std::string_view element, const RichBlock& block, HtmlAttributes attributes = {});
    std::string_view headingElement(int level);

    HtmlWriter& m_out;
    int m_base;
    int m_lastHeading;
};

void RichTextWriter::spans(std::string_view element, const RichBlock& block)
{
    m_out.open(element);
    for (const RichSpan& span : block.spans)
        writeSpan(m_out, span);
    m_out.close(element);
}

void RichTextWriter::container(std::string_view element, const RichBlock& block, HtmlAttributes attributes)
{
    m_out.open(element, attributes);
    blocks(block.blocks);
    m_out.close(element);
}

std::string_view RichTextWriter::headingElement(int level)
{
    static constexpr std::string_view kHeadings[] = {"h1", "h2", "h3", "h4", "h5", "h6"};
    m_lastHeading = std::min({m_base + level, m_lastHeading + 1, kDeepestHeading});
    return kHeadings[std::max(m_lastHeading, 1) - 1];
}

void RichTextWriter::block(const RichBlock& block)
{
    switch (block.kind) {
    case RichBlockKind::Paragraph: spans("p", block); break;
    case RichBlockKind::Heading: spans(headingElement(block.level), block); break;
    case RichBlockKind::Code:
        m_out.open("pre", {{"tabindex", "0"}});
        m_out.element("code", block.spans.empty() ? std::string() : block.spans[0].text);
        m_out.close("pre");
        break;
    case RichBlockKind::Quote: container("blockquote", block); break;
    case RichBlockKind::Bullets: container("ul", block); break;
    case RichBlockKind::Numbers:
        container("ol", block, {{"start", block.level == 1 ? "" : std::to_string(block.level)}});
        break;
    case RichBlockKind::Item: container("li", block); break;
    case RichBlockKind::Rule: m_out.single("hr"); break;
    }
}

} // namespace

void writeRichText(HtmlWriter& out, const RichText& text, int headingLevel)
{
    RichTextWriter(out, headingLevel).blocks(text);
}

} // namespace highwater
