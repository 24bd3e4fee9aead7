#include "app/loading/files/notes_file.h"

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

TEST(NotesFile, IsRead)
{
    const test::TemporaryFolder folder;
    const Result<ParsedNotes> read = loadNotes(folder.write("notes.json", R"([{"title": "a"}])"));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->notes.size(), 1u);
    EXPECT_EQ(read->notes.front().title, "a");
}

TEST(NotesFile, ThatIsNotThereSaysSo)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(loadNotes((folder.path() / "none").string()).error().code, ErrorCode::CannotRead);
}

} // namespace highwater
