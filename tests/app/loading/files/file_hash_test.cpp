#include "app/loading/files/file_hash.h"

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

TEST(FileHash, IsThatOfTheStandard)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(sha256OfFile(folder.write("abc", "abc")),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256OfFile(folder.write("empty", "")),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(FileHash, CoversFilesLongerThanOnePiece)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(sha256OfFile(folder.write("a", std::string(1'000'000, 'a'))),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    EXPECT_NE(sha256OfFile(folder.write("b", std::string(3'000'000, 'a'))),
        sha256OfFile(folder.write("c", std::string(3'000'001, 'a'))));
}

TEST(FileHash, IsNoneForWhatCannotBeRead)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(sha256OfFile((folder.path() / "none").string()), std::nullopt);
    EXPECT_EQ(sha256OfFile(folder.path().string()), std::nullopt);
    EXPECT_EQ(sha256OfFile("-"), std::nullopt);
}

} // namespace highwater
