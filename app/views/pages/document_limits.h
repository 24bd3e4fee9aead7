#pragma once

#include <QString>

#include "app/workspace/document/document.h"

namespace highwater::gui {

/// Sentences that a reader needs to judge the figures of a file: that it is incomplete, or that its start or
/// its whole history is missing. Empty if the file is complete.
QString documentLimits(const Document& document);

/// The same in a few words: "incomplete", "no history", "starts late".
QString shortLimits(const Document& document);

} // namespace highwater::gui
