#pragma once

#include <QPlainTextEdit>

namespace highwater::gui {

/// The multi-line editor of this program, which takes pasted and dropped text as plain text only. Reason:
/// QPlainTextEdit of Qt 6.4 crashes on data without any format, such as an empty clipboard, and converts
/// pasted Markdown to rich text.
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
