#include "app/views/steps/shown_steps.h"

#include <algorithm>

namespace highwater::gui {

std::vector<const NoteFlag*> ShownSteps::notesOn(const StepBar& bar) const
{
    std::vector<const NoteFlag*> found;
    for (auto note = std::ranges::lower_bound(notes, static_cast<double>(bar.first), {}, &NoteFlag::first);
         note != notes.end() && note->first < static_cast<double>(bar.last); ++note)
        found.push_back(&*note);
    return found;
}

} // namespace highwater::gui
