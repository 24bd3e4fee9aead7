#pragma once

#include <string>

namespace highwater {

/// Starts with a capital and gets a full stop unless it already ends as a sentence.
std::string fullSentence(std::string text);
/// "the peak…" becomes "The peak…".
std::string upperFirst(std::string text);
/// "The peak…" becomes "the peak…"; names in capitals are kept.
std::string lowerFirst(std::string text);

} // namespace highwater
