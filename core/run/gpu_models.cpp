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

GpuModel cardOf(const Json& json)
{
    const bool inMib = json.contains("reported_mib");
    const Json& reported = json.at(inMib ? "reported_mib" : "reported_gib");
    const Bytes unit = inMib ? kMiB : kGiB;
    return {json.at("name").get<std::string>(), json.at("nominal_gb").get<int>(),
        bytesOf(reported.at(0).get<double>(), unit), bytesOf(reported.at(1).get<double>(), unit),
        json.value("source", std::string())};
}

bool isSensible(const GpuModel& card)
{
    return !card.name.empty() && card.nominalGigabytes > 0 && card.leastReported > 0
        && card.leastReported <= card.mostReported
        && static_cast<double>(card.mostReported) < kLargestGib * static_cast<double>(kGiB);
}

} // namespace

Result<std::vector<GpuModel>> parseGpuModels(std::string_view text)
{
    std::vector<GpuModel> cards;
    try {
        const Json document = Json::parse(text);
        for (const Json& entry : document.at("cards"))
            cards.push_back(cardOf(entry));
    } catch (const Json::exception& error) {
        return fail(ErrorCode::Malformed, std::string("the list of cards cannot be read: ") + error.what());
    }
    for (const GpuModel& card : cards)
        if (!isSensible(card))
            return fail(ErrorCode::Malformed, "the card \"" + card.name + "\" has figures that cannot be");
    std::stable_sort(cards.begin(), cards.end(),
        [](const GpuModel& a, const GpuModel& b) { return a.mostReported < b.mostReported; });
    return cards;
}

const std::vector<GpuModel>& gpuModels()
{
    static const std::vector<GpuModel> cards
        = parseGpuModels(embeddedResource("gpus.json").value_or("")).value_or(std::vector<GpuModel>());
    return cards;
}

} // namespace highwater
