#include "core/report/parts/part_text.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(NameWithoutEndings, LosesWhatOnlySaysTheKindOfFile)
{
    EXPECT_EQ(nameWithoutEndings("r1-before.pickle.zst"), "r1-before");
    EXPECT_EQ(nameWithoutEndings("node7.1700.pt.trace.json.gz"), "node7.1700");
    EXPECT_EQ(nameWithoutEndings("train.err"), "train");
}

TEST(NameWithoutEndings, KeepsOtherPartsAndNamesThatAreEndings)
{
    EXPECT_EQ(nameWithoutEndings("run.v2"), "run.v2");
    EXPECT_EQ(nameWithoutEndings(".json"), ".json");
    EXPECT_EQ(nameWithoutEndings("snapshot.pickle"), "snapshot");
    EXPECT_EQ(nameWithoutEndings(""), "");
}

} // namespace highwater
