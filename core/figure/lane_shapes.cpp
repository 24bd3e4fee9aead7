#include "core/figure/lane_shapes.h"

#include <algorithm>
#include <array>

#include "core/base/text/name_text.h"

namespace highwater {

namespace {

constexpr double kLaneHeight = 18;
constexpr double kLaneGap = 3;
constexpr double kLaneFont = 11;

struct LaneShape
{
    double left;
    double right;
    FigureColor fill;
    std::string label;
};

/// Sets the shape's edges to those of the events [begin, end), clipped to `range`; returns false if none is
/// in the range.
bool placeShape(
    const PlotFrame& plot, const EventRange& range, std::int64_t begin, std::int64_t end, LaneShape& shape)
{
    begin = std::max(begin, range.first);
    end = std::min(end, range.last);
    if (begin >= end)
        return false;
    shape.left = plot.x(static_cast<double>(begin));
    shape.right = plot.x(static_cast<double>(end));
    return true;
}

/// Returns the text if it fits, else the number at its end ("14" from "step 14"), else an empty text: part of
/// a word would mislead.
std::string fittingLabel(const std::string& text, double width)
{
    const auto fits = [width](const std::string& label) { return textWidth(label, kLaneFont) <= width; };
    if (fits(text))
        return text;
    const std::string lastWord = text.substr(text.rfind(' ') + 1);
    const bool isNumber = lastWord.find_first_not_of("0123456789") == std::string::npos;
    return isNumber && fits(lastWord) ? lastWord : std::string();
}

/// Adds a shape, or extends the previous shape if both together are less than a pixel wide: the width of the
/// plot then limits the number of shapes.
void addOrJoin(std::vector<LaneShape>& shapes, const LaneShape& shape)
{
    if (!shapes.empty() && shape.right - shapes.back().left < 1)
        shapes.back().right = shape.right;
    else
        shapes.push_back(shape);
}

void drawLane(FigureSheet& sheet, const std::string& name, const std::vector<LaneShape>& shapes, double top)
{
    sheet.quietText(sheet.margin(), top + kLaneHeight - 5, name);
    for (const LaneShape& shape : shapes) {
        const double width = shape.right - shape.left;
        sheet.rect({shape.left, top, std::max(width - (width > 4 ? 1 : 0), 0.5), kLaneHeight}, shape.fill,
            shape.label);
        const std::string label = fittingLabel(shape.label, width - 8);
        if (label.empty())
            continue;
        sheet.add(FigureText{.x = (shape.left + shape.right) / 2,
            .y = top + kLaneHeight - 5,
            .text = label,
            .size = kLaneFont,
            .color = sheet.palette().text,
            .anchor = TextAnchor::Middle});
    }
}

std::vector<LaneShape> stepShapes(
    const DeviceStudy& study, const EventRange& range, const PlotFrame& plot, const FigurePalette& palette)
{
    std::vector<LaneShape> shapes;
    for (std::size_t i = 0; i < study.steps.steps.size(); ++i) {
        const Step& step = study.steps.steps[i];
        LaneShape shape{0, 0, i % 2 ? palette.border : palette.grid, nameText(step.name)};
        if (placeShape(plot, range, step.begin, step.end, shape))
            addOrJoin(shapes, shape);
    }
    return shapes;
}

/// Phases that share a pixel are joined; those of several kinds get the colour of the grid, since the colour
/// of one of them would be wrong for the others.
std::vector<LaneShape> phaseShapes(
    const DeviceStudy& study, const EventRange& range, const PlotFrame& plot, const FigurePalette& palette)
{
    std::vector<LaneShape> shapes;
    for (const PhaseRange& phase : phasesWithinSteps(study.phases, study.steps)) {
        LaneShape shape{0, 0, themedPhaseColor(phase.phase).light, std::string(toText(phase.phase))};
        if (phase.phase == Phase::Unknown || !placeShape(plot, range, phase.begin, phase.end, shape))
            continue;
        const std::size_t count = shapes.size();
        addOrJoin(shapes, shape);
        if (shapes.size() == count && shapes.back().label != shape.label) {
            shapes.back().fill = palette.grid;
            shapes.back().label.clear();
        }
    }
    return shapes;
}

} // namespace

double drawLanes(
    FigureSheet& sheet, const DeviceStudy& study, const EventRange& range, double top, const PlotFrame& plot)
{
    double height = 0;
    const bool hasSteps = study.steps.source != StepSource::Whole;
    const std::array<std::pair<const char*, std::vector<LaneShape>>, 2> lanes
        = {{{"steps", hasSteps ? stepShapes(study, range, plot, sheet.palette()) : std::vector<LaneShape>{}},
            {"phases", phaseShapes(study, range, plot, sheet.palette())}}};
    for (const auto& [name, shapes] : lanes) {
        if (shapes.empty())
            continue;
        drawLane(sheet, name, shapes, top + height);
        height += kLaneHeight + kLaneGap;
    }
    return height > 0 ? height + 5 : 0;
}

} // namespace highwater
