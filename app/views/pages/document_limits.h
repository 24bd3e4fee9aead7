#pragma once

#include <QString>

#include "app/workspace/document/document.h"

namespace highwater::gui {

/// Returns sentences on what is missing in a file, because its figures may then be too low: the file is
/// incomplete, or its start or its whole history was not recorded. Empty if nothing is missing.
QString documentLimits(const Document& document);

/// Returns the same limits in a few words: "incomplete", "no history", "starts late".
QString shortLimits(const Document& document);

} // namespace highwater::gui
