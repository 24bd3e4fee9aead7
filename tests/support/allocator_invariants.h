#pragma once

#include "core/analysis/allocator/caching_allocator.h"

namespace highwater::test {

/// Returns the settings of a program that only requests expandable segments.
inline AllocatorSettings expandable()
{
    AllocatorSettings settings;
    settings.expandableSegments = true;
    return settings;
}

/// Checks an allocator's invariants: the blocks of a segment follow each other without gaps, free neighbours
/// are joined, segments from cudaMalloc do not overlap, the lists contain exactly the free blocks that belong
/// in them, and the blocks' sums equal the reserved and allocated bytes. Reports failures to GoogleTest.
void expectSound(const CachingAllocator& allocator);

/// Checks that no two segments overlap. An expandable segment counts with its complete address space, mapped
/// or not. Applies only if no address comes from a file.
void expectDisjoint(const CachingAllocator& allocator);

} // namespace highwater::test
