#pragma once

#include <functional>

#include <QString>

namespace highwater::gui {
class MainWindow;
}

namespace highwater::gui::test {

/// Whether the window has opened all that it was asked for.
bool isComplete(MainWindow& window);

/// Opens each view that the open run, comparison or table of runs has, one after the other, and calls `look`
/// with its name when it is complete; the report, with the notes beside it, comes last.
void lookAtViews(MainWindow& window, const std::function<void(const QString&)>& look);

} // namespace highwater::gui::test
