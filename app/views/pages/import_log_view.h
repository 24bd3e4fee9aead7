#pragma once

#include <QDialog>

#include "core/trace/import_log.h"

namespace highwater::gui {

/// Returns the number of messages, such as "3 messages on this file"; empty if there are none.
QString importLogSummary(const ImportLog& log);
/// Returns the importer's messages as sentences, one a line, the most serious first; empty if there are none.
QString importLogText(const ImportLog& log);

/// A dialog with the importer's messages on a file: severity, text, count and first place.
class ImportLogView : public QDialog
{
    Q_OBJECT

public:
    ImportLogView(const QString& fileName, const ImportLog& log, QWidget* parent = nullptr);
};

} // namespace highwater::gui
