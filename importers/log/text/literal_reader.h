#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace highwater::logs {

/// A value of a dictionary that contains no further values. Its texts are valid during the call.
struct LiteralLeaf
{
    std::string_view key; ///< the keys on the path to the value, joined by "/"; list items use their index
    std::string_view text; ///< without quotes and wrappers: "2.5" for `np.float64(2.5)`
    std::size_t offset = 0; ///< position after the value, in bytes from the beginning of the dictionary
};

using LeafSink = std::function<void(const LiteralLeaf&)>;

/// Reads a dictionary at the beginning of `text`, as Python or JSON writes it, and passes its leaves on in
/// order. Evaluates nothing: accepts numbers, quoted strings, names (`None`, `true`, `nan`), and calls that
/// wrap one literal. Returns the number of bytes read; nothing if the text is not a complete dictionary, or
/// is too deep or has more than `maxLeaves`. The leaves before the error have been passed on.
std::optional<std::size_t> readDictionary(
    std::string_view text, const LeafSink& sink, std::size_t maxLeaves = 20'000);

} // namespace highwater::logs
