#include "app/cli/output/shape_output.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

auto keyOf(const ShapeQuestion& question)
{
    return std::tuple(question.bytes, question.category, question.topic, question.inOptimizer,
        question.hasFrames, question.rounded);
}

} // namespace

std::map<Bytes, std::vector<SizeShape>> shapesAt(
    const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event)
{
    std::map<decltype(keyOf({})), std::pair<ShapeQuestion, std::int64_t>> questions;
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        const ShapeQuestion question = shapeQuestion(study, i);
        ++questions.try_emplace(keyOf(question), question, 0).first->second.second;
    }
    std::map<Bytes, std::vector<SizeShape>> bySize;
    for (const auto& [key, asked] : questions) {
        const std::vector<TensorShape> shapes = tensorShapes(asked.first, numbers);
        if (shapes.empty())
            continue;
        std::vector<SizeShape>& row = bySize[asked.first.bytes];
        const auto same = std::ranges::find_if(row, [&](const SizeShape& other) {
            return other.shape.text() == shapes.front().text()
                && other.shape.names() == shapes.front().names();
        });
        if (same != row.end())
            same->count += asked.second;
        else
            row.push_back({shapes.front(), asked.second});
    }
    for (auto& [size, row] : bySize)
        std::ranges::stable_sort(row, std::ranges::greater(), &SizeShape::count);
    return bySize;
}

std::string shapeText(const TensorShape& shape)
{
    return fmt::format("{}{}  {}", shape.text(), shape.grade == Grade::C ? "?" : "", shape.names());
}

Json shapesJson(const std::vector<SizeShape>& shapes)
{
    Json rows = Json::array();
    for (const auto& [shape, count] : shapes) {
        Json dimensions = Json::array();
        for (const ShapeDimension& dimension : shape.dimensions)
            dimensions.push_back({{"size", dimension.value}, {"name", dimension.name}});
        rows.push_back({{"text", shape.text()}, {"count", count}, {"grade", toText(shape.grade)},
            {"element_bytes", shape.elementBytes}, {"dimensions", dimensions}, {"reason", shape.reason}});
    }
    return rows;
}

} // namespace highwater::cli
