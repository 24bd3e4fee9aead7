#include "core/report/json/run_json.h"

#include "core/base/json.h"

namespace highwater {

nlohmann::ordered_json runJson(const RunMain& main)
{
    nlohmann::ordered_json others = nlohmann::ordered_json::array();
    for (const OtherRun& other : main.others)
        others.push_back(
            {{"files", other.paths}, {"why", toText(other.why.kind)}, {"sentence", other.why.reason}});
    return {{"files", main.fileCount}, {"ranks", main.rankCount},
        {"main",
            {{"path", main.member.path}, {"rank", orNull(main.member.rank)}, {"device", orNull(main.device)},
                {"why", toText(main.reason)}}},
        {"others", std::move(others)}};
}

} // namespace highwater
