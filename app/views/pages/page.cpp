#include "app/views/pages/page.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QStringList>

#include "app/views/pages/headline.h"
#include "app/views/parts/panel_tabs.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/trace/rehearsed.h"

namespace highwater::gui {

namespace {

/// Returns "oom" for "oom.pickle.zst".
QString stemOf(const QString& fileName)
{
    const QFileInfo name(fileName);
    const bool isPacked = name.suffix() == QLatin1String("zst") || name.suffix() == QLatin1String("gz");
    return isPacked ? QFileInfo(name.completeBaseName()).completeBaseName() : name.completeBaseName();
}

/// Returns " (rehearsed on a simulated T4)", so that nobody takes the figures for those of a real GPU; empty
/// for a recording of one.
QString rehearsalMark(const TraceMetadata& metadata)
{
    const QString text = toQString(rehearsedText(metadata)).section(QLatin1Char(':'), 0, 0);
    return text.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(text);
}

/// Returns the name of the open panel that contains the view. For a view outside the panels, returns the kind
/// of the page: "compare", "timeline" or "log".
QString pictureName(const QWidget& view, const std::vector<NoteSubject>& shown)
{
    for (const QWidget* outer = &view; outer; outer = outer->parentWidget())
        if (const auto* panels = qobject_cast<const PanelTabs*>(outer))
            return panels->openName();
    return shown.size() > 1      ? QStringLiteral("compare")
        : shown.front().analysis ? QStringLiteral("timeline")
                                 : QStringLiteral("log");
}

} // namespace

QString Page::title() const
{
    QStringList names;
    QStringList rehearsals;
    for (const NoteSubject& subject : subjects()) {
        names << toQString(subject.document->fileName());
        rehearsals << rehearsalMark(subject.document->trace().metadata);
    }
    if (rehearsals.removeDuplicates() == names.size() - 1) // the same for all
        return names.join(QStringLiteral(" ↔ ")) + rehearsals.value(0);
    for (qsizetype i = 0; i < names.size(); ++i)
        names[i] += rehearsals[i];
    return names.join(QStringLiteral(" ↔ "));
}

PictureOffer Page::picture() const
{
    const QWidget* largest = nullptr;
    const auto area = [](const QWidget& widget) { return widget.width() * widget.height(); };
    for (const QWidget* widget : findChildren<QWidget*>())
        if (widget->isVisible() && (!largest || area(*widget) > area(*largest))
            && widget->findChild<QAction*>(QStringLiteral("savePicture"), Qt::FindDirectChildrenOnly))
            largest = widget;
    return largest ? offeredPicture(*largest) : PictureOffer();
}

PictureTitle Page::pictureTitle() const
{
    const auto* headline = findChild<const Headline*>();
    return headline ? PictureTitle{headline->verdict(), headline->details()} : PictureTitle{title(), {}};
}

QString Page::picturePath(const QWidget& view) const
{
    const std::vector<NoteSubject> shown = subjects();
    if (shown.empty())
        return {};
    const QFileInfo file(QString::fromStdString(shown.back().document->path));
    return file.dir().filePath(
        QStringLiteral("%1-%2.png").arg(stemOf(file.fileName()), pictureName(view, shown)));
}

void Page::showNotes(const Notes&, int) { }

} // namespace highwater::gui
