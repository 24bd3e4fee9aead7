#include <QDir>
#include <QDirIterator>
#include <QTest>

#include "app/loading/run/read_run.h"
#include "app/workspace/document/run_session.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Checks that the window shows the same main file as the command line.
class RunSessionTest : public QObject
{
    Q_OBJECT

private slots:
    void theMainFileIsThatOfTheCommandLine_data()
    {
        QTest::addColumn<QString>("folder");
        constexpr qsizetype mostFiles = 40;
        const QString root = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples");
        QDirIterator at(root, QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        while (at.hasNext()) {
            const QString folder = at.next();
            const qsizetype files = QDir(folder).entryList(QDir::Files).size();
            if (files > 1 && files <= mostFiles)
                QTest::newRow(qPrintable(folder.mid(root.size()))) << folder;
        }
    }

    void theMainFileIsThatOfTheCommandLine()
    {
        QFETCH(QString, folder);
        RunRequest request;
        request.paths = {folder.toStdString()};
        const tl::expected<Runs, RunError> runs = readRuns(request, nullptr, {});
        DocumentLoader loader;
        RunSession session(loader);
        bool hasFailed = false;
        connect(&session, &RunSession::failed, this, [&] { hasFailed = true; });
        session.open({folder});
        constexpr int patience = 120'000;
        QTRY_VERIFY_WITH_TIMEOUT(
            hasFailed || (session.shown() && !session.run().isLoading() && !loader.isLoading()), patience);
        QCOMPARE(session.shown().has_value(), runs.has_value());
        if (!runs)
            return;
        const RunMain shown = session.main();
        const RunMain& expected = runs->run.main;
        QCOMPARE(QString::fromStdString(shown.member.path), QString::fromStdString(expected.member.path));
        QCOMPARE(shown.rankCount, expected.rankCount);
        QCOMPARE(shown.member, expected.member);
        QCOMPARE(shown.reason, expected.reason);
        QCOMPARE(shown.others, expected.others);
    }
};

HIGHWATER_APP_TEST(RunSessionTest)

} // namespace highwater::gui::test

#include "run_session_test.moc"
