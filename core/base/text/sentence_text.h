#pragma once

#include <string>

namespace highwater {

/// Capitalizes the first letter and adds a full stop unless the text already ends as a sentence.
std::string fullSentence(std::string text);
/// Turns "the peak…" into "The peak…".
std::string upperFirst(std::string text);
/// Turns "The peak…" into "the peak…"; names in capitals are kept.
std::string lowerFirst(std::string text);

} // namespace highwater
