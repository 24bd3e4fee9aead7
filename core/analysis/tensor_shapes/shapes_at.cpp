#include "core/analysis/tensor_shapes/shapes_at.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/tensor_shapes/shape_question.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

auto keyOf(const ShapeQuestion& question)
{
    return std::tuple(question.bytes, question.category, question.topic, question.inOptimizer,
        question.hasFrames, question.rounded);
}

} // namespace

ShapesBySize shapesAt(const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event)
{
    std::map<decltype(keyOf({})), std::pair<ShapeQuestion, std::int64_t>> questions;
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        const ShapeQuestion question = shapeQuestion(study, i);
        ++questions.try_emplace(keyOf(question), question, 0).first->second.second;
    }
    ShapesBySize bySize;
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

std::string shapesText(const std::vector<SizeShape>& shapes)
{
    std::string text;
    for (const auto& [shape, count] : shapes)
        text += fmt::format("{}{} of {}{}  {}", text.empty() ? "" : "\n", formatCount(count), shape.text(),
            shape.grade == Grade::C ? "?" : "", shape.names());
    return text;
}

} // namespace highwater
