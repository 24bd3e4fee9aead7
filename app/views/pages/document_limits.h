#pragma once

#include <QString>

#include "app/workspace/document/document.h"

namespace highwater::gui {

/// What must be known to read a file's figures right: that it is incomplete, that its start or its whole
/// history is missing. Empty when there is nothing to say.
QString documentLimits(const Document& document);

/// The same in a word or two: "incomplete", "no history", "start cut off".
QString shortLimits(const Document& document);

} // namespace highwater::gui
