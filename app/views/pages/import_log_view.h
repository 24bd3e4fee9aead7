#pragma once

#include <QDialog>

#include "core/trace/import_log.h"

namespace highwater::gui {

/// "3 import messages": the number of import messages; empty if there are none.
QString importLogSummary(const ImportLog& log);

/// The importer's messages on a file, each with its count and first place.
class ImportLogView : public QDialog
{
    Q_OBJECT

public:
    ImportLogView(const QString& fileName, const ImportLog& log, QWidget* parent = nullptr);
};

} // namespace highwater::gui
