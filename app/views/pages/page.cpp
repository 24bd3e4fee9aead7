#include "app/views/pages/page.h"

#include <QAction>
#include <QStringList>

#include "app/views/pages/headline.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

QString Page::title() const
{
    QStringList names;
    for (const NoteSubject& subject : subjects())
        names << toQString(subject.document->fileName());
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

void Page::showNotes(const Notes&, int) { }

} // namespace highwater::gui
