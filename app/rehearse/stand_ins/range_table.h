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
/* Returns the address at which `bytes` begin at the upper end of the highest gap of at least this size
   between the two addresses, below which no range may lie; 0 if there is none. O(n). */
uintptr_t highestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes);
/* Returns the lower end of the lowest such gap; 0 if there is none. O(n). */
uintptr_t lowestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes);
