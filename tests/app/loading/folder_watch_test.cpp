#include "app/loading/folder_watch.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;

using Names = std::vector<std::string>;

ListedFile listed(const std::string& name, std::uintmax_t bytes, Nanoseconds changed = 0)
{
    return {name, bytes, changed};
}

} // namespace

TEST(FolderWatch, WhatWasThereIsNotNew)
{
    FolderWatch watch({listed("old.pickle", 10)});
    for (Nanoseconds now = 0; now < 10 * kSecond; now += kSecond)
        EXPECT_EQ(watch.look({listed("old.pickle", 10)}, now), Names{});
}

TEST(FolderWatch, AFileWrittenInPiecesIsGivenOnceAfterTheLast)
{
    FolderWatch watch({});
    EXPECT_EQ(watch.look({listed("a.pickle", 10)}, 0), Names{});
    EXPECT_EQ(watch.look({listed("a.pickle", 20)}, kSecond), Names{});
    EXPECT_EQ(watch.look({listed("a.pickle", 20)}, 2 * kSecond), Names{});
    EXPECT_EQ(watch.look({listed("a.pickle", 20)}, 3 * kSecond), Names{"a.pickle"});
    EXPECT_EQ(watch.look({listed("a.pickle", 20)}, 9 * kSecond), Names{});
}

TEST(FolderWatch, AFileWrittenAnewIsGivenAgain)
{
    FolderWatch watch({listed("a.pickle", 10, 1)});
    EXPECT_EQ(watch.look({listed("a.pickle", 10, 2)}, 0), Names{});
    EXPECT_EQ(watch.look({listed("a.pickle", 10, 2)}, 2 * kSecond), Names{"a.pickle"});
}

TEST(FolderWatch, RanksThatAreWrittenTogetherAreGivenTogether)
{
    FolderWatch watch({});
    EXPECT_EQ(watch.look({listed("rank0.pickle", 10), listed("rank1.pickle", 5)}, 0), Names{});
    EXPECT_EQ(watch.look({listed("rank0.pickle", 10), listed("rank1.pickle", 9)}, 2 * kSecond), Names{});
    EXPECT_EQ(watch.look({listed("rank0.pickle", 10), listed("rank1.pickle", 9)}, 4 * kSecond),
        (Names{"rank0.pickle", "rank1.pickle"}));
}

TEST(FolderWatch, AGrowingLogDelaysNoOtherFile)
{
    FolderWatch watch({});
    std::vector<Names> given;
    for (std::uintmax_t second = 0; second < 4; ++second)
        given.push_back(watch.look({listed("metrics.json", 100 + second), listed("snap1.pickle", 10)},
            static_cast<Nanoseconds>(second) * kSecond));
    EXPECT_EQ(given, (std::vector<Names>{{}, {}, {"snap1.pickle"}, {}}));
}

TEST(FolderWatch, ARankWaitsOnlySoLongForTheOthers)
{
    FolderWatch watch({});
    std::vector<Nanoseconds> given;
    for (std::uintmax_t second = 0; second < 20; ++second) {
        const auto now = static_cast<Nanoseconds>(second) * kSecond;
        if (!watch.look({listed("rank0.pickle", 10), listed("rank1.pickle", 10 + second)}, now).empty())
            given.push_back(now);
    }
    EXPECT_EQ(given, std::vector{FolderWatch::kMaxQuietPeriods * FolderWatch::kQuiet});
}

TEST(FolderWatch, AnEmptyFileIsAwaited)
{
    FolderWatch watch({});
    EXPECT_EQ(watch.look({listed("a.pickle", 0)}, 0), Names{});
    EXPECT_EQ(watch.look({listed("a.pickle", 0)}, 9 * kSecond), Names{});
}

TEST(FolderWatch, AFileThatVanishesIsForgotten)
{
    FolderWatch watch({});
    EXPECT_EQ(watch.look({listed("a.pickle.tmp.gz", 10)}, 0), Names{});
    EXPECT_EQ(watch.look({}, 3 * kSecond), Names{});
    EXPECT_EQ(watch.look({listed("a.pickle.tmp.gz", 10)}, 4 * kSecond), Names{});
}

TEST(ListRecordings, LeavesOutLogsFoldersAndHiddenFiles)
{
    const test::TemporaryFolder folder;
    folder.write("train.log", "step 1");
    folder.write("below/b.pickle", "x");
    folder.write(".a.pickle", "x");
    folder.write("trace.pt.trace.json", "{}");
    folder.write("a.pickle", "xy");
    const Result<std::vector<ListedFile>> files = listRecordings(folder.path());
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ((*files)[0].path, (folder.path() / "a.pickle").string());
    EXPECT_EQ((*files)[0].bytes, 2u);
    EXPECT_EQ((*files)[1].path, (folder.path() / "trace.pt.trace.json").string());
}

TEST(ListRecordings, OfAFolderThatIsGoneSaysSo)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(listRecordings(folder.path() / "none").error().code, ErrorCode::CannotRead);
}

TEST(Arrival, IsARecordingWhereTheFileIsReadToItsEnd)
{
    const std::string path = test::samplePath("encodings/tiny-protocol-4.pickle");
    EXPECT_EQ(classifyArrival(path, {}), Arrival::Recording);
    const test::TemporaryFolder folder;
    const std::string whole = test::readWholeFile(path);
    EXPECT_EQ(
        classifyArrival(folder.write("half.pickle", std::string_view(whole).substr(0, whole.size() / 2)), {}),
        Arrival::Part);
    EXPECT_EQ(classifyArrival(folder.write("other.json", "{\"a\": 1}"), {}), Arrival::Log);
}

} // namespace highwater
