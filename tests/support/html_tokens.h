#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// A piece of an HTML document, as a browser parses it.
struct HtmlToken
{
    enum class Kind
    {
        Open,
        Close,
        Text
    };
    Kind kind = Kind::Text;
    std::string name; ///< for an element
    std::vector<std::pair<std::string, std::string>> attributes; ///< decoded
    std::string text; ///< decoded

    std::string attribute(std::string_view wanted) const;
};

/// Parses a document strictly and fails the running test if it is not well-formed: lower-case tags with
/// attributes in double quotes, every element closed in order, no unescaped "<", ">" or "&" in a text.
std::vector<HtmlToken> htmlTokens(std::string_view html);

/// Returns only the elements and the names of their attributes, one per line.
std::string htmlSkeleton(const std::vector<HtmlToken>& tokens);

/// Returns all decoded text outside `script` and `style`.
std::string htmlText(const std::vector<HtmlToken>& tokens);

} // namespace highwater
