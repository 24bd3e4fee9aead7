#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace highwater {

/// An attribute of an element: `name` is written by us, `value` may hold anything. An empty value leaves the
/// attribute out.
struct HtmlAttribute
{
    std::string_view name;
    std::string value;
};
using HtmlAttributes = std::initializer_list<HtmlAttribute>;

/// Writes HTML element by element. Every text and every value of an attribute is escaped here and nowhere
/// else: no data become markup.
class HtmlWriter
{
public:
    void open(std::string_view element, HtmlAttributes attributes = {});
    void close(std::string_view element);
    /// An element without an end tag: `meta`, `br`, `hr`.
    void single(std::string_view element, HtmlAttributes attributes = {});
    /// As documents may show it (shownText).
    void text(std::string_view text);
    /// An element that holds a text alone.
    void element(std::string_view element, std::string_view text, HtmlAttributes attributes = {});
    /// Markup that is known to be safe: of our own resources, or of toInlineSvg.
    void trusted(std::string_view markup) { m_html += markup; }

    /// An id made of `wanted` that nothing in this document has so far.
    std::string uniqueId(std::string_view wanted);

    std::string take() { return std::move(m_html); }

private:
    void tag(std::string_view element, HtmlAttributes attributes);

    std::string m_html;
    std::set<std::string> m_ids;
};

} // namespace highwater
