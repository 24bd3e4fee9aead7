#include "core/base/json.h"
#include "core/report/json/finding_json.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

nlohmann::ordered_json evidenceLink(
    const EvidenceTarget& target, const std::vector<AuxiliaryFile>& auxiliaryFiles = {})
{
    Finding finding;
    finding.evidence = {{"x", target}};
    return findingJson(finding, auxiliaryFiles)["evidence_links"][0];
}

} // namespace

TEST(FindingJson, LeadsToWhatItsEvidenceIsAbout)
{
    EXPECT_TRUE(evidenceLink({}).is_null());
    EXPECT_EQ(evidenceLink(EventTarget{5}).dump(), R"({"event":5})");
    EXPECT_EQ(evidenceLink(EventRange{1, 9}).dump(), R"({"range":[1,9]})");
    EXPECT_EQ(evidenceLink(SiteTarget{"a.py:1"}).dump(), R"({"site":"a.py:1"})");
    EXPECT_EQ(evidenceLink(SegmentTarget{16, 3}).dump(), R"({"segment":16,"event":3})");
}

TEST(FindingJson, NamesTheLogOfALineWhereItIsKnown)
{
    EXPECT_EQ(evidenceLink(LogLineTarget{0, 9}, {{"train.log", nullptr}}).dump(),
        R"({"file":"train.log","line":9})");
    EXPECT_EQ(
        evidenceLink(LogLineTarget{1, 9}, {{"train.log", nullptr}}).dump(), R"({"file":null,"line":9})");
}

TEST(FindingJson, HasNullsForWhatIsNotKnown)
{
    const nlohmann::ordered_json json = findingJson({});
    EXPECT_TRUE(json["device"].is_null());
    EXPECT_TRUE(json["step"].is_null());
    EXPECT_EQ(json["saved_bytes"], 0);
}

} // namespace highwater
