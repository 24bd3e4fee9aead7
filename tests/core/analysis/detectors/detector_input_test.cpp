#include "core/analysis/detectors/detector_input.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

DetectorInput inputWith(std::vector<ConfigurationEntry> settings)
{
    DetectorInput input;
    input.settings = std::move(settings);
    return input;
}

} // namespace

TEST(DetectorInput, FindsASettingByTheLastPartOfItsName)
{
    EXPECT_EQ(inputWith({{"model.vocab_size", "50257", "json", 0}}).number({"vocab_size"}), 50257);
}

TEST(DetectorInput, TakesTheFirstNameThatIsThere)
{
    const DetectorInput input = inputWith({{"batch", "4", "json", 0}, {"micro_batch_size", "2", "json", 0}});
    EXPECT_EQ(input.number({"micro_batch_size", "batch"}), 2);
}

TEST(DetectorInput, HasNoNumberWhereASettingIsNone)
{
    EXPECT_FALSE(inputWith({{"batch", "auto", "json", 0}}).number({"batch"}));
    EXPECT_FALSE(inputWith({{"batch", "-1", "json", 0}}).number({"batch"}));
    EXPECT_FALSE(inputWith({{"batch", "4.5", "json", 0}}).number({"batch"}));
    EXPECT_FALSE(inputWith({}).number({"batch"}));
}

} // namespace highwater
