#pragma once

#include <memory>

#include <QMenu>

#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/selected_events.h"

namespace highwater::gui {

/// Adds the commands for a step to a menu. A chosen command emits the view's `stepRequested` or
/// `comparisonRequested`. `shown` is the view's own pointer to its device: a command that is chosen after the
/// device has changed is dropped. `selection` may be null.
template <typename View>
void addStepActions(QMenu& menu, View& view, const std::shared_ptr<const DeviceAnalysis>& shown,
    const Selection* selection, std::size_t step)
{
    const auto selected = selection ? selectedStep(*shown, *selection) : std::nullopt;
    for (const ContextEntry<StepCommand>& entry : stepEntries(shown->steps, step, selected))
        menu.addAction(entry.text, &view, [&view, &shown, step, entry, analysis = shown] {
            if (analysis != shown)
                return;
            if (entry.command == StepCommand::Compare)
                emit view.comparisonRequested(entry.other, step);
            else
                emit view.stepRequested(step, entry.command);
        });
}

} // namespace highwater::gui
