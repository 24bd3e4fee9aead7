#include "core/trace/memory_event.h"

#include <array>

namespace highwater {

std::string_view knownActionName(Action action)
{
    static constexpr std::array<std::string_view, static_cast<std::size_t>(Action::FirstUnknown)> names
        = {"alloc", "free_requested", "free_completed", "free", "segment_alloc", "segment_free",
            "segment_map", "segment_unmap", "oom", "snapshot", "annotate", "user_defined"};
    const auto index = static_cast<std::size_t>(action);
    return index < names.size() ? names[index] : std::string_view();
}

std::size_t MemoryEventTable::memoryBytes() const
{
    return action.memoryBytes() + address.memoryBytes() + size.memoryBytes() + time.memoryBytes()
        + stream.memoryBytes() + stack.memoryBytes() + pool.memoryBytes() + category.memoryBytes()
        + details.memoryBytes();
}

void MemoryEventTable::push(const MemoryEvent& event)
{
    const std::size_t index = rows();
    action.push_back(event.action);
    address.push_back(event.address);
    size.push_back(event.size);
    time.push_back(event.time);
    stream.push_back(event.stream);
    stack.push_back(event.stack);
    pool.set(index, event.pool);
    category.set(index, event.category);
    details.set(index, event.details);
}

MemoryEvent MemoryEventTable::row(std::size_t index) const
{
    return {action[index], address[index], size[index], time[index], stream[index], stack[index],
        pool.get(index), category.get(index), details.get(index)};
}

} // namespace highwater
