#include "core/run/gpu_models.h"

#include <algorithm>
#include <cmath>

#include "core/base/embedded_resource.h"
#include "core/base/json.h"
#include "core/base/whole_number.h"

namespace highwater {

namespace {

using Json = nlohmann::json;

constexpr double kLargestGib = 1 << 20;

Bytes bytesIn(double count, Bytes unit)
{
    return static_cast<Bytes>(std::llround(count * static_cast<double>(unit)));
}

/// Parses "8.9" into 8 and 9.
void setCapability(GpuProfile& profile, const std::string& text)
{
    if (std::sscanf(text.c_str(), "%d.%d", &profile.major, &profile.minor) != 2)
        profile = {};
}

GpuProfile readProfile(const Json& json, const Json& capabilities)
{
    const auto capability = json.value("capability", std::string());
    if (!capabilities.contains(capability))
        return {};
    const Json& common = capabilities.at(capability);
    GpuProfile profile;
    setCapability(profile, capability);
    profile.multiprocessors = wholeNumber<int>(json.at("multiprocessors"));
    profile.threadsPerMultiprocessor = wholeNumber<int>(common.at("threads"));
    profile.blocksPerMultiprocessor = wholeNumber<int>(common.at("blocks"));
    profile.sharedBytesPerMultiprocessor = wholeNumber<int>(common.at("shared_kib")) << 10;
    profile.cacheBytes = wholeNumber<int>(json.at("l2_mib")) << 20;
    profile.leastOutside = bytesIn(json.at("outside_mib").at(0).get<double>(), kMiB);
    profile.mostOutside = bytesIn(json.at("outside_mib").at(1).get<double>(), kMiB);
    return profile;
}

GpuModel readGpu(const Json& json, const Json& capabilities)
{
    const bool inMib = json.contains("reported_mib");
    const Json& reported = json.at(inMib ? "reported_mib" : "reported_gib");
    const Bytes unit = inMib ? kMiB : kGiB;
    const auto name = json.at("name").get<std::string>();
    return {name, wholeNumber<int>(json.at("nominal_gb")), bytesIn(reported.at(0).get<double>(), unit),
        bytesIn(reported.at(1).get<double>(), unit), json.value("source", std::string()),
        readProfile(json, capabilities), json.value("device", "NVIDIA " + name), json.value("common", false)};
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
        const Json document = parseJson(text);
        const Json capabilities = document.value("capabilities", Json::object());
        for (const Json& entry : document.at("cards"))
            gpus.push_back(readGpu(entry, capabilities));
    } catch (const Json::exception& error) {
        return fail(ErrorCode::Malformed, std::string("the list of GPUs cannot be read: ") + error.what());
    }
    for (const GpuModel& gpu : gpus)
        if (!isSensible(gpu))
            return fail(ErrorCode::Malformed, "the GPU \"" + gpu.name + "\" has invalid figures");
    std::ranges::stable_sort(gpus, {}, &GpuModel::mostReported);
    return gpus;
}

const std::vector<GpuModel>& gpuModels()
{
    static const std::vector<GpuModel> gpus
        = parseGpuModels(embeddedResource("gpus.json").value_or("")).value_or(std::vector<GpuModel>());
    return gpus;
}

const std::vector<GpuModel>& commonGpus()
{
    static const std::vector<GpuModel> gpus = [] {
        std::vector<GpuModel> common = gpuModels();
        std::erase_if(common, [](const GpuModel& gpu) { return !gpu.isCommon; });
        return common;
    }();
    return gpus;
}

} // namespace highwater
