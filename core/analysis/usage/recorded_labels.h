#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/base/hash.h"
#include "core/base/strong_id.h"

namespace highwater {

using LabelId = StrongId<struct LabelTag>;

/// The labels that the program itself gave to a device's allocations during the recording: `user_metadata` of
/// their alloc events, and texts attached later (`annotate`). A text may be a JSON object that names a module
/// ("module" or "name") and a pool ("pool").
class RecordedLabels
{
public:
    /// O(distinct details of events), plus O(events) if texts were attached. The allocations must outlive the
    /// object.
    explicit RecordedLabels(const AllocationTable& allocations);

    bool empty() const { return m_labels.empty(); }
    std::size_t size() const { return m_labels.size(); }
    /// Returns the label of the alloc event; isNone() if the event has none or the allocation is older than
    /// the trace.
    LabelId of(AllocationIndex i) const;
    /// Returns the last label attached while the allocation was alive; isNone() if there is none.
    LabelId attachedTo(AllocationIndex i) const;
    /// Returns the label's text: a module, or free text of the program. Empty if only a pool is named.
    std::string_view text(LabelId id) const { return m_labels[id.index()].text; }
    /// Returns the pool that the label names; empty if it names none.
    std::string_view pool(LabelId id) const { return m_labels[id.index()].pool; }

private:
    struct Label
    {
        std::string text;
        std::string pool;
    };

    LabelId labelOf(StringId details) const;
    void readDetails();
    void readAnnotations();

    const AllocationTable& m_allocations;
    std::vector<Label> m_labels;
    NumberMap<std::uint32_t, LabelId> m_labelOfDetails; ///< by StringId, only for details with a label
    NumberMap<AllocationIndex, LabelId> m_attachedLabels;
};

/// Returns text and pool name of the label in the details of an event (compact JSON); both are empty if there
/// is no label. The details are untrusted: invalid JSON is no error.
std::pair<std::string, std::string> labelInDetails(std::string_view details);

} // namespace highwater
