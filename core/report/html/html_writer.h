#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace highwater {

/// An attribute of an element: `name` must be a literal, `value` may be any text. An empty value omits the
/// attribute.
struct HtmlAttribute
{
    std::string_view name;
    std::string value;
};
using HtmlAttributes = std::initializer_list<HtmlAttribute>;

/// Writes HTML element by element. All texts and attribute values are escaped here and nowhere else, so that
/// data never becomes markup.
class HtmlWriter
{
public:
    void open(std::string_view element, HtmlAttributes attributes = {}) { tag(element, attributes); }
    void close(std::string_view element);
    /// Writes an element without an end tag: `meta`, `br`, `hr`.
    void single(std::string_view element, HtmlAttributes attributes = {});
    /// Writes text in the form that documents may show (shownText).
    void text(std::string_view text);
    /// Writes an element that contains only text.
    void element(std::string_view element, std::string_view text, HtmlAttributes attributes = {});
    /// Appends markup that is known to be safe: from our own resources, or from toInlineSvg.
    void trusted(std::string_view markup) { m_html += markup; }

    /// Returns an id derived from `wanted` that is unique in this document.
    std::string uniqueId(std::string_view wanted);

    std::string take() { return std::move(m_html); }

private:
    void tag(std::string_view element, HtmlAttributes attributes);

    std::string m_html;
    std::set<std::string> m_ids;
};

} // namespace highwater
