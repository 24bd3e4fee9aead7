/* Ranges of addresses that do not overlap, in order. Not locked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Range
{
    uintptr_t begin;
    size_t bytes;
    int tag;
    void* owner;
} Range;

typedef struct RangeTable
{
    Range* ranges;
    size_t count, room;
} RangeTable;

/* The range that holds the address; NULL: none. O(log n). Valid until the table changes. */
Range* rangeAround(const RangeTable* table, uintptr_t address);
/* false: overlaps another, is empty, wraps around, or there is no host memory. O(n). */
bool insertRange(RangeTable* table, Range range);
/* `range` is one that rangeAround gave. O(n). */
void removeRange(RangeTable* table, Range* range);
/* The upper end of the highest gap of at least `bytes` between the two addresses, where `bytes` begin; 0:
   none. O(n). */
uintptr_t highestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes);
/* The lower end of the lowest such gap; 0: none. O(n). */
uintptr_t lowestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes);
