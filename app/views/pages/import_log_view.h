#pragma once

#include <QDialog>

#include "core/trace/import_log.h"

namespace highwater::gui {

/// Returns the number of import messages, such as "3 import messages"; empty if there are none.
QString importLogSummary(const ImportLog& log);

/// A dialog with the importer's messages on a file: severity, text, count and first place.
class ImportLogView : public QDialog
{
    Q_OBJECT

public:
    ImportLogView(const QString& fileName, const ImportLog& log, QWidget* parent = nullptr);
};

} // namespace highwater::gui
