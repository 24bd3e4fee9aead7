#include "app/views/parts/plain_text_edit.h"

#include <QMimeData>

namespace highwater::gui {

bool PlainTextEdit::canInsertFromMimeData(const QMimeData* source) const
{
    return source && source->hasText();
}

void PlainTextEdit::insertFromMimeData(const QMimeData* source)
{
    if (isReadOnly() || !canInsertFromMimeData(source))
        return;
    textCursor().insertText(source->text());
    ensureCursorVisible();
}

} // namespace highwater::gui
