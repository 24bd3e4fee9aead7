#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Where a vocabulary comes from, best first.
enum class VocabularySource : std::uint8_t
{
    Given, ///< a setting of the run
    Embedding, ///< known, and a parameter is that many rows of another parameter's size
    Factorised, ///< not known by name: the largest parameter, or one of few odd rows, in layer norm's weights
    Known, ///< known, and nothing in the run speaks for it but the sizes that it divides
};

struct VocabularyClaim
{
    std::int64_t size = 0;
    VocabularySource source = VocabularySource::Known;
    std::string
        reason; ///< "vocab_size of the configuration", "GPT-2; a parameter has 50,257 rows of 1,536 B"

    /// So few sizes are multiples of it by chance that arithmetic alone says something.
    bool isDistinctive() const;
};

/// The vocabularies that the run may have, best first. The parameters are what categories take for them, else
/// gradients. O(allocations + parameters × vocabularies).
std::vector<VocabularyClaim> vocabularyClaims(const DetectorInput& input);

} // namespace highwater
