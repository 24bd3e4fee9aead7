#include "core/report/json/diagnosis_json.h"

#include "core/base/json.h"

namespace highwater {

namespace {

using Json = nlohmann::ordered_json;

/// Returns null for an empty text.
Json textJson(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json examinedJson(const std::vector<Examined>& examined)
{
    Json parts = Json::array();
    for (const Examined& part : examined) {
        Json json = {{"what", toText(part.what)}, {"count", part.count}, {"steps", orNull(part.steps)}};
        if (part.what == ExaminedKind::Series)
            json["points"] = part.points;
        parts.push_back(std::move(json));
    }
    return parts;
}

} // namespace

Json placeJson(const std::optional<FailurePlace>& place)
{
    if (!place)
        return nullptr;
    return {{"file", place->file}, {"line", place->line > 0 ? Json(place->line) : Json(nullptr)},
        {"function", textJson(place->function)}};
}

Json diagnosisJson(const Diagnosis& diagnosis)
{
    return {{"class", toText(diagnosis.diagnosed)}, {"sentence", diagnosis.sentence},
        {"detail", textJson(diagnosis.detail)}, {"place", placeJson(diagnosis.place)},
        {"rank", orNull(diagnosis.rank)}, {"device", orNull(diagnosis.device)},
        {"requested_bytes", orNull(diagnosis.requested)}, {"free_bytes", orNull(diagnosis.free)},
        {"capacity_bytes", orNull(diagnosis.capacity)}, {"bytes", orNull(diagnosis.bytes)},
        {"failures", diagnosis.failureCount}, {"fatal", orNull(diagnosis.fatal)},
        {"finding", diagnosis.named ? Json(1) : Json(nullptr)}, {"next", textJson(diagnosis.next)},
        {"examined", examinedJson(diagnosis.examined)}};
}

} // namespace highwater
