#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// The meaning of a number of a run.
enum class Dimension : std::uint8_t
{
    Batch, ///< sequences
    Sequence, ///< tokens of a sequence
    Tokens, ///< batch × sequence, where only their product is known
    Hidden,
    Heads,
    KeyValueHeads,
    HeadSize,
    KeyValueWidth, ///< heads of keys and values × their size
    Intermediate, ///< width of the MLP
    Vocabulary,
    Positions, ///< learned positions
};

/// "B", "T", "B·T", "hidden", …
std::string_view toText(Dimension dimension);

/// The source of a number, best first.
enum class NumberSource : std::uint8_t
{
    Given, ///< a setting of the run
    Inferred, ///< follows from the sizes of many tensors
};

struct KnownNumber
{
    Dimension dimension = Dimension::Hidden;
    std::int64_t value = 0; ///< 2 and more
    NumberSource source = NumberSource::Given;
    std::string reason; ///< "inferred: 24 parameters of 4,194,304 B are 1,024 × 1,024 in fp32"
};

/// The numbers from which the shapes of a run's tensors are made.
struct KnownNumbers
{
    /// A dimension may have several values, for example B from the settings and T both from them and from
    /// sizes.
    std::vector<KnownNumber> all;
    std::int64_t parameterWidth = 0; ///< bytes of a parameter's element; 0: not known
    bool hasHalf = false; ///< there is evidence of 16-bit elements
    std::int64_t scoreElements = 0; ///< of attention's largest matrix of scores; 0: not known
    bool fusedQueries = false; ///< queries, keys and values are one matrix of 3 × hidden rows

    /// Whether any value of the dimension is known.
    bool know(Dimension dimension) const;
};

/// From `settings`, the configuration that the file holds, and the sizes of parameters (else gradients) and
/// activations: the hidden size divides the sizes of most parameters, and some are its square; B·T is the
/// number that, with it, explains most sizes of activations. O(allocations).
KnownNumbers knownNumbers(const DeviceStudy& study, const std::vector<ConfigurationEntry>& settings = {});

} // namespace highwater
