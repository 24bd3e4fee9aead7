/* Access to arguments by position, for functions that otherwise differ little. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    kMaxWords = 24
};

/* Integers and addresses, each a word of the calling convention; the handle is number 0. */
typedef struct Words
{
    uintptr_t at[kMaxWords];
} Words;

/* Collects the arguments of a function (void* handle, ...) up to this one. */
#define WORDS(last)                                                                                          \
    Words words = {{0}};                                                                                     \
    va_list source;                                                                                          \
    va_start(source, handle);                                                                                \
    for (int word = 1; word <= (last); word++)                                                               \
        words.at[word] = va_arg(source, uintptr_t);                                                          \
    va_end(source)

/* Returns an int argument that is a size or a count; 0 if it is negative. */
static inline size_t sizeAt(const Words* words, int place)
{
    const int value = (int)words->at[place];
    return value > 0 ? (size_t)value : 0;
}
