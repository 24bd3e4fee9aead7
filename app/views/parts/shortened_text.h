#pragma once

#include <functional>

#include <QString>

namespace highwater::gui {

/// Returns the text if it fits, else the text without its last clauses. If even the first clause does not
/// fit, returns its first words and an ellipsis. Between clauses, brackets are never cut in two.
QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits);

} // namespace highwater::gui
