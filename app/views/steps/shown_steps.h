#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/layout/step_bars.h"

namespace highwater::gui {

/// What a chart of steps shows.
struct ShownSteps
{
    std::shared_ptr<const DeviceAnalysis> analysis; ///< null: none
    std::vector<StepBar> bars; ///< those in view
    std::vector<NoteFlag> notes; ///< by step
    std::optional<std::size_t> selected;
    std::optional<DeviceCapacity> capacity;
    ThemeColors colors = ThemeColors::light();

    /// The notes on the steps of a bar.
    std::vector<const NoteFlag*> notesOn(const StepBar& bar) const;
};

} // namespace highwater::gui
