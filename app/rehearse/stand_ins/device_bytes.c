/* What small copies brought to a device, page by page, so that it can be read back. Kernels change nothing
   here, so a page may be out of date. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/simulation.h"

enum
{
    kPageBytes = 512,
    kBuckets = 1 << 14,
    kMaxPages = 1 << 16,
    kMaxCopyBytes = 64 << 10
};

typedef struct Page
{
    struct Page* next;
    uintptr_t number;
    unsigned char bytes[kPageBytes];
} Page;

static Page* buckets[kBuckets];
static size_t page_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Page** linkTo(uintptr_t number)
{
    Page** link = &buckets[number % kBuckets];
    while (*link && (*link)->number != number)
        link = &(*link)->next;
    return link;
}

static void removePage(Page** link)
{
    Page* page = *link;
    *link = page->next;
    free(page);
    page_count--;
}

static Page* pageForWriting(uintptr_t number)
{
    Page** link = linkTo(number);
    if (!*link && page_count < kMaxPages) {
        *link = calloc(1, sizeof **link);
        if (*link) {
            (*link)->number = number;
            page_count++;
        }
    }
    return *link;
}

/* `from` NULL: `value` in every byte. */
static void writeLocked(uintptr_t at, const unsigned char* from, int value, size_t bytes)
{
    while (bytes) {
        const size_t offset = at % kPageBytes;
        const size_t part = bytes < kPageBytes - offset ? bytes : kPageBytes - offset;
        Page* page = from || value ? pageForWriting(at / kPageBytes) : *linkTo(at / kPageBytes);
        if (page && from)
            memcpy(page->bytes + offset, from, part);
        else if (page)
            memset(page->bytes + offset, value, part);
        at += part;
        from = from ? from + part : NULL;
        bytes -= part;
    }
}

static void readLocked(unsigned char* to, uintptr_t at, size_t bytes)
{
    while (bytes) {
        const size_t offset = at % kPageBytes;
        const size_t part = bytes < kPageBytes - offset ? bytes : kPageBytes - offset;
        const Page* page = *linkTo(at / kPageBytes);
        if (page)
            memcpy(to, page->bytes + offset, part);
        else
            memset(to, 0, part);
        at += part;
        to += part;
        bytes -= part;
    }
}

static void forgetLocked(uintptr_t at, size_t bytes)
{
    const uintptr_t first = at / kPageBytes;
    const uintptr_t last = (at + bytes - 1) / kPageBytes;
    for (size_t i = 0; page_count && i < kBuckets; i++)
        for (Page** link = &buckets[i]; *link;)
            if ((*link)->number >= first && (*link)->number <= last)
                removePage(link);
            else
                link = &(*link)->next;
}

void forgetBytes(const void* begin, size_t bytes)
{
    if (!bytes)
        return;
    pthread_mutex_lock(&lock);
    if (bytes <= kMaxCopyBytes)
        writeLocked((uintptr_t)begin, NULL, 0, bytes);
    else
        forgetLocked((uintptr_t)begin, bytes);
    pthread_mutex_unlock(&lock);
}

void setBytes(void* to, int value, size_t bytes)
{
    if (deviceOfAddress(to) < 0) {
        memset(to, value, bytes);
    } else if (bytes > kMaxCopyBytes || value == 0) {
        forgetBytes(to, bytes);
    } else {
        pthread_mutex_lock(&lock);
        writeLocked((uintptr_t)to, NULL, value, bytes);
        pthread_mutex_unlock(&lock);
    }
}

static void copyToHost(void* to, const void* from, size_t bytes)
{
    if (bytes > kMaxCopyBytes) {
        memset(to, 0, bytes);
        return;
    }
    pthread_mutex_lock(&lock);
    readLocked(to, (uintptr_t)from, bytes);
    pthread_mutex_unlock(&lock);
}

static void copyToDevice(void* to, const void* from, size_t bytes, bool from_device)
{
    if (bytes > kMaxCopyBytes) {
        forgetBytes(to, bytes);
        return;
    }
    unsigned char* between = malloc(bytes);
    if (!between)
        return;
    if (from_device)
        copyToHost(between, from, bytes);
    else
        memcpy(between, from, bytes);
    pthread_mutex_lock(&lock);
    writeLocked((uintptr_t)to, between, 0, bytes);
    pthread_mutex_unlock(&lock);
    free(between);
}

void copyBytes(void* to, const void* from, size_t bytes)
{
    if (!bytes)
        return;
    const bool from_device = deviceOfAddress(from) >= 0;
    if (deviceOfAddress(to) >= 0)
        copyToDevice(to, from, bytes, from_device);
    else if (from_device)
        copyToHost(to, from, bytes);
    else
        memmove(to, from, bytes);
}
