#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace highwater::logs {

/// A value of a dictionary that holds no further values.
struct LiteralLeaf
{
    std::string_view key; ///< the keys on the path to it joined by "/"; for lists the index
    std::string_view text; ///< without quotes and wrappers: of `np.float64(2.5)` "2.5"
    bool quoted = false;
    std::size_t offset = 0; ///< behind the value, in the text
};

using LeafSink = std::function<void(const LiteralLeaf&)>;

/// Reads a dictionary as Python or JSON writes it, which `text` begins with, and hands out its leaves in
/// order. Nothing is evaluated: numbers, quoted strings, names (`None`, `true`, `nan`), and calls with one
/// literal inside. Returns the bytes consumed; none if it does not end or is not a dictionary. Depth is
/// bounded, and so is the number of leaves.
std::optional<std::size_t> readDictionary(
    std::string_view text, const LeafSink& sink, std::size_t mostLeaves = 20'000);

} // namespace highwater::logs
