#pragma once

#include <vector>

#include <QPointer>
#include <QStringList>
#include <QWidget>

#include "tests/app/labels/text_device.h"

namespace highwater::gui::test {

/// Returns every text in a window as it is displayed, in labels, headers, cells, buttons and pictures.
std::vector<DrawnText> shownTexts(QWidget& window);

/// Returns the faults of the texts: they overlap, are painted over, are cut off without a tool tip that has
/// all of the text, or have a contrast below 4.5 : 1. Disabled text may be pale.
QStringList faultsOf(QWidget& window, const std::vector<DrawnText>& texts);

} // namespace highwater::gui::test
