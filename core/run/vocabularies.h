#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace highwater {

/// The vocabulary size of a family of models.
struct Vocabulary
{
    std::int64_t size = 0;
    std::string models; ///< The models, in a few words
};

/// Reads `{"vocabularies": [{"size": 50257, "of": "GPT-2"}]}`. Fails with Malformed and the reason.
Result<std::vector<Vocabulary>> parseVocabularies(std::string_view json);

/// Returns the sizes of `resources/vocabularies.json`, as published in the models' configurations.
const std::vector<Vocabulary>& knownVocabularies();

} // namespace highwater
