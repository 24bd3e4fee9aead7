/* Arguments by their place, for functions that are told apart by little else. */
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

/* Of a function (void* handle, ...): its arguments up to this one. */
#define WORDS(last)                                                                                          \
    Words words = {{0}};                                                                                     \
    va_list from;                                                                                            \
    va_start(from, handle);                                                                                  \
    for (int word = 1; word <= (last); word++)                                                               \
        words.at[word] = va_arg(from, uintptr_t);                                                            \
    va_end(from)

/* An int that is a size or a count. */
static inline size_t sizeAt(const Words* words, int place)
{
    const int value = (int)words->at[place];
    return value > 0 ? (size_t)value : 0;
}
