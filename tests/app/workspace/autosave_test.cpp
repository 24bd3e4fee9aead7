#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "app/loading/files/workspace_store.h"
#include "app/workspace/saved/autosave.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class AutosaveTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString folder() const { return m_folder->path() + QStringLiteral("/state"); }
    static WorkspaceFile withNote(const std::string& title)
    {
        WorkspaceFile file;
        file.notes.emplace_back().title = title;
        return file;
    }
    static std::string titleIn(const QString& path)
    {
        const auto read = readWorkspace(QFile::encodeName(path).toStdString());
        return read ? read->file.notes.at(0).title : std::string();
    }
    /// Simulates a program that writes a copy and dies.
    void leaveOrphan(const std::string& title)
    {
        const pid_t child = ::fork();
        if (child == 0) {
            Autosave autosave(folder());
            const bool done = autosave.write(withNote(title)).has_value();
            ::kill(::getpid(), done ? SIGKILL : SIGTERM);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QCOMPARE(WTERMSIG(status), SIGKILL);
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void whatBelongsToARunningWindowIsNoOrphan()
    {
        Autosave mine(folder());
        QVERIFY(mine.write(withNote("a")).has_value());
        Autosave other(folder());
        QVERIFY(other.orphans().isEmpty());
    }

    void twoWindowsHaveTheirOwnCopies()
    {
        Autosave one(folder());
        Autosave two(folder());
        QVERIFY(one.write(withNote("a")).has_value());
        QVERIFY(two.write(withNote("b")).has_value());
        QCOMPARE(QDir(folder()).entryList({"*.highwater"}, QDir::Files).size(), 2);
    }

    void whatAKilledProgramLeavesIsAnOrphan()
    {
        leaveOrphan("lost");
        Autosave mine(folder());
        const auto orphans = mine.orphans();
        QCOMPARE(orphans.size(), 1);
        QCOMPARE(titleIn(orphans.first().path), std::string("lost"));
        QVERIFY(orphans.first().written.isValid());
    }

    void anOrphanIsTakenOverByOneWindowOnly()
    {
        leaveOrphan("lost");
        Autosave one(folder());
        Autosave two(folder());
        const QString orphan = one.orphans().first().path;
        QVERIFY(one.takeOver(orphan));
        QVERIFY(!two.takeOver(orphan));
        QVERIFY(two.orphans().isEmpty());
        QVERIFY(one.write(withNote("found")).has_value());
        QCOMPARE(titleIn(orphan), std::string("found"));
    }

    void whatIsSavedLeavesNothing()
    {
        Autosave mine(folder());
        QVERIFY(mine.write(withNote("a")).has_value());
        mine.remove();
        QVERIFY(QDir(folder()).isEmpty());
    }

    void anOrphanCanBeDiscarded()
    {
        leaveOrphan("lost");
        Autosave mine(folder());
        Autosave::discard(mine.orphans().first().path);
        QVERIFY(mine.orphans().isEmpty());
        QVERIFY(QDir(folder()).isEmpty());
    }

    void aCopyOfARunningWindowIsNotDiscarded()
    {
        Autosave mine(folder());
        QVERIFY(mine.write(withNote("a")).has_value());
        Autosave::discard(QDir(folder()).entryInfoList({"*.highwater"}).first().absoluteFilePath());
        QCOMPARE(QDir(folder()).entryList({"*.highwater"}, QDir::Files).size(), 1);
    }

    void theFolderIsForItsOwnerOnly()
    {
        Autosave mine(folder());
        QVERIFY(mine.write(withNote("a")).has_value());
        const auto others = QFile::ReadGroup | QFile::ReadOther | QFile::ExeGroup | QFile::ExeOther;
        QVERIFY(!(QFileInfo(folder()).permissions() & others));
    }

    void withoutAFolderNothingIsKept()
    {
        Autosave none{QString()};
        QVERIFY(none.write(withNote("a")).has_value());
        QVERIFY(none.orphans().isEmpty());
    }

    void theFolderFollowsTheXdgRules()
    {
        qputenv("XDG_STATE_HOME", "/state");
        QCOMPARE(Autosave::defaultFolder(), QStringLiteral("/state/highwater"));
        qputenv("XDG_STATE_HOME", "relative");
        qputenv("HOME", "/me");
        QCOMPARE(Autosave::defaultFolder(), QStringLiteral("/me/.local/state/highwater"));
    }
};

HIGHWATER_APP_TEST(AutosaveTest)

} // namespace highwater::gui::test

#include "autosave_test.moc"
