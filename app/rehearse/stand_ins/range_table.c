#include "app/rehearse/stand_ins/range_table.h"

#include <stdlib.h>
#include <string.h>

/* Returns the index of the first range that ends after the address. */
static size_t firstEndingBehind(const RangeTable* table, uintptr_t address)
{
    size_t low = 0;
    size_t high = table->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const Range* range = &table->ranges[middle];
        if (range->begin + range->bytes > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

Range* rangeAround(const RangeTable* table, uintptr_t address)
{
    const size_t index = firstEndingBehind(table, address);
    return index < table->count && table->ranges[index].begin <= address ? &table->ranges[index] : NULL;
}

static bool makeRoom(RangeTable* table)
{
    if (table->count < table->room)
        return true;
    const size_t room = table->room ? 2 * table->room : 64;
    Range* grown = realloc(table->ranges, room * sizeof *grown);
    if (!grown)
        return false;
    table->ranges = grown;
    table->room = room;
    return true;
}

bool insertRange(RangeTable* table, Range range)
{
    if (range.bytes == 0 || range.begin + range.bytes < range.begin)
        return false;
    const size_t index = firstEndingBehind(table, range.begin);
    if (index < table->count && table->ranges[index].begin < range.begin + range.bytes)
        return false;
    if (!makeRoom(table))
        return false;
    memmove(&table->ranges[index + 1], &table->ranges[index], (table->count - index) * sizeof range);
    table->ranges[index] = range;
    table->count++;
    return true;
}

void removeRange(RangeTable* table, Range* range)
{
    const size_t index = (size_t)(range - table->ranges);
    memmove(range, range + 1, (table->count - index - 1) * sizeof *range);
    table->count--;
}

uintptr_t lowestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes)
{
    uintptr_t bottom = begin;
    for (size_t i = firstEndingBehind(table, begin); i < table->count; i++) {
        const Range* range = &table->ranges[i];
        if (range->begin >= bottom && range->begin - bottom >= bytes)
            break;
        bottom = range->begin + range->bytes > bottom ? range->begin + range->bytes : bottom;
    }
    return bottom <= end && end - bottom >= bytes ? bottom : 0;
}

uintptr_t highestGap(const RangeTable* table, uintptr_t begin, uintptr_t end, size_t bytes)
{
    uintptr_t top = end;
    for (size_t i = table->count; i > 0; i--) {
        const Range* range = &table->ranges[i - 1];
        const uintptr_t range_end = range->begin + range->bytes;
        if (range_end <= top && top - range_end >= bytes)
            return top - bytes;
        top = range->begin < top ? range->begin : top;
    }
    return top >= begin && top - begin >= bytes ? top - bytes : 0;
}
