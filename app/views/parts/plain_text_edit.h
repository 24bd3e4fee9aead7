#pragma once

#include <QPlainTextEdit>

namespace highwater::gui {

/// The editor of several lines that all of this program's texts are written in. It takes pasted and dropped
/// text as plain text only. Qt 6.4's own crashes on data without any format, as an empty clipboard holds, and
/// turns pasted Markdown into what it looks like.
class PlainTextEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    using QPlainTextEdit::QPlainTextEdit;

protected:
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
};

} // namespace highwater::gui
