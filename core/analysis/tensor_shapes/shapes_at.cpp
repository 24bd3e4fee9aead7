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
        question.hasFrames, question.isRounded);
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
    for (const auto& [key, questionAndCount] : questions) {
        const std::vector<TensorShape> shapes = tensorShapes(questionAndCount.first, numbers);
        if (shapes.empty())
            continue;
        std::vector<SizeShape>& sizeShapes = bySize[questionAndCount.first.bytes];
        const auto known = std::ranges::find_if(sizeShapes, [&](const SizeShape& other) {
            return other.shape.text() == shapes.front().text()
                && other.shape.names() == shapes.front().names();
        });
        if (known != sizeShapes.end())
            known->count += questionAndCount.second;
        else
            sizeShapes.push_back({shapes.front(), questionAndCount.second});
    }
    for (auto& [size, sizeShapes] : bySize)
        std::ranges::stable_sort(sizeShapes, std::ranges::greater(), &SizeShape::count);
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
