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
    Factorised, ///< not known by name: the rows of a parameter, each as long as a layer norm's weight
};

struct VocabularyClaim
{
    std::int64_t size = 0;
    VocabularySource source = VocabularySource::Factorised;
    std::string
        reason; ///< "vocab_size of the configuration", "GPT-2; a parameter has 50,257 rows of 1,536 B"
    Bytes row = 0; ///< of a matrix with so many rows, where that is all that is known; else 0

    /// Few sizes are multiples of it by chance, so arithmetic alone is evidence.
    bool isDistinctive() const;
};

/// Whether a function looks tokens up in an embedding (torch/nn/modules/sparse.py; aten::embedding).
bool isTokenLookup(const Trace& trace, const Frame& frame);

/// The vocabularies that the run may have, best first. Parameters are those found by the categories, else
/// gradients. O(allocations + parameters × vocabularies).
std::vector<VocabularyClaim> vocabularyClaims(const DetectorInput& input);

} // namespace highwater
