#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// The source of a vocabulary size, best first.
enum class VocabularySource : std::uint8_t
{
    Given, ///< a setting of the run
    Embedding, ///< known, and a parameter is that many rows of another parameter's size
    Factorised, ///< not known by name: the largest parameter, or one of few odd rows, in layer norm's weights
};

struct VocabularyClaim
{
    std::int64_t size = 0;
    VocabularySource source = VocabularySource::Factorised;
    std::string
        reason; ///< "vocab_size of the configuration", "GPT-2; a parameter has 50,257 rows of 1,536 B"

    /// Few sizes are multiples of it by chance, so arithmetic alone is evidence.
    bool isDistinctive() const;
};

/// The vocabularies that the run may have, best first. Parameters are those found by the categories, else
/// gradients. O(allocations + parameters × vocabularies).
std::vector<VocabularyClaim> vocabularyClaims(const DetectorInput& input);

} // namespace highwater
