#include <QDir>
#include <QRegularExpression>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "app/window/main/main_window.h"
#include "app/window/manual/manual_browser.h"
#include "app/window/manual/manual_window.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

/// Returns the targets of all links on the current page, unchanged.
QStringList linksOn(const ManualBrowser& browser)
{
    QStringList links;
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (const QString link = it.fragment().charFormat().anchorHref(); !link.isEmpty())
                links << link;
    links.removeDuplicates();
    return links;
}

QStringList picturesOn(const ManualBrowser& browser)
{
    QStringList pictures;
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isImageFormat())
                pictures << it.fragment().charFormat().toImageFormat().name();
    return pictures;
}

bool hasAnchor(const ManualBrowser& browser, const QString& name)
{
    for (QTextBlock block = browser.document()->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().anchorNames().contains(name))
                return true;
    return false;
}

} // namespace

class ManualTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { useScratchSettings(); }

    void everyPageOfTheFolderIsInTheContents()
    {
        const ManualWindow window;
        QStringList files;
        for (const ManualPage& page : window.pages())
            files << page.file;
        files.sort();
        const QDir folder(QStringLiteral(HIGHWATER_SOURCE_DIR "/resources/manual"));
        QStringList there = folder.entryList({QStringLiteral("*.md")});
        for (const char* const below : {"findings/", "findings/failures/"})
            for (const QString& finding : QDir(folder.filePath(below)).entryList({QStringLiteral("*.md")}))
                there << below + finding;
        there.sort();
        QCOMPARE(files, there);
    }

    void everyLinkLeadsToAPlaceOfTheManual()
    {
        ManualWindow window;
        int count = 0;
        for (const ManualPage& page : window.pages()) {
            window.showPage(page.file);
            for (const QString& link : linksOn(window.browser())) {
                window.showPage(page.file);
                QVERIFY2(QUrl(link).isRelative(), qPrintable(page.file + ": " + link));
                window.browser().setSource(window.browser().source().resolved(QUrl(link)));
                const QUrl source = window.browser().source();
                QVERIFY2(source.scheme() == QLatin1String("qrc"), qPrintable(page.file + ": " + link));
                QVERIFY2(window.browser().document()->blockCount() > 3, qPrintable(page.file + ": " + link));
                QVERIFY2(!source.hasFragment() || hasAnchor(window.browser(), source.fragment()),
                    qPrintable(page.file + ": " + link));
                ++count;
            }
        }
        QVERIFY(count > 20);
    }

    void everyEntryOfTheContentsLeadsToItsHeading()
    {
        ManualWindow window;
        int pages = 0;
        for (QTreeWidgetItemIterator entry(&window.contents()); *entry; ++entry) {
            window.contents().setCurrentItem(*entry);
            const QUrl place = window.browser().source();
            pages += place.hasFragment() ? 0 : 1;
            QVERIFY2(!place.hasFragment() || hasAnchor(window.browser(), place.fragment()),
                qPrintable((*entry)->text(0)));
            QVERIFY2(
                window.browser().toPlainText().contains((*entry)->text(0)), qPrintable((*entry)->text(0)));
            QCOMPARE(window.contents().currentItem(), *entry);
        }
        QCOMPARE(static_cast<std::size_t>(pages), window.pages().size());
    }

    void everyPictureIsThereAndEachIsShown()
    {
        ManualWindow window;
        QStringList shown;
        for (const ManualPage& page : window.pages()) {
            window.showPage(page.file);
            for (const QString& picture : picturesOn(window.browser())) {
                const QUrl url = window.browser().source().resolved(QUrl(picture));
                QVERIFY2(
                    !QImage(QLatin1Char(':') + url.path()).isNull(), qPrintable(page.file + ": " + picture));
                shown << QFileInfo(picture).fileName();
            }
        }
        shown.sort();
        shown.removeDuplicates();
        QCOMPARE(shown,
            QDir(QStringLiteral(HIGHWATER_SOURCE_DIR "/resources/manual/pictures"))
                .entryList({QStringLiteral("*.png")}));
    }

    void picturesFitBesideTheContents()
    {
        ManualWindow window;
        window.showPage(QStringLiteral("window.md"));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.browser().document()->idealWidth() <= window.browser().viewport()->width());
    }

    void goingBackShowsThePageBeforeWithItsAnchors()
    {
        ManualWindow window;
        window.showPage(QStringLiteral("quantities.md"));
        window.showPage(QStringLiteral("limits.md"));
        window.browser().backward();
        QCOMPARE(window.browser().file(), QStringLiteral("quantities.md"));
        QVERIFY(hasAnchor(window.browser(), QStringLiteral("capacity")));
        QCOMPARE(window.contents().currentItem()->text(0), QStringLiteral("Quantities"));
    }

    void aPageOfAFindingIsShownBelowTheListOfFindings()
    {
        ManualWindow window;
        window.showPage(QStringLiteral("findings/growth.md"));
        QCOMPARE(window.browser().file(), QStringLiteral("findings/growth.md"));
        QCOMPARE(window.contents().currentItem()->text(0), QStringLiteral("growth"));
        QCOMPARE(window.contents().currentItem()->parent()->text(0), QStringLiteral("Findings"));
    }

    void wordsAreFoundOnAnotherPage()
    {
        ManualWindow window;
        window.showPage(QStringLiteral("README.md"));
        QVERIFY(window.findNext(QStringLiteral("Theil")));
        const QString first = window.browser().file();
        QVERIFY(first != QStringLiteral("README.md"));
        QCOMPARE(window.browser().textCursor().selectedText(), QStringLiteral("Theil"));
        QVERIFY(window.findNext(QStringLiteral("Theil")));
        QVERIFY(window.browser().file() != first);
        QVERIFY(!window.findNext(QStringLiteral("no page has these words")));
    }

    void headingsOfOneTextHaveAnchorsOfTheirOwn()
    {
        const auto headings
            = headingsOf(QStringLiteral("# A `b` c\n\n## Same\n\ntext\n\n```\n# not one\n```\n\n## "
                                        "[Same](x.md)\n\n### Peaks, and totals\n"));
        QCOMPARE(headings.size(), 4);
        QCOMPARE(headings[0].anchor, QStringLiteral("a-b-c"));
        QCOMPARE(headings[1].anchor, QStringLiteral("same"));
        QCOMPARE(headings[2].text, QStringLiteral("Same"));
        QCOMPARE(headings[2].anchor, QStringLiteral("same-1"));
        QCOMPARE(headings[3].anchor, QStringLiteral("peaks-and-totals"));
    }

    void theHelpKeyOpensTheManualOnce()
    {
        MainWindow window(false);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTest::keyClick(&window, Qt::Key_F1);
        auto manuals = window.findChildren<ManualWindow*>();
        QCOMPARE(manuals.size(), 1);
        QVERIFY(manuals.front()->isVisible());
        QCOMPARE(manuals.front()->browser().file(), QStringLiteral("README.md"));
        QTest::keyClick(&window, Qt::Key_F1);
        QCOMPARE(window.findChildren<ManualWindow*>().size(), 1);
        QTest::keyClick(manuals.front(), Qt::Key_Escape);
        QVERIFY(!manuals.front()->isVisible());
    }
};

HIGHWATER_APP_TEST(ManualTest)

} // namespace highwater::gui::test

#include "manual_test.moc"
