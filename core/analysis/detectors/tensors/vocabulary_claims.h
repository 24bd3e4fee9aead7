#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// The source of a vocabulary size, best first.
enum class VocabularySource : std::uint8_t
{
    Given, ///< a setting of the run, as it is or padded
    /// A known size: a parameter has that many rows, and another parameter has the size of one row, or that
    /// many elements
    Embedding,
    /// A size that is not well known: a parameter has this many rows of a size that four or more parameters
    /// have, as the weights of norms do
    Factorised,
};

/// A possible size of the vocabulary, and the reason to assume it.
struct VocabularyClaim
{
    std::int64_t size = 0;
    VocabularySource source = VocabularySource::Factorised;
    std::string reason; ///< "given by the run's settings", "GPT-2; a parameter has 50,257 rows of 1.5 KiB, …"
    /// Bytes of a row of the matrix, if its number of rows is the only evidence (Factorised); else 0
    Bytes row = 0;

    /// True if the largest odd factor of the size is 51 or more. Few sizes are multiples of such a vocabulary
    /// by chance, so arithmetic alone is evidence.
    bool isDistinctive() const;
};

/// True if a function looks up tokens in an embedding (torch/nn/modules/sparse.py; aten::embedding).
bool isTokenLookup(const Trace& trace, const Frame& frame);

/// Returns the vocabulary sizes that the run may have, best evidence first. If a setting gives one, there are
/// no others; without a frame that looks up tokens there are none from parameters. If no block has the
/// category Parameter, gradients are used instead. O(allocations + parameters × known vocabularies).
std::vector<VocabularyClaim> vocabularyClaims(const DetectorInput& input);

} // namespace highwater
