#include <functional>

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/control_walk.h"

namespace highwater::gui::test {

namespace {

constexpr double kLargerText = 1.5;

QString sampleFile(const char* path)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/") + QString::fromLatin1(path);
}

/// A page or view of the window, and the way to open it.
struct Screen
{
    const char* name;
    std::function<void(MainWindow&)> open;
    const char* view = ""; ///< a view of the run, below the timeline
};

void openRun(MainWindow& window)
{
    window.openFile(samplePath(QStringLiteral("r1-grpo-before")));
}

const std::vector<Screen>& places()
{
    static const std::vector<Screen> all{
        {"start", {}},
        {"findings", openRun, "summary"},
        {"steps", openRun, "steps"},
        {"moment", openRun, "moment"},
        {"segments", openRun, "segments"},
        {"budget", openRun, "budget"},
        {"report", openRun, "report"},
        {"ranks", [](MainWindow& window) { window.openFile(sampleFile("ranks")); }, "ranks"},
        {"log beside a snapshot",
            [](MainWindow& window) {
                window.openFiles(
                    {samplePath(QStringLiteral("r1-grpo-before")), sampleFile("logs/r2-grpo-memory.jsonl")});
            },
            "log"},
        {"log", [](MainWindow& window) { window.openFile(sampleFile("logs/r5-flan-t5-xl.log")); }},
        {"recording",
            [](MainWindow& window) { window.openFile(sampleFile("nsys/no-memory-table-3.25.0.sqlite")); }},
        {"comparison",
            [](MainWindow& window) {
                window.compareFiles(samplePath(QStringLiteral("r1-grpo-before")),
                    samplePath(QStringLiteral("r1-grpo-after")));
            }},
        {"two logs",
            [](MainWindow& window) {
                window.compareFiles(
                    sampleFile("logs/r4-verl-before.err"), sampleFile("logs/r4-verl-after.err"));
            }},
        {"several runs",
            [](MainWindow& window) {
                window.sweepFiles({samplePath(QStringLiteral("r1-grpo-before")),
                    samplePath(QStringLiteral("r1-grpo-after")),
                    samplePath(QStringLiteral("training-6-steps-bare"))});
            }},
    };
    return all;
}

QString said(const QStringList& wrong)
{
    return wrong.join(QLatin1Char('\n'));
}

} // namespace

/// Checks that every view and dialog can be used with the keyboard and a screen reader, in high contrast and
/// with large texts.
class AccessibilityTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    QFont m_font;

    void makeWindow(const QSize& size = {1440, 900})
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    /// Opens the page or view of the current test row.
    void openPlace(const QSize& size = {1440, 900})
    {
        QFETCH_GLOBAL(int, place);
        const Screen& wanted = places()[static_cast<std::size_t>(place)];
        makeWindow(size);
        if (!wanted.open)
            return;
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        if (*wanted.view)
            m_window->openView(QString::fromLatin1(wanted.view));
        wanted.open(*m_window);
        QVERIFY(complete.wait(30'000));
        QCOMPARE(complete[0][0].toString(), QString());
        QTRY_VERIFY(m_window->pages().stack.isSettled());
        QCoreApplication::processEvents();
    }
    void checkAll(QWidget& window)
    {
        QString wrong = said(unnamedControls(window) + controlsThatTabMisses(window));
        QVERIFY2(wrong.isEmpty(), qPrintable(QLatin1Char('\n') + wrong));
    }
    static void check(const QStringList& wrong)
    {
        QVERIFY2(wrong.isEmpty(), qPrintable(QLatin1Char('\n') + said(wrong)));
    }

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<int>("place");
        for (std::size_t i = 0; i < places().size(); ++i)
            QTest::newRow(places()[i].name) << static_cast<int>(i);
    }
    void initTestCase()
    {
        useScratchSettings();
        m_font = QApplication::font();
    }
    void cleanup()
    {
        m_window.reset();
        QApplication::setFont(m_font);
    }

    void everyControlHasANameAndIsReachedByTab()
    {
        openPlace();
        checkAll(*m_window);
    }

    void withDetailsAndNotesTooEveryControlIsReached()
    {
        openPlace();
        DocumentPage& page = m_window->page();
        if (!isOn(page) || !page.analysis())
            QSKIP("details and notes are of a run");
        page.selection().setRange(Selection::EventRange{1'000, 9'000});
        page.setDetailsWanted(true);
        Note note;
        note.title = "what I saw";
        note.place = NotedMoment{3};
        m_window->notes().add(note, false);
        QTRY_VERIFY(page.isSettled());
        checkAll(*m_window);
    }

    void largeTextsAreNotCut()
    {
        QFont large = m_font;
        large.setPointSizeF(m_font.pointSizeF() * kLargerText);
        QApplication::setFont(large);
        openPlace({1920, 1200});
        check(cutTexts(*m_window));
    }

    void textsStandOutInHighContrast()
    {
        openPlace();
        m_window->setTheme(ThemeChoice::Contrast);
        QCoreApplication::processEvents();
        const QStringList pale = paleTexts(*m_window);
        m_window->setTheme(ThemeChoice::Light);
        check(pale + cutTexts(*m_window));
    }
};

HIGHWATER_APP_TEST(AccessibilityTest)

} // namespace highwater::gui::test

#include "accessibility_test.moc"
