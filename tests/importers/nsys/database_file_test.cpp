#include <gtest/gtest.h>

#include <sqlite3.h>

#include "importers/nsys/database_file.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"
#include "tests/support/sqlite_bytes.h"

namespace highwater {

namespace {

std::string sampleBytes()
{
    return test::readWholeFile(test::samplePath("nsys/training-3.7.2.sqlite"));
}

} // namespace

TEST(DatabaseHeader, TellsHowLargeTheFileIs)
{
    const std::string bytes = sampleBytes();
    EXPECT_EQ(nsys::declaredBytes(bytes), bytes.size());
    EXPECT_EQ(nsys::declaredBytes(bytes.substr(0, 99)), std::nullopt);
}

TEST(DatabaseHeader, IsNotBelievedWhenItIsOfAnOlderState)
{
    std::string bytes = sampleBytes();
    bytes[27] = static_cast<char>(bytes[27] + 1); // new change counter, but the old page count
    EXPECT_EQ(nsys::declaredBytes(bytes), std::nullopt);
}

TEST(NsysFile, OpensUnderAnyName)
{
    const test::TemporaryFolder folder;
    for (const char* name : {"a b.sqlite", "50%25?mode=rw#x", "täxt;&.db"}) {
        const Result<ImportedTrace> imported = openTrace(folder.write(name, sampleBytes()), {});
        ASSERT_TRUE(imported) << name << ": " << toText(imported.error());
        EXPECT_EQ(imported->trace->eventCount(0), 13) << name;
    }
}

TEST(NsysFile, OpensWhereNothingMayBeWritten)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("x.sqlite", sampleBytes());
    std::filesystem::permissions(
        folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    const Result<ImportedTrace> imported = openTrace(path, {});
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    EXPECT_TRUE(imported);
}

TEST(NsysFile, IsLeftAsItWas)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("x.sqlite", sampleBytes());
    ASSERT_TRUE(openTrace(path, {}));
    EXPECT_EQ(test::readWholeFile(path), sampleBytes());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(NsysFile, IsRefusedBesideTheJournalOfAnInterruptedExport)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("x.sqlite", sampleBytes());
    folder.write("x.sqlite-journal", "half a transaction");
    const Result<ImportedTrace> imported = openTrace(path, {});
    ASSERT_FALSE(imported);
    EXPECT_TRUE(
        test::hasParts(toText(imported.error()), {"half-written", "journal", "export the report again"}));
}

TEST(NsysFile, OpensBesideAnEmptyJournal)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("x.sqlite", sampleBytes());
    folder.write("x.sqlite-journal", "");
    EXPECT_TRUE(openTrace(path, {}));
}

TEST(NsysFile, SaysThatChangesBesideItAreNotShown)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("x.sqlite", sampleBytes());
    folder.write("x.sqlite-wal", "changes");
    const Result<ImportedTrace> imported = openTrace(path, {});
    ASSERT_TRUE(imported);
    EXPECT_TRUE(imported->trace->log.find("changes-beside"));
}

// Locks only work between processes, so another process must check.
TEST(NsysFile, ThatAnotherProgramWritesIsRefused)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("x.sqlite", sampleBytes());
    sqlite3* writer = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
    const test::ProgramRun run = test::runHighwater({"info", path});
    sqlite3_close(writer);
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.err.starts_with("highwater: " + path + ": is being written")) << run.err;
    EXPECT_EQ(test::runHighwater({"info", path}).exitCode, 0);
}

TEST(NsysFile, CutOffOnDiskKeepsWhatItHas)
{
    const test::TemporaryFolder folder;
    const std::string bytes = sampleBytes();
    const Result<ImportedTrace> imported
        = openTrace(folder.write("x.sqlite", bytes.substr(0, bytes.size() / 2)), {});
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->incomplete->place, Place::byte(28'160));
    EXPECT_TRUE(test::hasParts(toText(*imported->incomplete), {"28,160 of 56,320 bytes"}));
    EXPECT_EQ(imported->trace->eventCount(0), 13);
}

} // namespace highwater
