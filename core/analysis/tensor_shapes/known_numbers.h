#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// The meaning of a number that shapes tensors.
enum class Dimension : std::uint8_t
{
    Batch, ///< number of sequences
    Sequence, ///< tokens per sequence
    Tokens, ///< batch × sequence, if only their product is known
    Hidden,
    Heads,
    KeyValueHeads,
    HeadSize,
    KeyValueWidth, ///< number of key and value heads × their size
    Intermediate, ///< width of the MLP
    Vocabulary,
    Positions, ///< learned positions
};

/// Returns "B", "T", "B·T", "hidden", …
std::string_view toText(Dimension dimension);

/// The source of a number, best first.
enum class NumberSource : std::uint8_t
{
    Given, ///< a setting of the run
    Inferred, ///< derived from the sizes of many tensors
};

/// One value of a dimension, with its source.
struct KnownNumber
{
    Dimension dimension = Dimension::Hidden;
    std::int64_t value = 0; ///< at least 2
    NumberSource source = NumberSource::Given;
    std::string reason; ///< "inferred: 24 parameters of 4,194,304 B are 1,024 × 1,024 in fp32"
};

/// The numbers from which the shapes of a run's tensors are built.
struct KnownNumbers
{
    /// A dimension may have several values: for example, T from the settings and another T from sizes.
    std::vector<KnownNumber> all;
    std::int64_t parameterWidth = 0; ///< bytes of a parameter's element; 0 if unknown
    bool hasHalf = false; ///< true if elements may have 16 bits: sizes show it, or show no model at all
    std::int64_t scoreElements = 0; ///< elements of attention's largest score matrix; 0 if unknown
    bool fusedQueries = false; ///< true if queries, keys and values are one matrix of 3 × hidden rows

    /// True if any value of the dimension is known.
    bool has(Dimension dimension) const;
};

/// Derives the numbers from `settings`, the configuration in the file, and the sizes of parameters (else
/// gradients) and activations. The hidden size divides the sizes of most parameters, and its square is the
/// size of some. B·T is the number that explains most sizes of activations. O(allocations + s log s) for s
/// different sizes.
KnownNumbers knownNumbers(const DeviceStudy& study, const std::vector<ConfigurationEntry>& settings = {});

} // namespace highwater
