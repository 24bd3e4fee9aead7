#include "core/run/gpu_models.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/embedded_resource.h"

namespace highwater {

namespace {

using Json = nlohmann::json;

constexpr double kLargestGib = 1 << 20;

Bytes bytesOf(double count, Bytes unit)
{
    return static_cast<Bytes>(std::llround(count * static_cast<double>(unit)));
}

GpuModel gpuOf(const Json& json)
{
    const bool inMib = json.contains("reported_mib");
    const Json& reported = json.at(inMib ? "reported_mib" : "reported_gib");
    const Bytes unit = inMib ? kMiB : kGiB;
    return {json.at("name").get<std::string>(), json.at("nominal_gb").get<int>(),
        bytesOf(reported.at(0).get<double>(), unit), bytesOf(reported.at(1).get<double>(), unit),
        json.value("source", std::string())};
}

bool isSensible(const GpuModel& gpu)
{
    return !gpu.name.empty() && gpu.nominalGigabytes > 0 && gpu.leastReported > 0
        && gpu.leastReported <= gpu.mostReported
        && static_cast<double>(gpu.mostReported) < kLargestGib * static_cast<double>(kGiB);
}

} // namespace

Result<std::vector<GpuModel>> parseGpuModels(std::string_view text)
{
    std::vector<GpuModel> gpus;
    try {
        const Json document = Json::parse(text);
        for (const Json& entry : document.at("cards"))
            gpus.push_back(gpuOf(entry));
    } catch (const Json::exception& error) {
        return fail(ErrorCode::Malformed, std::string("the list of GPUs cannot be read: ") + error.what());
    }
    for (const GpuModel& gpu : gpus)
        if (!isSensible(gpu))
            return fail(ErrorCode::Malformed, "the GPU \"" + gpu.name + "\" has figures that cannot be");
    std::stable_sort(gpus.begin(), gpus.end(),
        [](const GpuModel& a, const GpuModel& b) { return a.mostReported < b.mostReported; });
    return gpus;
}

const std::vector<GpuModel>& gpuModels()
{
    static const std::vector<GpuModel> gpus
        = parseGpuModels(embeddedResource("gpus.json").value_or("")).value_or(std::vector<GpuModel>());
    return gpus;
}

} // namespace highwater
