#include "app/loading/files/atomic_file.h"

#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

class AtomicFileTest : public testing::Test
{
protected:
    std::size_t filesInFolder() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
    }
    std::string content() const { return test::readWholeFile(path); }

    /// Returns the only temporary file in the folder.
    fs::path part() const
    {
        fs::path found;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
            if (entry.path().extension() == ".part")
                found = entry.path();
        return found;
    }
    /// Creates an old temporary file of this target, as a killed process with this number leaves it.
    fs::path leftBy(pid_t process, unsigned number)
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        std::string name = part().filename().string();
        name.resize(name.find_last_of('-', name.find_last_of('-') - 1) + 1);
        name += std::to_string(process) + "-" + std::to_string(number) + ".part";
        folder.write(name, "left");
        return aged(folder.path() / name);
    }
    /// Makes the file look older than this program's start.
    static fs::path aged(const fs::path& left)
    {
        fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(1));
        return left;
    }

    test::TemporaryFolder folder;
    std::string path = (folder.path() / "out").string();
};

/// Runs the work in a child process, which ends afterwards. Returns how it ended.
template <typename Work>
int statusOfChild(const Work& work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

/// Writes a document of ten pieces and is killed before one of them. With 10 or 11, it is killed before or
/// after the file replaces its target.
void writeAndDie(const std::string& path, const std::string& piece, int killedBefore)
{
    Result<AtomicFile> file = AtomicFile::create(path);
    for (int i = 0; i < 10; ++i) {
        if (i == killedBefore)
            std::raise(SIGKILL);
        file->write(piece);
    }
    if (killedBefore == 10)
        std::raise(SIGKILL);
    [[maybe_unused]] const Result<void> done = file->commit();
    std::raise(SIGKILL);
}

} // namespace

TEST_F(AtomicFileTest, AppearsWhenItIsCommitted)
{
    Result<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write("hello"));
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(file->commit());
    EXPECT_EQ(content(), "hello");
    EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingWhenItIsGivenUp)
{
    folder.write("out", "old");
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        file->write("new");
    }
    EXPECT_EQ(content(), "old");
    EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(AtomicFileTest, KeepsThePermissionsOfTheFileThatItReplaces)
{
    folder.write("out", "old");
    fs::permissions(path, static_cast<fs::perms>(0640));
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0640));
    EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, GivesANewFileTheUsualPermissions)
{
    const mode_t mask = ::umask(027);
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    ::umask(mask);
    EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(AtomicFileTest, ReplacesWhatALinkLeadsTo)
{
    fs::create_directory(folder.path() / "deep");
    folder.write("deep/real", "old");
    fs::create_symlink("deep/real", folder.path() / "middle");
    fs::create_symlink("middle", path);
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_TRUE(fs::is_symlink(path));
    EXPECT_TRUE(fs::is_symlink(folder.path() / "middle"));
    EXPECT_EQ(test::readWholeFile(folder.path() / "deep/real"), "new");
}

TEST_F(AtomicFileTest, MakesTheFileThatALinkLeadsToInVain)
{
    fs::create_symlink("later", path);
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_TRUE(fs::is_symlink(path));
    EXPECT_EQ(test::readWholeFile(folder.path() / "later"), "new");
}

TEST_F(AtomicFileTest, SaysThatLinksGoInACircle)
{
    fs::create_symlink("out", path);
    const std::string message = writeFileAtomically(path, "new").error().message;
    EXPECT_NE(message.find("symbolic links"), std::string::npos) << message;
}

TEST_F(AtomicFileTest, SaysThatItsFolderIsMissing)
{
    EXPECT_EQ(writeFileAtomically((folder.path() / "none" / "out").string(), "new").error().message,
        "cannot be saved: its folder does not exist");
}

TEST_F(AtomicFileTest, SaysThatItsFolderIsAFile)
{
    folder.write("file", "x");
    EXPECT_EQ(writeFileAtomically((folder.path() / "file" / "out").string(), "new").error().message,
        "cannot be saved: its folder is a file");
}

TEST_F(AtomicFileTest, SaysThatItsFolderCannotBeWritten)
{
    // Nobody can write there, not even root.
    const Result<void> done = writeFileAtomically("/proc/self/out", "new");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::CannotRead);
    EXPECT_NE(done.error().message.find("no file can be created"), std::string::npos) << done.error().message;
}

TEST_F(AtomicFileTest, ReplacesNeitherFoldersNorDevices)
{
    EXPECT_EQ(
        writeFileAtomically(folder.path().string(), "x").error().message, "cannot be saved: it is a folder");
    EXPECT_EQ(
        writeFileAtomically("/dev/null", "x").error().message, "cannot be saved: it is not a regular file");
}

TEST_F(AtomicFileTest, SaysThatItsNameIsTooLong)
{
    EXPECT_EQ(writeFileAtomically((folder.path() / std::string(300, 'n')).string(), "new").error().message,
        "cannot be saved: its name is too long");
}

TEST_F(AtomicFileTest, IsFinishedBeforeItIsMoved)
{
    folder.write("out", "old");
    Result<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    file->write("new");
    EXPECT_TRUE(file->finish());
    EXPECT_EQ(content(), "old");
    EXPECT_TRUE(file->commit());
    EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, LeavesNothingWhenItIsGivenUpAfterItWasFinished)
{
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        file->write("new");
        EXPECT_TRUE(file->finish());
    }
    EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(AtomicFileTest, RefusesAWriteProtectedFile)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "skipped: root may write everywhere";
    folder.write("out", "old");
    fs::permissions(path, static_cast<fs::perms>(0444));
    EXPECT_NE(writeFileAtomically(path, "new").error().message.find("write-protected"), std::string::npos);
    EXPECT_EQ(content(), "old");
}

TEST_F(AtomicFileTest, KeepsTheOldFileWhereTheNewOneHasNoRoom)
{
    folder.write("out", "old");
    const int status = statusOfChild([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{100'000, 100'000};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const Result<void> done = writeFileAtomically(path, std::string(1'000'000, 'n'));
        ::_exit(!done && done.error().message == "cannot be saved: it exceeds the largest file size here"
                ? 7
                : 1);
    });
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_EQ(content(), "old");
    EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(AtomicFileTest, IsTheOldFileWhenTheProgramIsKilledAtAnyPiece)
{
    const std::string piece(300'000, 'n');
    for (int killedBefore = 0; killedBefore <= 10; ++killedBefore) {
        folder.write("out", "old");
        const int status = statusOfChild([&] { writeAndDie(path, piece, killedBefore); });
        ASSERT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(content(), "old") << killedBefore;
    }
}

TEST_F(AtomicFileTest, RemovesWhatAKilledProgramLeftOfTheSameFile)
{
    statusOfChild([&] { writeAndDie(path, "n", 5); });
    const fs::path left = aged(part());
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_FALSE(fs::exists(left));
    EXPECT_EQ(content(), "new");
    EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(AtomicFileTest, LeavesWhatIsOfAnotherFile)
{
    statusOfChild([&] { writeAndDie(path, "n", 5); });
    const fs::path left = aged(part());
    ASSERT_TRUE(writeFileAtomically((folder.path() / "own").string(), "new"));
    EXPECT_TRUE(fs::exists(left));
}

TEST_F(AtomicFileTest, LeavesWhatWasWrittenSinceTheProgramBegan)
{
    statusOfChild([&] { writeAndDie(path, "n", 5); });
    const fs::path left = part();
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_TRUE(fs::exists(left));
}

TEST_F(AtomicFileTest, LeavesWhatAProcessThatLivesWrites)
{
    const fs::path left = leftBy(::getppid(), 1);
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_TRUE(fs::exists(left));
}

TEST_F(AtomicFileTest, LeavesWhatItWritesItself)
{
    Result<AtomicFile> first = AtomicFile::create(path);
    aged(part());
    ASSERT_TRUE(writeFileAtomically(path, "second"));
    first->write("first");
    EXPECT_TRUE(first->commit());
    EXPECT_EQ(content(), "first");
}

TEST_F(AtomicFileTest, RemovesWhatAnEarlierProcessOfItsOwnNumberLeft)
{
    const fs::path left = leftBy(::getpid(), 4'000'000'000);
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(AtomicFileTest, LeavesNamesThatAreNotQuiteItsOwn)
{
    const std::string name = leftBy(4'000'000, 1).string();
    const std::string stem = name.substr(0, name.size() - std::string_view("4000000-1.part").size());
    for (const char* end :
        {"4000000-1.part2", "4000000.part", "-4000000-1.part", "x-1.part", "4000000-1x.part"})
        aged(folder.write(fs::path(stem + end).filename().string(), "mine"));
    fs::create_directory(stem + "4000000-2.part");
    const std::string link = stem + "4000000-3.part";
    fs::create_symlink("nowhere", link);
    const timespec old[2] = {};
    ASSERT_EQ(::utimensat(AT_FDCWD, link.c_str(), old, AT_SYMLINK_NOFOLLOW), 0);
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_FALSE(fs::exists(name)) << "no system has a process of this number";
    EXPECT_EQ(filesInFolder(), 8u);
}

TEST_F(AtomicFileTest, ClearsAFolderOfItsOwnOfWhatKilledProgramsLeftOfAnyFile)
{
    const std::string left = leftBy(4'000'000, 1).string();
    const fs::path running = leftBy(::getpid(), 1);
    aged(folder.write(".highwater-save-4000000-1.part", "no hash"));
    removeSaveLeftovers(folder.path().string());
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(running));
    EXPECT_EQ(filesInFolder(), 2u);
}

TEST_F(AtomicFileTest, TakesAnotherNameWhereAnEarlierProcessHasTakenIt)
{
    {
        Result<AtomicFile> file = AtomicFile::create(path);
        const std::string name = part().filename().string();
        const std::size_t dash = name.find_last_of('-') + 1;
        const unsigned long number = std::stoul(name.substr(dash));
        for (unsigned long next = number + 1; next < number + 4; ++next)
            folder.write(name.substr(0, dash) + std::to_string(next) + ".part", "taken");
    }
    ASSERT_TRUE(writeFileAtomically(path, "new"));
    EXPECT_EQ(content(), "new");
    EXPECT_EQ(filesInFolder(), 4u);
}

TEST_F(AtomicFileTest, IsTheNewFileWhenTheProgramIsKilledThereafter)
{
    folder.write("out", "old");
    const std::string piece(300'000, 'n');
    const int status = statusOfChild([&] { writeAndDie(path, piece, 11); });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(content(), std::string(3'000'000, 'n'));
}

/// The child saves two documents in turn and reports each save through a pipe. It is killed at an arbitrary
/// time.
TEST_F(AtomicFileTest, IsOneOfBothDocumentsAtWhateverMomentTheProgramIsKilled)
{
    const std::string documents[] = {std::string(400'000, 'a'), std::string(500'000, 'b')};
    for (int round = 0; round < 40; ++round) {
        int pipe[2] = {};
        ASSERT_EQ(::pipe(pipe), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            for (int i = 0;; i = 1 - i)
                if (!writeFileAtomically(path, documents[i]) || ::write(pipe[1], "x", 1) != 1)
                    ::_exit(1);
        }
        char saved = 0;
        for (int saves = 0; saves <= round % 7; ++saves)
            ASSERT_EQ(::read(pipe[0], &saved, 1), 1);
        for (int looks = 0; looks < round * 3; ++looks) // makes the kill later in each round
            EXPECT_LE(filesInFolder(), 2u + static_cast<std::size_t>(round));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(pipe[0]);
        ::close(pipe[1]);
        ASSERT_TRUE(WIFSIGNALED(status));
        const std::string left = content();
        EXPECT_TRUE(left == documents[0] || left == documents[1]) << left.size();
    }
}

} // namespace highwater
