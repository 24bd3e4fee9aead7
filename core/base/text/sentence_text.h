#pragma once

#include <string>

namespace highwater {

/// Capitalizes the first letter and adds a full stop unless the text already ends as a sentence. A text that
/// begins with code ("zero_grad() runs too late") keeps its first letter.
std::string fullSentence(std::string text);
/// Turns "the peak…" into "The peak…"; code at the beginning keeps its case.
std::string upperFirst(std::string text);
/// Turns "The peak…" into "the peak…"; names in capitals are kept.
std::string lowerFirst(std::string text);

} // namespace highwater
