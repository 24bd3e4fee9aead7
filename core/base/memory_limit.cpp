#include "core/base/memory_limit.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include <execinfo.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Each thread adds its allocations to the shared counter only once they reach this size: updating the shared
/// counter every time would cost more than the allocation.
constexpr std::int64_t kMaxPendingBytes = 256 * 1024;

std::atomic<std::uint64_t> s_limit = 0;
std::atomic<std::int64_t> s_allocatedBytes = 0;
std::atomic<bool> s_hitLimit = false; ///< True if the last failure was due to the limit, not to the system
thread_local std::int64_t t_pendingBytes = 0;
thread_local bool t_isLimited = false;

void countAllocated(std::int64_t bytes)
{
    t_pendingBytes += bytes;
    if (t_pendingBytes < kMaxPendingBytes && t_pendingBytes > -kMaxPendingBytes)
        return;
    s_allocatedBytes.fetch_add(t_pendingBytes, std::memory_order_relaxed);
    t_pendingBytes = 0;
}

bool isWithinLimit(std::size_t addedBytes)
{
    const std::uint64_t limit = s_limit.load(std::memory_order_relaxed);
    if (limit == 0 || !t_isLimited)
        return true;
    const std::int64_t used = s_allocatedBytes.load(std::memory_order_relaxed) + t_pendingBytes;
    return addedBytes <= limit && used <= static_cast<std::int64_t>(limit - addedBytes);
}

/// Returns null past the limit, or if the system has no more memory. An alignment of 0 is that of malloc.
void* allocate(std::size_t bytes, std::size_t alignment = 0)
{
    const bool isWithin = isWithinLimit(bytes);
    void* memory = nullptr;
    if (isWithin && alignment <= alignof(std::max_align_t))
        memory = std::malloc(bytes ? bytes : 1);
    else if (isWithin && ::posix_memalign(&memory, alignment, bytes ? bytes : 1) != 0)
        memory = nullptr;
    if (memory)
        countAllocated(static_cast<std::int64_t>(::malloc_usable_size(memory)));
    else
        s_hitLimit.store(!isWithin, std::memory_order_relaxed);
    return memory;
}

void release(void* memory)
{
    if (!memory)
        return;
    countAllocated(-static_cast<std::int64_t>(::malloc_usable_size(memory)));
    std::free(memory);
}

[[maybe_unused]] void* allocateOrThrow(std::size_t bytes, std::size_t alignment = 0)
{
    if (void* memory = allocate(bytes, alignment))
        return memory;
    throw std::bad_alloc();
}

/// When an exception first passes through a function of glibc (pthread_once, called by std::call_once), glibc
/// loads its unwinder, and aborts if it cannot because memory is exhausted. Taking a backtrace here loads it
/// at program start.
[[maybe_unused]] const int s_loadedUnwinder = [] {
    void* frame = nullptr;
    return ::backtrace(&frame, 1);
}();

} // namespace

void setMemoryLimit(std::uint64_t bytes)
{
    s_limit.store(std::min(bytes, static_cast<std::uint64_t>(INT64_MAX)), std::memory_order_relaxed);
}

std::uint64_t memoryLimit()
{
    return s_limit.load(std::memory_order_relaxed);
}

std::int64_t allocatedBytes()
{
    return s_allocatedBytes.load(std::memory_order_relaxed) + t_pendingBytes;
}

std::int64_t peakResidentBytes()
{
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

MemoryLimitScope::MemoryLimitScope(bool isLimited)
    : m_wasLimited(std::exchange(t_isLimited, isLimited))
{
}

MemoryLimitScope::~MemoryLimitScope()
{
    t_isLimited = m_wasLimited;
}

bool MemoryLimitScope::isOpen()
{
    return t_isLimited;
}

std::string outOfMemoryText()
{
    if (!s_hitLimit.load(std::memory_order_relaxed))
        return "needs more memory than the system has";
    return fmt::format("needs more memory than --max-memory allows ({})",
        formatBytes(static_cast<Bytes>(s_limit.load(std::memory_order_relaxed))));
}

void* reallocateWithinLimit(void* memory, std::size_t bytes)
{
    const std::size_t oldBytes = memory ? ::malloc_usable_size(memory) : 0;
    const bool isWithin = bytes <= oldBytes || isWithinLimit(bytes - oldBytes);
    void* const moved = isWithin ? std::realloc(memory, bytes) : nullptr;
    if (moved)
        countAllocated(
            static_cast<std::int64_t>(::malloc_usable_size(moved)) - static_cast<std::int64_t>(oldBytes));
    else
        s_hitLimit.store(!isWithin, std::memory_order_relaxed);
    return moved;
}

void freeWithinLimit(void* memory)
{
    release(memory);
}

} // namespace highwater

// The replaceable allocation functions of the standard ([new.delete]). The array forms and the sized forms
// call these. Sanitizers bring their own.
#ifndef HIGHWATER_SANITIZED

void* operator new(std::size_t bytes)
{
    return highwater::allocateOrThrow(bytes);
}

void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return highwater::allocateOrThrow(bytes, static_cast<std::size_t>(alignment));
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return highwater::allocate(bytes);
}

void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return highwater::allocate(bytes, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept
{
    highwater::release(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept
{
    highwater::release(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    highwater::release(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    highwater::release(memory);
}

#endif
