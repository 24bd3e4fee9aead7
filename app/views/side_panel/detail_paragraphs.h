#pragma once

#include <vector>

#include <QStringList>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/allocation_facts.h"
#include "app/workspace/view/selection.h"

namespace highwater::gui {

/// Returns the paragraphs on an allocation: the title, the hint, the notes, the facts, and the heading of the
/// stack.
std::vector<Paragraph> allocationParagraphs(
    const AllocationFacts& facts, const QString& hint, const QStringList& notes);

/// Returns the paragraphs on what is selected if that is no allocation. The title is its `selectionText`,
/// with the number of allocations if only a part of a call site is highlighted. Empty for a range, which the
/// RangePanel describes. The facts of `failure`, a request that failed at the selected moment, follow; null
/// if there is none. If nothing is selected, the paragraphs are about `failure`, or else about the peak.
/// O(live allocations), but O(allocations) for highlighted ones.
std::vector<Paragraph> selectionParagraphs(
    const DeviceAnalysis& analysis, const Selection& selection, const AllocationFacts* failure);

} // namespace highwater::gui
