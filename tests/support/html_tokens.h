#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater {

/// A piece of an HTML document as a browser would see it.
struct HtmlToken
{
    enum class Kind
    {
        Open,
        Close,
        Text
    };
    Kind kind = Kind::Text;
    std::string name; ///< of an element
    std::vector<std::pair<std::string, std::string>> attributes; ///< decoded
    std::string text; ///< decoded

    std::string attribute(std::string_view wanted) const;
};

/// Reads a document strictly and fails the running test if it is not well-formed: lower-case tags with
/// attributes in double quotes, every element closed in order, no unescaped "<", ">" or "&" in a text.
std::vector<HtmlToken> htmlTokens(std::string_view html);

/// Elements and names of attributes alone, one a line.
std::string htmlSkeleton(const std::vector<HtmlToken>& tokens);

/// All decoded text outside of `script` and `style`.
std::string htmlText(const std::vector<HtmlToken>& tokens);

} // namespace highwater
