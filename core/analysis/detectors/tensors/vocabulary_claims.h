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
    Embedding, ///< a known size, and a parameter has that many rows of another parameter's size
    /// Not known by name: the number of rows of a parameter whose rows are as long as a layer norm's weight
    Factorised,
};

struct VocabularyClaim
{
    std::int64_t size = 0;
    VocabularySource source = VocabularySource::Factorised;
    std::string
        reason; ///< "vocab_size of the configuration", "GPT-2; a parameter has 50,257 rows of 1,536 B"
    /// Size of a row of the matrix with so many rows, if nothing else is known about it; else 0
    Bytes row = 0;

    /// True if few sizes are multiples of the vocabulary by chance, so that arithmetic alone is evidence.
    bool isDistinctive() const;
};

/// True if a function looks up tokens in an embedding (torch/nn/modules/sparse.py; aten::embedding).
bool isTokenLookup(const Trace& trace, const Frame& frame);

/// Returns the vocabularies that the run may have, best first. Parameters are those found by the categories,
/// else gradients are used. O(allocations + parameters × vocabularies).
std::vector<VocabularyClaim> vocabularyClaims(const DetectorInput& input);

} // namespace highwater
