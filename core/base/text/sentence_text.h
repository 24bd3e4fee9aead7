#pragma once

#include <string>
#include <vector>

namespace highwater {

/// Returns "parameters, reference model and logits".
std::string listText(const std::vector<std::string>& texts);

/// Capitalizes as `upperFirst` does and adds a full stop unless the text is empty or already ends as a
/// sentence.
std::string fullSentence(std::string text);
/// Turns "the peak…" into "The peak…"; code at the beginning ("zero_grad() runs too late") keeps its case.
std::string upperFirst(std::string text);
/// Turns "The peak…" into "the peak…"; code, and a word whose second letter is a capital too, keep their
/// case.
std::string lowerFirst(std::string text);

} // namespace highwater
