#include "core/analysis/usage/recorded_labels.h"

#include <utility>

#include "core/base/json.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::string_view kMetadataKey = "user_metadata";

/// Returns the text of a key; empty if it has none.
std::string textAt(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? nameText(found->get<std::string>()) : std::string();
}

/// Returns the text and the pool of a label.
std::pair<std::string, std::string> labelOfObject(const nlohmann::json& object)
{
    std::string text = textAt(object, "module");
    if (text.empty())
        text = textAt(object, "name");
    return {std::move(text), textAt(object, "pool")};
}

} // namespace

std::pair<std::string, std::string> labelInDetails(std::string_view details)
{
    if (!contains(details, kMetadataKey))
        return {};
    const nlohmann::json parsed = parseJson(details);
    if (!parsed.is_object())
        return {};
    const auto found = parsed.find(kMetadataKey);
    if (found == parsed.end())
        return {};
    if (found->is_object())
        return labelOfObject(*found);
    if (!found->is_string())
        return {};
    const std::string& text = found->get_ref<const std::string&>();
    if (text.starts_with('{'))
        if (const nlohmann::json object = parseJson(text); object.is_object())
            return labelOfObject(object);
    return {nameText(text), {}};
}

RecordedLabels::RecordedLabels(const AllocationTable& allocations)
    : m_allocations(allocations)
{
    if (allocations.trace().events.details.empty())
        return;
    readDetails();
    if (!m_labels.empty())
        readAnnotations();
}

void RecordedLabels::readDetails()
{
    const Trace& trace = m_allocations.trace();
    NumberSet<std::uint32_t> seen;
    const RowRange rows = trace.devices[m_allocations.device()].events;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        const StringId details = trace.events.details.get(row);
        if (details.isNone() || !seen.insert(details.value()).second)
            continue;
        auto [text, pool] = labelInDetails(trace.text(details));
        if (text.empty() && pool.empty())
            continue;
        m_labelOfDetails.try_emplace(details.value(), LabelId(static_cast<std::uint32_t>(m_labels.size())));
        m_labels.push_back({std::move(text), std::move(pool)});
    }
}

void RecordedLabels::readAnnotations()
{
    const Trace& trace = m_allocations.trace();
    const RowRange rows = trace.devices[m_allocations.device()].events;
    const auto isAnnotation = [&](std::size_t row) { return trace.events.action[row] == Action::Annotate; };
    bool hasAnnotations = false;
    for (std::size_t row = rows.first; row < rows.last && !hasAnnotations; ++row)
        hasAnnotations = isAnnotation(row);
    if (!hasAnnotations)
        return;
    NumberMap<Address, AllocationIndex> latestAtAddress;
    for (AllocationIndex i = 0; i < m_allocations.olderCount(); ++i)
        latestAtAddress.insert_or_assign(m_allocations.address(i), i);
    AllocationIndex nextBorn = static_cast<AllocationIndex>(m_allocations.olderCount());
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        const auto event = static_cast<std::int64_t>(row - rows.first);
        if (nextBorn < m_allocations.size() && m_allocations.birth(nextBorn) == event) {
            latestAtAddress.insert_or_assign(m_allocations.address(nextBorn), nextBorn);
            ++nextBorn;
        } else if (isAnnotation(row)) {
            const auto found = latestAtAddress.find(trace.events.address[row]);
            const LabelId label = labelOf(trace.events.details.get(row));
            if (found != latestAtAddress.end() && !label.isNone()
                && m_allocations.isLiveAt(found->second, event))
                m_attachedLabels.insert_or_assign(found->second, label);
        }
    }
}

LabelId RecordedLabels::labelOf(StringId details) const
{
    const auto found = details.isNone() ? m_labelOfDetails.end() : m_labelOfDetails.find(details.value());
    return found == m_labelOfDetails.end() ? LabelId() : found->second;
}

LabelId RecordedLabels::of(AllocationIndex i) const
{
    if (m_labels.empty() || m_allocations.birth(i) < 0)
        return {};
    const Trace& trace = m_allocations.trace();
    return labelOf(trace.events.details.get(trace.row(m_allocations.device(), m_allocations.birth(i))));
}

LabelId RecordedLabels::attachedTo(AllocationIndex i) const
{
    const auto found = m_attachedLabels.find(i);
    return found == m_attachedLabels.end() ? LabelId() : found->second;
}

} // namespace highwater
