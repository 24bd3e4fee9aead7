#include "app/views/report/rich_text_setter.h"

#include <algorithm>

#include "core/report/model/plain_text.h"

namespace highwater::gui {

namespace {

constexpr double kIndent = 20;

class RichTextSetter
{
public:
    explicit RichTextSetter(BlockSetter& setter)
        : m_setter(setter)
    {
    }

    void set(const RichText& blocks)
    {
        for (const RichBlock& block : blocks)
            set(block);
    }

private:
    void set(const RichBlock& block)
    {
        switch (block.kind) {
        case RichBlockKind::Paragraph: return paragraph(block, m_setter.text());
        case RichBlockKind::Heading:
            m_keepsWithNext = true;
            paragraph(block, m_setter.text(block.level <= 2 ? 1.1 : 1, true));
            m_keepsWithNext = false;
            return;
        case RichBlockKind::Code: return code(block);
        case RichBlockKind::Quote: return quote(block);
        case RichBlockKind::Bullets:
        case RichBlockKind::Numbers: return list(block);
        case RichBlockKind::Item: return set(block.blocks);
        case RichBlockKind::Rule:
            m_setter.begin({.left = left()});
            m_setter.write("———", m_setter.quiet());
            return;
        }
    }

    double left() const { return kIndent * m_listDepth + kIndent * m_quoteDepth; }

    /// Begins a paragraph, or continues a list item whose bullet or number is already written.
    void begin()
    {
        if (!std::exchange(m_isAfterBullet, false))
            m_setter.begin({.below = 4, .left = left(), .keepWithNext = m_keepsWithNext});
    }

    void paragraph(const RichBlock& block, const QTextCharFormat& format)
    {
        begin();
        for (const RichSpan& span : block.spans)
            set(span, format);
    }

    void set(const RichSpan& span, QTextCharFormat format) const
    {
        if (span.code) {
            const double size = format.font().pointSizeF();
            format.setFont(m_setter.fixed().font());
            format.setFontPointSize(size);
        }
        if (span.strong)
            format.setFontWeight(QFont::Bold);
        format.setFontItalic(span.emphasis);
        format.setFontStrikeOut(span.struck);
        if (m_quoteDepth > 0)
            format.setForeground(m_setter.look().colors.quietText);
        if (span.link.empty())
            return m_setter.write(span.text, format);
        format.setForeground(m_setter.look().colors.accent);
        format.setFontUnderline(true);
        format.setAnchor(true);
        format.setAnchorHref(QString::fromStdString(span.link));
        m_setter.write(span.text, format);
        if (m_setter.look().isPaper && span.text != span.link)
            m_setter.write(" (" + span.link + ")", m_setter.quiet());
    }

    void code(const RichBlock& block)
    {
        m_isAfterBullet = false;
        const std::string codeText = block.spans.empty() ? std::string() : block.spans.front().text;
        for (const std::string& line : linesOf(codeText)) {
            m_setter.begin({.below = 0, .left = left(), .background = m_setter.look().colors.window});
            m_setter.write(line, m_setter.fixed());
        }
    }

    void quote(const RichBlock& block)
    {
        m_isAfterBullet = false;
        ++m_quoteDepth;
        set(block.blocks);
        --m_quoteDepth;
    }

    void list(const RichBlock& block)
    {
        const bool isNumbered = block.kind == RichBlockKind::Numbers;
        ++m_listDepth;
        for (std::size_t i = 0; i < block.blocks.size(); ++i) {
            m_setter.item({.below = 2, .left = kIndent * m_quoteDepth}, m_listDepth, i == 0,
                isNumbered ? std::max(block.level, 1) + static_cast<int>(i) : 0);
            m_isAfterBullet = true;
            set(block.blocks[i]);
        }
        m_isAfterBullet = false;
        --m_listDepth;
    }

    BlockSetter& m_setter;
    int m_listDepth = 0;
    int m_quoteDepth = 0;
    bool m_isAfterBullet = false; ///< the bullet or number is written, the item's text is not
    bool m_keepsWithNext = false;
};

} // namespace

void setRichText(BlockSetter& setter, const RichText& text)
{
    RichTextSetter(setter).set(text);
}

} // namespace highwater::gui
