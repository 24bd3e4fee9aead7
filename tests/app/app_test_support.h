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

/// Path of a file in samples/pytorch-snapshot, by its name without endings.
QString samplePath(const QString& name);
/// Path of a file in samples/broken.
QString brokenPath(const QString& name);
/// Path of a file in samples/logs.
QString logPath(const QString& name);

/// The bytes of a file; none where it cannot be read.
QByteArray contentOf(const QString& path);

/// The analyses of a sample, made on this thread. A file that cannot be read ends the test program.
std::shared_ptr<const Document> loadSample(const QString& name);
/// The device that the window shows first.
std::shared_ptr<const DeviceAnalysis> mainAnalysis(const QString& name);

/// Whether it is the current page of its window, in sight or covered by the report.
bool isOn(const Page& page);
/// Whether it covers the current page, as the report does.
bool isInFront(const Page& cover);

/// All that a widget says in sight: texts, rows of trees, tool tips, one a line.
QString textIn(const QWidget& widget);

/// Settings go to a folder of their own that is empty at first.
void useScratchSettings();

} // namespace highwater::gui::test
