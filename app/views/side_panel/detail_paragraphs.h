#pragma once

#include <vector>

#include <QStringList>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/allocation_facts.h"
#include "app/workspace/view/selection.h"

namespace highwater::gui {

/// Returns the paragraphs on an allocation or a failed request: the title, what can be done, the notes on it,
/// and the facts.
std::vector<Paragraph> allocationParagraphs(
    const AllocationFacts& facts, const QString& hint, const QStringList& notes);

/// Returns the paragraphs on what is selected if that is no allocation; the title is its `selectionText`. If
/// nothing is selected, they are about `failure`, the request that failed, or else about the peak. O(1), but
/// O(allocations) for highlighted ones.
std::vector<Paragraph> selectionParagraphs(
    const DeviceAnalysis& analysis, const Selection& selection, const AllocationFacts* failure);

} // namespace highwater::gui
