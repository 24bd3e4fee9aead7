#pragma once

#include <functional>

#include <QString>

namespace highwater::gui {
class MainWindow;
}

namespace highwater::gui::test {

/// True if the window has finished opening everything that was requested.
bool isComplete(MainWindow& window);

/// Opens each view of the open run, comparison or table of runs in turn, and calls `look` with the view's
/// name when it is complete. The report, with the notes next to it, comes last.
void lookAtViews(MainWindow& window, const std::function<void(const QString&)>& look);

} // namespace highwater::gui::test
