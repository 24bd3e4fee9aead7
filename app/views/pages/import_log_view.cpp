#include "app/views/pages/import_log_view.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTreeWidget>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text/sentence_text.h"

namespace highwater::gui {

QString importLogSummary(const ImportLog& log)
{
    const auto count = static_cast<std::int64_t>(log.entries().size());
    return count == 0 ? QString() : countedText(count, "message on this file", "messages on this file");
}

QString importLogText(const ImportLog& log)
{
    QStringList sentences;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Info})
        for (const ImportLogEntry& entry : log.entries())
            if (entry.severity == severity && !entry.message.empty())
                sentences << toQString(fullSentence(entry.message));
    return sentences.join(QLatin1Char('\n'));
}

ImportLogView::ImportLogView(const QString& fileName, const ImportLog& log, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Messages on %1").arg(fileName));
    auto* list = named(new QTreeWidget(this), "importLog", tr("Messages from reading the file"));
    list->setRootIsDecorated(false);
    list->setWordWrap(true);
    list->setHeaderLabels({tr("Severity"), tr("Message"), tr("Count"), tr("First at")});
    for (const ImportLogEntry& entry : log.entries()) {
        const QString place = entry.firstAt ? toQString(toText(*entry.firstAt)) : QString();
        auto* item = new QTreeWidgetItem(list,
            {toQString(toText(entry.severity)), toQString(entry.message), countText(entry.count), place});
        item->setToolTip(1, toQString(entry.message));
    }
    list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    list->header()->setStretchLastSection(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layColumn(this, {list, buttons}, {kStyleMargins, -1});
    resize(780, 320);
}

} // namespace highwater::gui
