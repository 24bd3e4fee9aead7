#include "core/report/html/html_writer.h"

#include "core/figure/drawing/svg_writer.h"
#include "core/report/model/plain_text.h"

namespace highwater {

namespace {

/// True for elements that get their own lines, so that people can read the source.
bool endsLine(std::string_view element)
{
    static constexpr std::string_view kInline[]
        = {"a", "b", "code", "del", "em", "span", "strong", "br", "button"};
    for (const std::string_view name : kInline)
        if (name == element)
            return false;
    return true;
}

} // namespace

void HtmlWriter::tag(std::string_view element, HtmlAttributes attributes)
{
    m_html += '<';
    m_html += element;
    for (const HtmlAttribute& attribute : attributes) {
        if (attribute.value.empty())
            continue;
        m_html += ' ';
        m_html += attribute.name;
        m_html += "=\"";
        text(attribute.value);
        m_html += '"';
    }
    m_html += '>';
}

void HtmlWriter::close(std::string_view element)
{
    m_html += "</";
    m_html += element;
    m_html += endsLine(element) ? ">\n" : ">";
}

void HtmlWriter::single(std::string_view element, HtmlAttributes attributes)
{
    tag(element, attributes);
    if (endsLine(element))
        m_html += '\n';
}

void HtmlWriter::text(std::string_view text)
{
    m_html += escapedMarkup(shownText(text));
}

void HtmlWriter::element(std::string_view name, std::string_view content, HtmlAttributes attributes)
{
    open(name, attributes);
    text(content);
    close(name);
}

std::string HtmlWriter::uniqueId(std::string_view wanted)
{
    const std::string base = anchorText(wanted);
    std::string id = base;
    for (int n = 2; !m_ids.insert(id).second; ++n)
        id = base + "-" + std::to_string(n);
    return id;
}

} // namespace highwater
