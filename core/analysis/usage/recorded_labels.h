#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/base/hash.h"
#include "core/base/strong_id.h"

namespace highwater {

using LabelId = StrongId<struct LabelTag>;

/// What the program itself said of the allocations of a device while it was recorded: `user_metadata` of
/// their alloc events, and texts attached later (`annotate`). A text may be a JSON object, which names a
/// module
/// ("module" or "name") and a pool ("pool").
class RecordedLabels
{
public:
    /// O(distinct details of events), and O(events) if texts were attached. The allocations must outlive it.
    explicit RecordedLabels(const AllocationTable& allocations);

    bool empty() const { return m_labels.empty(); }
    std::size_t size() const { return m_labels.size(); }
    /// Of its alloc event; none: not labelled, or older than the trace.
    LabelId of(AllocationIndex i) const;
    /// Attached while it lived, the last of several; none: none was.
    LabelId attachedTo(AllocationIndex i) const;
    /// The label: a module, or what the program chose to write. Empty where only a pool is named.
    std::string_view text(LabelId id) const { return m_labels[id.index()].text; }
    /// The pool that it names; empty: none.
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
    NumberMap<std::uint32_t, LabelId> m_ofDetails; ///< by StringId; only those with a label
    NumberMap<AllocationIndex, LabelId> m_attached;
};

/// The label that the details of an event (compact JSON) contain, as text and name of a pool; both empty:
/// none. The details come from a file and may be anything.
std::pair<std::string, std::string> labelInDetails(std::string_view details);

} // namespace highwater
