#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/column.h"
#include "core/base/string_pool.h"
#include "core/base/units.h"
#include "core/trace/trace.h"

/// The contents of a Chrome trace of torch.profiler, before they become a Trace.
namespace highwater::kineto {

/// The kind of work that a slice covers.
enum class SliceKind : std::uint8_t
{
    Operator,
    PythonFrame, ///< a function, or "nn.Module: Linear_3"
    Annotation,
};

/// A range on one thread, both ends included.
struct Slice
{
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    StringId name;
    StringId callStack; ///< traces of 2021, operators only: "file(line): function;…", innermost first
    std::uint32_t thread = 0;
    SliceKind kind = SliceKind::Operator;
    bool isStep = false; ///< "ProfilerStep#N"
};

/// A `[memory]` or `[OutOfMemory]` instant.
struct MemoryInstant
{
    Nanoseconds time = 0;
    std::int64_t index = 0; ///< "Ev Idx": orders instants with the same time
    std::int64_t deviceType = 0; ///< c10::DeviceType
    std::int64_t deviceId = 0;
    Bytes bytes = 0; ///< negative for a free; of a failed request, the bytes requested
    std::optional<Address> address;
    std::optional<Bytes> totalAllocated; ///< after this event
    std::optional<Bytes> totalReserved;
    std::uint32_t thread = 0;
    bool outOfMemory = false;
    StackId stack;
};

/// An entry of `deviceProperties`.
struct Gpu
{
    std::string name;
    std::optional<Bytes> capacity;
};

/// Numbers of records.
struct RecordCount
{
    std::size_t instantCount = 0;
    std::size_t sliceCount = 0;
    std::size_t activityCount = 0;
    std::int64_t unreadableEventCount = 0;
};

/// The records of a file; those of one kind are in file order until `attributeStacks` sorts the slices.
struct Records
{
    Column<MemoryInstant> instants;
    Column<Slice> slices;
    ActivityTable activities;
    std::map<std::int64_t, Gpu> gpus; ///< by device id
    std::vector<NamedText> producer;
    std::int64_t unreadableEventCount = 0;
    std::optional<Place> firstUnreadable;

    std::size_t memoryBytes() const
    {
        return instants.memoryBytes() + slices.memoryBytes() + activities.memoryBytes();
    }
    RecordCount count() const
    {
        return {instants.size(), slices.size(), activities.rows(), unreadableEventCount};
    }
    /// Drops the latest records of each kind, down to these numbers.
    void truncate(const RecordCount& numbers);
    std::int64_t operatorCount() const;
};

} // namespace highwater::kineto
