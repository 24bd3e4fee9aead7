#pragma once

#include <vector>

#include <QPointer>
#include <QStringList>
#include <QWidget>

#include "tests/app/labels/text_device.h"

namespace highwater::gui::test {

/// Every text of a window as it is shown: of labels, headers, cells, buttons and pictures alike.
std::vector<DrawnText> shownTexts(QWidget& window);

/// What is wrong with them: they meet, are painted over, are cut though no tool tip has the whole, or
/// contrast less than 4.5 : 1 with what is behind them. What is disabled may be pale.
QStringList faultsOf(QWidget& window, const std::vector<DrawnText>& texts);

} // namespace highwater::gui::test
