#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::cli {

// Options whose values are the rows of a table of kinds, each with a name and a sentence.

/// Returns the names of the kinds in their order.
template <typename Kinds>
std::vector<std::string> namesOf(const Kinds& kinds)
{
    std::vector<std::string> names;
    for (const auto& kind : kinds)
        names.emplace_back(kind.name);
    return names;
}

/// Returns "timeline: live bytes over events; steps: …".
template <typename Kinds>
std::string sentencesOf(const Kinds& kinds)
{
    std::vector<std::string> sentences;
    for (const auto& kind : kinds)
        sentences.push_back(fmt::format("{}: {}", kind.name, kind.sentence));
    return fmt::format("{}", fmt::join(sentences, "; "));
}

/// Accepts only these values; the help shows them as "a|b|c".
inline CLI::Validator oneOf(const std::vector<std::string>& values)
{
    return CLI::IsMember(values).description(fmt::format("{}", fmt::join(values, "|")));
}

} // namespace highwater::cli
