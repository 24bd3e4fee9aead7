#include "app/views/pages/document_limits.h"

#include <QObject>
#include <QStringList>

#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/device/cut_off.h"

namespace highwater::gui {

namespace {

QString knownPartText(const Document& document)
{
    if (!document.mainDevice)
        return toQString(cutOffText());
    const DeviceFigures& figures = document.devices[*document.mainDevice]->figures;
    return toQString(cutOffText(document.trace(), *document.mainDevice, figures));
}

} // namespace

QString documentLimits(const Document& document)
{
    QStringList sentences;
    const TraceMetadata& metadata = document.trace().metadata;
    if (document.imported.incomplete)
        sentences << QObject::tr("incomplete: %1.").arg(toQString(toText(*document.imported.incomplete)))
                  << knownPartText(document);
    else if (metadata.cutOff)
        sentences << knownPartText(document);
    else if (!metadata.hasHistory && document.mainDevice)
        sentences << QObject::tr("no history was recorded: this shows what was in use when the snapshot "
                                 "was taken, and the real peak may have been higher.");
    if (metadata.startLost)
        sentences << QObject::tr("the history buffer (max_entries) overflowed: the recording starts late, "
                                 "and an earlier peak may have been higher.");
    return sentences.join(QLatin1Char(' '));
}

QString shortLimits(const Document& document)
{
    QStringList names;
    const TraceMetadata& metadata = document.trace().metadata;
    if (document.imported.incomplete || metadata.cutOff)
        names << QObject::tr("incomplete");
    else if (!metadata.hasHistory && document.mainDevice)
        names << QObject::tr("no history");
    if (metadata.startLost)
        names << QObject::tr("starts late");
    return names.join(QStringLiteral(", "));
}

} // namespace highwater::gui
