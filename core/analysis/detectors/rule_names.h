#pragma once

#include <span>
#include <string>
#include <string_view>

namespace highwater {

/// The rules of all findings (`Finding::rule`), sorted. Each has a page in resources/manual/findings, with
/// its name.
std::span<const std::string_view> ruleNames();

/// The file of the page about a rule, below resources/manual: "findings/growth.md". Empty: there is no such
/// rule. Whoever links to the page gets its name here.
std::string rulePageFile(std::string_view rule);

/// The page about a rule, in Markdown: what it says, when it is silent, how it can be wrong, what to do.
/// Empty: there is no such rule.
std::string_view rulePage(std::string_view rule);

} // namespace highwater
