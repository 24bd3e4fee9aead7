#include "app/views/document_limits.h"

#include <QObject>
#include <QStringList>

#include "app/workspace/qt_text.h"

namespace highwater::gui {

QString documentLimits(const Document& document)
{
    QStringList sentences;
    const TraceMetadata& metadata = document.trace().metadata;
    if (document.imported.incomplete)
        sentences << QObject::tr("incomplete: %1. What came before is shown.")
                         .arg(toQString(toText(*document.imported.incomplete)));
    else if (!metadata.hasHistory && document.mainDevice)
        sentences << QObject::tr("no history was recorded: this is what was live when the snapshot was "
                                 "taken, and the real peak can have been higher.");
    if (metadata.startLost)
        sentences << QObject::tr("the start of the recording is cut off: earlier events are gone, and an "
                                 "earlier peak can have been higher.");
    return sentences.join(QLatin1Char(' '));
}

} // namespace highwater::gui
