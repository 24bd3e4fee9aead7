#include "core/report/json/run_json.h"

#include "core/base/json.h"

namespace highwater {

nlohmann::ordered_json runJson(const RunMain& main, std::optional<std::int64_t> device)
{
    nlohmann::ordered_json others = nlohmann::ordered_json::array();
    for (const OtherRun& other : main.others)
        others.push_back(
            {{"files", other.paths}, {"why", toText(other.why.kind)}, {"sentence", other.why.reason}});
    return {{"files", main.files}, {"ranks", main.ranks},
        {"main",
            {{"path", main.member.path}, {"rank", orNull(main.member.rank)}, {"device", orNull(device)},
                {"why", toText(main.reason)}}},
        {"others", std::move(others)}};
}

nlohmann::ordered_json runJson(const ReportRun& run)
{
    const DeviceStudy* const device = run.study->device();
    return runJson(run.main, device ? std::optional(device->about().ordinal) : std::nullopt);
}

} // namespace highwater
