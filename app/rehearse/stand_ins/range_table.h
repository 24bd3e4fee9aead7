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

/* Returns the range that contains the address, or NULL. O(log n). Valid until the table changes. */
Range* rangeAround(const RangeTable* table, uintptr_t address);
/* Returns false if the range overlaps another one, is empty or wraps around, or if host memory runs out.
   O(n). */
bool insertRange(RangeTable* table, Range range);
/* Removes a range that rangeAround has returned. O(n). */
void removeRange(RangeTable* table, Range* range);
/* Returns the highest address at which `bytes` bytes are free in [begin, end); 0 if there is none. No range
   of the table may lie below `begin`. O(n). */
uintptr_t highestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes);
/* Returns the lowest such address; 0 if there is none. O(n). */
uintptr_t lowestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes);
