#include "tests/app/app_test_support.h"

#include <QCoreApplication>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "app/loading/load_file.h"
#include "app/views/pages/page_stack.h"

namespace highwater::gui::test {

QString samplePath(const QString& name)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/pytorch-snapshot/") + name
        + QStringLiteral(".pickle.zst");
}

QString brokenPath(const QString& name)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/broken/") + name;
}

QString logPath(const QString& name)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/logs/") + name;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::shared_ptr<const Document> loadSample(const QString& name)
{
    const std::string path = samplePath(name).toStdString();
    Result<ImportedTrace> imported = loadFile(path, {});
    if (!imported)
        qFatal("%s: %s", path.c_str(), toText(imported.error()).c_str());
    return buildDocument(path, std::move(*imported));
}

std::shared_ptr<const DeviceAnalysis> mainAnalysis(const QString& name)
{
    const std::shared_ptr<const Document> document = loadSample(name);
    return document->devices[document->mainDevice.value()];
}

bool isOn(const Page& page)
{
    return static_cast<const PageStack*>(page.parentWidget())->isCurrent(page);
}

bool isInFront(const Page& cover)
{
    return static_cast<const PageStack*>(cover.parentWidget())->isCoveredBy(cover);
}

QString textIn(const QWidget& widget)
{
    QStringList lines;
    for (const QWidget* part : widget.findChildren<QWidget*>()) {
        if (!part->isVisibleTo(&widget))
            continue;
        for (const QString& text :
            {part->property("text").toString(), part->accessibleDescription(), part->toolTip()})
            if (!text.isEmpty())
                lines << text.trimmed();
        if (const auto* tree = qobject_cast<const QTreeWidget*>(part))
            for (QTreeWidgetItemIterator row(const_cast<QTreeWidget*>(tree)); *row; ++row)
                for (int column = 0; column < tree->columnCount(); ++column)
                    lines << (*row)->text(column);
    }
    return lines.join(QLatin1Char('\n'));
}

void useScratchSettings()
{
    static const QTemporaryDir folder;
    QCoreApplication::setOrganizationName(QStringLiteral("Highwater"));
    QCoreApplication::setApplicationName(QStringLiteral("Highwater"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
    qputenv("XDG_STATE_HOME", QFile::encodeName(folder.path()));
}

} // namespace highwater::gui::test
