#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/pages/headline.h"
#include "app/views/pages/recording_page.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/segments/segments_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui {

using test::samplePath;

/// Checks that the window has the same findings as `highwater findings`.
class FindingsAgreeTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    static QStringList ofCommand(const QStringList& arguments)
    {
        QProcess command;
        command.start(QStringLiteral(HIGHWATER_CLI), QStringList{QStringLiteral("findings")} + arguments);
        command.waitForFinished(120'000);
        QStringList found;
        const QJsonObject document = QJsonDocument::fromJson(command.readAllStandardOutput()).object();
        for (const QJsonValue& one : document[QStringLiteral("findings")].toArray()) {
            found << one[QStringLiteral("rule")].toString() + QStringLiteral(": ")
                    + one[QStringLiteral("title")].toString();
            for (const QJsonValue& evidence : one[QStringLiteral("evidence")].toArray())
                found << evidence.toString();
        }
        return found;
    }

    static QStringList ofWindow(const QString& path, const QString& configuration)
    {
        MainWindow window(false);
        window.openFile(path);
        if (!configuration.isEmpty())
            window.openConfiguration(configuration);
        RunState& run = window.page().run();
        const bool isThere = QTest::qWaitFor([&] { return run.study() && !run.isBusy(); }, 120'000);
        QStringList found;
        if (isThere)
            for (const Finding& finding : run.study()->findings()) {
                found << toQString(finding.rule) + QStringLiteral(": ") + toQString(finding.title);
                for (const Evidence& evidence : finding.evidence)
                    found << toQString(evidence.sentence);
            }
        return found;
    }

    static void compare(const QString& path, const QString& configuration = {})
    {
        QStringList arguments{path, QStringLiteral("--json"), QStringLiteral("--quiet")};
        if (!configuration.isEmpty())
            arguments << QStringLiteral("--config") << configuration;
        const QStringList expected = ofCommand(arguments);
        QVERIFY2(!expected.isEmpty(), qPrintable(path));
        QCOMPARE(ofWindow(path, configuration), expected);
    }

private slots:
    void initTestCase() { test::useScratchSettings(); }

    void theFirstScreenSaysWhatTheCommandAndTheReportSay()
    {
        QProcess command;
        const QString path = samplePath(QStringLiteral("oom-fragmentation"));
        command.start(QStringLiteral(HIGHWATER_CLI), {QStringLiteral("findings"), path});
        QVERIFY(command.waitForFinished(120'000));
        const QString said
            = QString::fromUtf8(command.readAllStandardOutput()).section(QLatin1Char('\n'), 0, 0);
        QVERIFY2(said.contains(QStringLiteral("PyTorch's cache is fragmented")), qPrintable(said));
        MainWindow window(false);
        window.openFile(path);
        QTRY_VERIFY(window.page().run().study());
        const QString text = toQString(window.page().run().study()->diagnosis().text());
        QVERIFY2(said.startsWith(text + QLatin1String(" [fragmentation, ")), qPrintable(text));
        QCOMPARE(window.page().verdict().headline().text(), text);
    }

    void theHeadlineAndTheSegmentsNameTheSameCause_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<QString>("segments");
        QTest::newRow("growth")
            << "r1-grpo-before"
            << "Without the leak, the peak would be 8.63 GiB, in step 1."
            << "48 MiB requested on a full GPU; 22.81 GiB of at least 22.85 GiB is reserved";
        QTest::newRow("fragmentation") << "oom-fragmentation"
                                       << "PyTorch's cache is fragmented"
                                       << "900 MiB requested, and PyTorch's cache is fragmented";
        QTest::newRow("too big") << "oom-too-big"
                                 << "Live tensors leave too little room"
                                 << "Too big: ";
    }
    void theHeadlineAndTheSegmentsNameTheSameCause()
    {
        QFETCH(QString, sample);
        QFETCH(QString, headline);
        QFETCH(QString, segments);
        MainWindow window(false);
        window.show();
        window.openFile(samplePath(sample));
        window.openView(QStringLiteral("segments"));
        QTRY_VERIFY(window.page().run().study() && window.page().isSettled());
        auto* view = window.findChild<SegmentsView*>();
        QTRY_VERIFY(view->isVisible() && view->isSettled() && view->moment());
        const QString verdict = test::textIn(*view);
        QVERIFY2(window.page().verdict().headline().text().contains(headline),
            qPrintable(window.page().verdict().headline().text()));
        QVERIFY2(verdict.contains(segments), qPrintable(verdict));
        QCOMPARE(verdict.contains(QStringLiteral("is fragmented")),
            headline.contains(QStringLiteral("is fragmented")));
    }

    /// Logs, recordings without memory, and traces show the same diagnosis on every page.
    void theDiagnosisOfEveryPage_data()
    {
        QTest::addColumn<QString>("path");
        const QDir samples(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples"));
        for (const char* const folder : {"logs", "logs/kinds", "kineto", "nsys"})
            for (const QString& name : QDir(samples.filePath(folder)).entryList(QDir::Files))
                QTest::newRow(qPrintable(folder + QStringLiteral("/") + name))
                    << samples.filePath(folder + QStringLiteral("/") + name);
    }
    void theDiagnosisOfEveryPage()
    {
        QFETCH(QString, path);
        QProcess command;
        command.start(QStringLiteral(HIGHWATER_CLI),
            {QStringLiteral("findings"), QStringLiteral("--json"), QStringLiteral("--quiet"), path});
        QVERIFY(command.waitForFinished(120'000));
        const QJsonObject said = QJsonDocument::fromJson(command.readAllStandardOutput())
                                     .object()[QStringLiteral("diagnosis")]
                                     .toObject();
        if (said.isEmpty())
            QSKIP("refused, with a sentence of its own");
        MainWindow window(false);
        window.openFile(path);
        QTRY_VERIFY(window.page().run().study() || !window.errorText().isEmpty());
        QVERIFY2(window.page().run().study(), qPrintable(window.errorText()));
        const Diagnosis& diagnosis = window.page().run().study()->diagnosis();
        QCOMPARE(toQString(toText(diagnosis.diagnosed)), said[QStringLiteral("class")].toString());
        const QString sentence = said[QStringLiteral("sentence")].toString();
        QCOMPARE(toQString(diagnosis.sentence), sentence);
        const QStringList shown{window.page().verdict().headline().text(),
            window.pages().log.headline().text(),
            window.pages().recording.findChild<QLabel*>(QStringLiteral("recordingTitle"))->text()};
        QVERIFY2(std::any_of(shown.begin(), shown.end(),
                     [&](const QString& text) { return text.startsWith(sentence); }),
            qPrintable(shown.join(QStringLiteral(" | "))));
    }

    void inEverySnapshot_data()
    {
        QTest::addColumn<QString>("path");
        const QDir samples(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/pytorch-snapshot"));
        for (const QString& name : samples.entryList({QStringLiteral("*.pickle.zst")}))
            QTest::newRow(qPrintable(name)) << samples.filePath(name);
    }
    void inEverySnapshot()
    {
        QFETCH(QString, path);
        compare(path);
    }

    void inAFileThatEndsEarly()
    {
        QFile whole(samplePath(QStringLiteral("r1-grpo-before")));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        QFile cut(m_folder.filePath(QStringLiteral("cut.pickle.zst")));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(bytes.left(bytes.size() * 7 / 10));
        cut.close();
        compare(cut.fileName());
    }

    void ofHostMemoryUnderAConfigurationThatNamesAGpu()
    {
        compare(samplePath(QStringLiteral("host-pinned")),
            QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/r5-flan-t5-xl.yaml"));
    }

    void withAConfiguration()
    {
        compare(samplePath(QStringLiteral("r1-grpo-before")),
            QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/r1-grpo.yaml"));
    }
};

HIGHWATER_APP_TEST(FindingsAgreeTest)

} // namespace highwater::gui

#include "findings_agree_test.moc"
