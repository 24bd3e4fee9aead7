#include "core/report/json/sarif.h"

#include <gtest/gtest.h>

#include "core/base/json.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

Finding leak()
{
    Finding finding;
    finding.rule = "growth";
    finding.grade = Grade::A;
    finding.title = "Memory leaks";
    finding.bytes = 7;
    return finding;
}

Json resultFor(const Finding& finding, std::optional<FailurePlace> place = {})
{
    return sarifLog({{&finding, std::move(place), "run.pickle"}})["runs"][0]["results"][0];
}

} // namespace

TEST(Sarif, PlacesAFindingAtItsLine)
{
    const Json result = resultFor(leak(), FailurePlace{"/w s/model.py", 54, "forward"});
    const Json place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "file:///w%20s/model.py");
    EXPECT_EQ(place["region"]["startLine"], 54);
    EXPECT_EQ(result["locations"][0]["logicalLocations"][0]["name"], "forward");
}

TEST(Sarif, LeavesARelativePathRelative)
{
    const Json result = resultFor(leak(), FailurePlace{"src/model.py", 0, ""});
    const Json place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "src/model.py");
    EXPECT_FALSE(place.contains("region"));
}

TEST(Sarif, GivesAFindingWithoutAPlaceNoLocation)
{
    EXPECT_TRUE(resultFor(leak())["locations"].empty());
}

TEST(Sarif, CallsOnlyACertainFaultAnError)
{
    Finding finding = leak();
    EXPECT_EQ(resultFor(finding)["level"], "error");
    finding.grade = Grade::B;
    EXPECT_EQ(resultFor(finding)["level"], "warning");
    finding.grade = Grade::C;
    EXPECT_EQ(resultFor(finding)["level"], "note");
    finding.grade = Grade::A;
    finding.kind = FindingKind::Fact;
    EXPECT_EQ(resultFor(finding)["level"], "note");
}

TEST(Sarif, DescribesEachRuleOnce)
{
    const Finding finding = leak();
    const Json log = sarifLog({{&finding, {}, "a"}, {&finding, {}, "b"}});
    const Json rules = log["runs"][0]["tool"]["driver"]["rules"];
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0]["id"], "growth");
    EXPECT_NE(rules[0]["help"]["text"].get<std::string>().find("leaks"), std::string::npos);
    EXPECT_EQ(log["runs"][0]["results"].size(), 2u);
}

} // namespace highwater
