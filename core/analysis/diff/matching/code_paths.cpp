#include "core/analysis/diff/matching/code_paths.h"

#include <algorithm>
#include <array>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text_parts.h"

namespace highwater {

std::string_view packageName(std::string_view path)
{
    for (const std::string_view folder : {"site-packages", "dist-packages"}) {
        const std::size_t position = path.find(folder);
        if (position == std::string_view::npos || position + folder.size() >= path.size())
            continue;
        const std::string_view inside = path.substr(position + folder.size() + 1);
        return inside.substr(0, inside.find_first_of("/\\"));
    }
    return {};
}

bool isOperatorWrapperFile(std::string_view path)
{
    static constexpr std::array<std::string_view, 7> packages
        = {"einops", "einx", "opt_einsum", "jaxtyping", "beartype", "typeguard", "wrapt"};
    return std::ranges::find(packages, packageName(path)) != packages.end();
}

std::string portablePath(std::string_view path)
{
    const std::string text = forwardSlashes(path);
    static constexpr std::array<std::string_view, 2> packages = {"site-packages/", "dist-packages/"};
    for (const std::string_view mark : packages)
        if (const std::size_t position = text.rfind(mark); position != std::string::npos)
            return text.substr(position + mark.size());
    static constexpr std::string_view library = "/lib/python3";
    if (const std::size_t position = text.rfind(library); position != std::string::npos)
        if (const std::size_t slash = text.find('/', position + library.size()); slash != std::string::npos)
            return "python3" + text.substr(slash);
    return text;
}

bool isOwnFile(std::string_view path)
{
    return !isLibraryFile(path) && packageName(path).empty();
}

} // namespace highwater
