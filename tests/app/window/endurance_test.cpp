#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <numeric>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/parts/panel_tabs.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

/// The files that each lap opens and uses.
const QStringList& files()
{
    static const QString samples = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/");
    static const QStringList all{samplePath(QStringLiteral("r1-grpo-before")),
        samples + QStringLiteral("ranks"), samples + QStringLiteral("logs/r5-flan-t5-xl.log"),
        samplePath(QStringLiteral("training-6-steps-bare")),
        samples + QStringLiteral("nsys/no-memory-table-3.25.0.sqlite"),
        samples + QStringLiteral("kineto/tiny-addresses.pt.trace.json"),
        samples + QStringLiteral("broken/empty.pickle"), samplePath(QStringLiteral("r1-grpo-after"))};
    return all;
}

/// Returns the targets of the process's file handles.
QStringList openHandles()
{
    QStringList places;
    const QDir folder(QStringLiteral("/proc/self/fd"));
    for (const QString& name : folder.entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System))
        if (const QString place = QFile::symLinkTarget(folder.filePath(name));
            !place.startsWith(folder.path()))
            places << place;
    places.sort();
    return places;
}

/// Returns the bytes the program has allocated, without the allocator's own reserves.
std::size_t heapBytes()
{
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

/// Returns resident memory, after the allocator has returned its free memory.
qint64 residentBytes()
{
    malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE);
}

} // namespace

/// Uses a window for a long time: opens, views and closes files, and checks that nothing of them remains.
/// HIGHWATER_ENDURANCE_LAPS sets the number of laps and prints each of them.
class EnduranceTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_folder;
    std::vector<std::weak_ptr<const Document>> m_documents;
    int m_opened = 0;

    DocumentPage& page() { return m_window->page(); }

    void open(const QString& path)
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->openFile(path);
        QVERIFY(complete.count() > 0 || complete.wait(60'000));
        ++m_opened;
        if (isOn(page()))
            m_documents.push_back(page().document());
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    void lookAround()
    {
        page().takeFocus();
        for (const Qt::Key key : {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Right, Qt::Key_BracketRight,
                 Qt::Key_Left, Qt::Key_Minus, Qt::Key_P, Qt::Key_O, Qt::Key_H, Qt::Key_0})
            QTest::keyClick(&page().timeline(), key);
        for (int view = 0; view < 6; ++view) {
            press(static_cast<Qt::Key>(Qt::Key_1 + view));
            QTRY_VERIFY_WITH_TIMEOUT(page().isSettled(), 60'000);
            m_window->grab();
        }
        press(Qt::Key_1);
    }
    void writeANote()
    {
        Note note;
        note.title = "at the peak";
        note.place = NotedMoment{page().analysis()->figures.peakEvent};
        m_window->notes().add(note, false);
        m_window->grab();
        m_window->notes().list().undoStack().undo();
        m_window->notes().setPanelWanted(false);
    }
    void exportReport()
    {
        m_window->actions().report->trigger();
        ReportView& report = m_window->pages().report;
        QTRY_VERIFY_WITH_TIMEOUT(
            report.isVisible() && report.session().report() && report.isSettled(), 60'000);
        QSignalSpy saved(&report, &ReportView::saved);
        report.saveTo(m_folder.filePath(QStringLiteral("report.html")));
        QVERIFY(saved.count() > 0 || saved.wait(60'000));
        emit report.closeRequested();
    }
    void compareTwo()
    {
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->compareFiles(files().first(), files().last());
        QVERIFY(complete.wait(60'000));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->pages().compare.isSettled(), 60'000);
        m_window->grab();
        emit m_window->pages().compare.closeRequested();
        QCoreApplication::processEvents();
    }
    void lap()
    {
        for (const QString& path : files()) {
            open(path);
            if (!isOn(page()) || !page().analysis())
                continue;
            lookAround();
            writeANote();
        }
        exportReport();
        if (QTest::currentTestFailed())
            return;
        compareTwo();
        // Measures with one small file open.
        open(samplePath(QStringLiteral("tiny-hand-checked")));
        QTRY_VERIFY_WITH_TIMEOUT(page().isSettled(), 60'000);
        m_window->grab();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    qsizetype aliveDocuments() const
    {
        return std::count_if(
            m_documents.begin(), m_documents.end(), [](const auto& of) { return !of.expired(); });
    }
    /// Counts the window's objects by class.
    std::map<QByteArray, int> objects() const
    {
        std::map<QByteArray, int> counts;
        for (const QObject* object : m_window->findChildren<QObject*>())
            ++counts[object->metaObject()->className() + QByteArray(" of ")
                + object->parent()->metaObject()->className() + QByteArray(" ")
                + object->parent()->objectName().toUtf8()];
        return counts;
    }
    static QByteArray grown(const std::map<QByteArray, int>& from, const std::map<QByteArray, int>& to)
    {
        QByteArray text;
        for (const auto& [name, count] : to) {
            const auto before = from.find(name);
            if (const int more = count - (before == from.end() ? 0 : before->second); more > 0)
                text += name + " +" + QByteArray::number(more) + "; ";
        }
        return text;
    }
    void printLap(int number, qint64 bytes) const
    {
        std::printf("lap %3d  %4d files opened  %7.1f MiB resident  %7.2f MiB allocated  %3lld handles  %zu "
                    "objects\n",
            number, m_opened, double(bytes) / (1 << 20), double(heapBytes()) / (1 << 20),
            static_cast<long long>(openHandles().size()),
            static_cast<std::size_t>(m_window->findChildren<QObject*>().size()));
        std::fflush(stdout);
    }
    /// Resident memory varies with the memory that the allocator keeps for each thread, but allocated memory
    /// does not. Compares the two halves of the laps.
    static void checkHeap(const std::vector<double>& laps)
    {
        const auto middle = laps.begin() + static_cast<std::ptrdiff_t>(laps.size() / 2);
        const auto mean = [](auto begin, auto end) {
            return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
        };
        const double first = mean(laps.begin(), middle);
        const double second = mean(middle, laps.end());
        std::printf("allocated: %.2f MiB in the first half, %.2f MiB in the second: %+.1f %%\n",
            first / (1 << 20), second / (1 << 20), 100 * (second / first - 1));
        QVERIFY(second <= 1.02 * first);
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(true);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void nothingOfAFileStays()
    {
        // Qt makes some objects only when they are first needed, such as the frame of a text, which may be in
        // the second lap. What a file leaves behind grows with every lap.
        const int laps = std::max(3, qEnvironmentVariableIntValue("HIGHWATER_ENDURANCE_LAPS"));
        const int warm = std::max(2, laps / 5);
        QStringList handles;
        std::map<QByteArray, int> children;
        std::vector<double> allocated;
        for (int i = 1; i <= laps; ++i) {
            lap();
            if (QTest::currentTestFailed())
                return;
            QCOMPARE(aliveDocuments(), qsizetype{1}); // the document that is displayed
            if (i == warm) {
                handles = openHandles();
                children = objects();
            }
            if (laps > 3)
                printLap(i, residentBytes());
            if (i <= warm)
                continue;
            allocated.push_back(static_cast<double>(heapBytes()));
            // A thread may be about to close a handle.
            QTRY_VERIFY2(
                openHandles().size() <= handles.size(), qPrintable(openHandles().join(QLatin1Char('\n'))));
            QTRY_VERIFY2(grown(children, objects()).isEmpty(), grown(children, objects()).constData());
        }
        if (laps > 3)
            checkHeap(allocated);
    }
};

HIGHWATER_APP_TEST(EnduranceTest)

} // namespace highwater::gui::test

#include "endurance_test.moc"
