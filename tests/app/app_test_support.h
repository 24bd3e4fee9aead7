#pragma once

#include <memory>

#include <QByteArray>
#include <QString>
#include <QWidget>

#include "app/workspace/document/document.h"

namespace highwater::gui {
class Page;
}

namespace highwater::gui::test {

/// Returns the path of a file in samples/pytorch-snapshot, given its name without endings.
QString samplePath(const QString& name);
/// Returns the path of a file in samples/broken.
QString brokenPath(const QString& name);
/// Returns the path of a file in samples/logs.
QString logPath(const QString& name);

/// Returns the bytes of a file; empty if it cannot be read.
QByteArray contentOf(const QString& path);

/// Analyses a sample on this thread. Ends the test program if the file cannot be read.
std::shared_ptr<const Document> loadSample(const QString& name);
/// Returns the device that the window shows first.
std::shared_ptr<const DeviceAnalysis> mainAnalysis(const QString& name);

/// True if it is the current page of its window, visible or covered by the report.
bool isOn(const Page& page);
/// True if it covers the current page, as the report does.
bool isInFront(const Page& cover);

/// Returns all visible text of a widget, one item per line: texts, rows of trees, tool tips.
QString textIn(const QWidget& widget);

/// Redirects settings to a separate folder, which is empty at first.
void useScratchSettings();

} // namespace highwater::gui::test
