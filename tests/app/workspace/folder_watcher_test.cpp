#include <QDateTime>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/workspace/document/folder_watcher.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the order of the signals of FolderWatcher. FolderWatch decides when a file is complete.
class FolderWatcherTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& content)
    {
        QFile file(m_folder.filePath(name));
        const bool isOpen = file.open(QIODevice::WriteOnly | QIODevice::Append);
        Q_ASSERT(isOpen);
        file.write(content);
        return file.fileName();
    }
    static QByteArray sampleBytes()
    {
        QFile file(samplePath(QStringLiteral("tiny-hand-checked")));
        const bool isOpen = file.open(QIODevice::ReadOnly);
        Q_ASSERT(isOpen);
        return file.readAll();
    }

private slots:
    void aRecordingWrittenInPiecesArrivesOnceAndComplete()
    {
        using namespace std::chrono_literals;
        FolderWatcher watcher;
        watcher.setTimes(5ms, 40ms);
        QSignalSpy arrived(&watcher, &FolderWatcher::arrived);
        QSignalSpy incomplete(&watcher, &FolderWatcher::incomplete);
        write(QStringLiteral("old.pickle"), sampleBytes());
        watcher.start(m_folder.path());
        QTRY_VERIFY(watcher.hasBegun());

        const QByteArray whole = sampleBytes();
        const QString path = write(QStringLiteral("new.pickle"), whole.left(whole.size() / 2));
        QTRY_COMPARE(incomplete.size(), 1); // it paused in the middle of the file
        QCOMPARE(arrived.size(), 0);
        write(QStringLiteral("new.pickle"), whole.mid(whole.size() / 2));
        QTRY_COMPARE(arrived.size(), 1);
        QCOMPARE(arrived[0][0].toStringList(), QStringList{path});

        write(QStringLiteral("later.pickle"), whole);
        QTRY_COMPARE(arrived.size(), 2);
        QVERIFY(!arrived[1][0].toStringList().contains(path));
    }

    void theNewestCompleteRecordingPresentAtTheStartIsReportedOnce()
    {
        using namespace std::chrono_literals;
        const QTemporaryDir folder;
        const auto add = [&folder](const QString& name, const QByteArray& content, int secondsAgo) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
            file.flush();
            QVERIFY(file.setFileTime(
                QDateTime::currentDateTime().addSecs(-secondsAgo), QFileDevice::FileModificationTime));
        };
        const QByteArray whole = sampleBytes();
        add(QStringLiteral("a.pickle"), whole, 30);
        add(QStringLiteral("b.pickle"), whole, 60);
        add(QStringLiteral("cut.pickle"), whole.left(whole.size() / 2), 10);
        FolderWatcher watcher;
        watcher.setTimes(5ms, 40ms);
        QSignalSpy began(&watcher, &FolderWatcher::began);
        QSignalSpy arrived(&watcher, &FolderWatcher::arrived);
        watcher.start(folder.path());
        QTRY_COMPARE(began.size(), 1);
        QCOMPARE(began[0][0].toString(), folder.filePath(QStringLiteral("a.pickle")));
        QTest::qWait(30); // several more checks
        QCOMPARE(began.size(), 1);
        QCOMPARE(arrived.size(), 0);
    }

    void aLogThatGoesOnGrowingDelaysNoRecordingAndIsNone()
    {
        using namespace std::chrono_literals;
        FolderWatcher watcher;
        watcher.setTimes(5ms, 40ms);
        QSignalSpy arrived(&watcher, &FolderWatcher::arrived);
        QSignalSpy incomplete(&watcher, &FolderWatcher::incomplete);
        watcher.start(m_folder.path());
        QTRY_VERIFY(watcher.hasBegun());

        QTimer training;
        connect(&training, &QTimer::timeout, this,
            [this] { write(QStringLiteral("metrics.json"), "{\"loss\": 1.5}\n"); });
        training.start(5ms);
        const QString path = write(QStringLiteral("beside-a-log.pickle"), sampleBytes());
        QTRY_COMPARE(arrived.size(), 1);
        QCOMPARE(arrived[0][0].toStringList(), QStringList{path});
        QCOMPARE(incomplete.size(), 0);
    }

    void aFolderThatIsGoneIsToldOnceAndWatchedNoLonger()
    {
        FolderWatcher watcher;
        QSignalSpy failed(&watcher, &FolderWatcher::failed);
        const QString gone = m_folder.filePath(QStringLiteral("gone"));
        watcher.start(gone);
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toString(), gone);
        QVERIFY(failed[0][1].toString().contains(QLatin1String("cannot read the folder")));
        QVERIFY(watcher.folder().isEmpty());
    }
};

HIGHWATER_APP_TEST(FolderWatcherTest)

} // namespace highwater::gui::test

#include "folder_watcher_test.moc"
