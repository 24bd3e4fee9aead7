#include "importers/pytorch_snapshot/snapshot_keys.h"

#include <set>

#include <gtest/gtest.h>

namespace highwater {

TEST(SnapshotKeys, HaveTheirTexts)
{
    const auto textOf = [](Key key) { return kKeyTexts[static_cast<std::size_t>(key)]; };
    EXPECT_EQ(textOf(Key::Action), "action");
    EXPECT_EQ(textOf(Key::UserMetadata), "user_metadata");
    EXPECT_EQ(textOf(Key::RealSize), "real_size");
    EXPECT_EQ(textOf(Key::Segments), "segments");
    EXPECT_EQ(textOf(Key::MaxEntries), "trace_alloc_max_entries");
    EXPECT_EQ(textOf(Key::Empty), "");
    EXPECT_EQ(textOf(Key::Inactive), "inactive");
}

TEST(SnapshotKeys, AreAllDifferent)
{
    EXPECT_EQ(std::set<std::string_view>(kKeyTexts.begin(), kKeyTexts.end()).size(), kKeyTexts.size());
}

} // namespace highwater
