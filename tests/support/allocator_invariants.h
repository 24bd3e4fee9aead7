#pragma once

#include "core/analysis/allocator/caching_allocator.h"

namespace highwater::test {

/// The settings of a program that asks for expandable segments and nothing else.
inline AllocatorSettings expandable()
{
    AllocatorSettings settings;
    settings.expandableSegments = true;
    return settings;
}

/// What holds for an allocator at any moment: the blocks of a segment follow each other without gaps, free
/// neighbours are joined, segments of cudaMalloc do not overlap, free blocks are in the lists that they
/// belong into and nothing else is, and blocks sum to what is reserved and allocated. Reports to GoogleTest.
void expectSound(const CachingAllocator& allocator);

/// No two segments overlap; address spaces of expandable ones with all that is not mapped of them. Holds
/// where no address comes from a file.
void expectDisjoint(const CachingAllocator& allocator);

} // namespace highwater::test
