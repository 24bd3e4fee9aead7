#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <QString>

#include "core/analysis/stacks/call_tree.h"

namespace highwater::gui {

/// The functions of a call tree whose name or file contains a text, whatever the letter case.
class FunctionMatches
{
public:
    /// Creates a search that no function matches.
    FunctionMatches() = default;
    /// Searches the functions. No function matches an empty text. O(functions).
    FunctionMatches(const std::vector<CallFunction>& functions, const QString& text);

    /// True if the function matches. `function` must be one of the functions searched, or none.
    bool contains(FunctionId function) const
    {
        return !m_isMatch.empty() && !function.isNone() && m_isMatch[function.index()];
    }
    /// Returns the number of functions that match. O(functions).
    std::size_t count() const
    {
        return static_cast<std::size_t>(std::count(m_isMatch.begin(), m_isMatch.end(), true));
    }

private:
    std::vector<bool> m_isMatch; ///< by function; empty without a search
};

} // namespace highwater::gui
