#include "core/run/configuration.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Returns "name=value" for every setting.
std::vector<std::string> settings(std::string_view text)
{
    std::vector<std::string> all;
    const auto parsed = parseConfiguration(text);
    EXPECT_TRUE(parsed);
    if (parsed)
        for (const ConfigurationEntry& entry : *parsed)
            all.push_back(entry.name + "=" + entry.value);
    return all;
}

using Texts = std::vector<std::string>;

} // namespace

TEST(Configuration, FlattensJson)
{
    EXPECT_EQ(settings(R"({"b": {"x": [1, 2.5]}, "a": "t", "n": null, "f": true})"),
        (Texts{"b.x.0=1", "b.x.1=2.5", "a=t", "n=null", "f=true"}));
}

TEST(Configuration, FlattensYaml)
{
    EXPECT_EQ(settings("model:\n  lr: 1e-5\n  sizes: [1, 2]\nlist:\n- a: 1\n- ~\n"),
        (Texts{"model.lr=1e-5", "model.sizes.0=1", "model.sizes.1=2", "list.0.a=1", "list.1=null"}));
    EXPECT_EQ(parseConfiguration("a: 1\nb: 2\n")->at(1).line, 2u);
}

TEST(Configuration, KeepsEmptyListsAndObjects)
{
    const Texts expected{"a=[]", "b.c={}", "d.0=[]"};
    EXPECT_EQ(settings(R"({"a": [], "b": {"c": {}}, "d": [[]]})"), expected);
    EXPECT_EQ(settings("a: []\nb:\n  c: {}\nd:\n- []\n"), expected);
}

TEST(Configuration, DoesNotFollowAliases)
{
    std::string bomb = "a0: &a0 [x, x]\n";
    for (int i = 1; i < 40; ++i) {
        const std::string before = std::to_string(i - 1);
        const std::string now = std::to_string(i);
        bomb += "a" + now + ": &a" + now + " [*a" + before + ", *a" + before + "]\n";
    }
    EXPECT_EQ(settings(bomb).size(), 80u);
}

TEST(Configuration, IsBounded)
{
    EXPECT_EQ(parseConfiguration(std::string(5 << 20, 'x')).error().code, ErrorCode::LimitExceeded);
    EXPECT_EQ(parseConfiguration(std::string(100, '[') + std::string(100, ']')).error().code,
        ErrorCode::LimitExceeded);
    EXPECT_FALSE(parseConfiguration(std::string(100'000, '[')));
}

TEST(Configuration, SaysWhereItIsBroken)
{
    const auto broken = parseConfiguration("a: 1\nb: [1, 2\nc: 3\n");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::Malformed);
    EXPECT_TRUE(broken.error().place);
}

} // namespace highwater
