/* Bytes that small copies brought to a device, page by page, so that they can be read back. Kernels change
   nothing here, so bytes are forgotten when PyTorch's allocator allocates or frees their memory: a kernel
   would write the content of the next tensor there. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/simulation.h"

enum
{
    kPageBytes = 512,
    kBuckets = 1 << 14,
    kMaxPages = 1 << 16,
    kMaxCopyBytes = 1 << 20,
    kLargeCopyBytes = 4096, /* copies of this size and more may be forgotten if pages run out */
    kMaxLargePages = kMaxPages / 4 * 3,
    kLargeCopies = 1 << 13,
    kPagesInGranule = kMemoryGranularity / kPageBytes,
    kGranules = 1 << 14
};

typedef struct Page
{
    struct Page* next;
    uintptr_t number;
    unsigned char bytes[kPageBytes];
    bool is_known[kPageBytes]; /* otherwise the byte is 0 */
} Page;

static Page* buckets[kBuckets];
static size_t page_count;
/* Number of pages in the granules that share an entry; 0 means that none of these granules has a page. */
static unsigned pages_in[kGranules];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A ring of large copies. The oldest is forgotten first: it is a weight rather than a batch. */
static struct
{
    uintptr_t address;
    size_t bytes;
} large[kLargeCopies];
static size_t large_begin, large_end;

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
    pages_in[page->number / kPagesInGranule % kGranules]--;
    page_count--;
    free(page);
}

static Page* pageForWriting(uintptr_t number)
{
    Page** link = linkTo(number);
    if (!*link && page_count < kMaxPages) {
        *link = calloc(1, sizeof **link);
        if (*link) {
            (*link)->number = number;
            pages_in[number / kPagesInGranule % kGranules]++;
            page_count++;
        }
    }
    return *link;
}

/* Writes bytes; if `source` is NULL, `value` in every byte. */
static void writeLocked(
    uintptr_t address, const unsigned char* source, int value, size_t bytes, bool are_known)
{
    while (bytes) {
        const size_t offset = address % kPageBytes;
        const size_t part = bytes < kPageBytes - offset ? bytes : kPageBytes - offset;
        Page* page = pageForWriting(address / kPageBytes);
        if (page && source)
            memcpy(page->bytes + offset, source, part);
        else if (page)
            memset(page->bytes + offset, value, part);
        if (page)
            memset(page->is_known + offset, are_known, part);
        address += part;
        source = source ? source + part : NULL;
        bytes -= part;
    }
}

/* Returns true if all of the bytes are known. */
static bool readLocked(unsigned char* target, uintptr_t address, size_t bytes)
{
    bool are_known = true;
    while (bytes) {
        const size_t offset = address % kPageBytes;
        const size_t part = bytes < kPageBytes - offset ? bytes : kPageBytes - offset;
        const Page* page = *linkTo(address / kPageBytes);
        if (page)
            memcpy(target, page->bytes + offset, part);
        else
            memset(target, 0, part);
        are_known = are_known && page && !memchr(page->is_known + offset, false, part);
        address += part;
        target += part;
        bytes -= part;
    }
    return are_known;
}

static void forgetInPage(uintptr_t number, size_t offset, size_t bytes)
{
    Page** link = linkTo(number);
    if (*link && bytes == kPageBytes)
        removePage(link);
    else if (*link) {
        memset((*link)->bytes + offset, 0, bytes);
        memset((*link)->is_known + offset, false, bytes);
    }
}

static void forgetLocked(uintptr_t address, size_t bytes)
{
    const uintptr_t end = address + bytes;
    while (page_count && address < end) {
        const bool is_empty = pages_in[address / kMemoryGranularity % kGranules] == 0;
        const size_t step = is_empty ? kMemoryGranularity : kPageBytes;
        const size_t rest = step - address % step;
        const size_t part = end - address < rest ? end - address : rest;
        if (!is_empty)
            forgetInPage(address / kPageBytes, address % kPageBytes, part);
        address += part;
    }
}

/* Adds a large copy to the ring, and makes room for it by forgetting older ones. */
static void makeRoomLocked(uintptr_t address, size_t bytes)
{
    if (bytes < kLargeCopyBytes)
        return;
    const size_t pages = bytes / kPageBytes + 2;
    while (large_begin != large_end
        && (page_count + pages > kMaxLargePages || large_end - large_begin == kLargeCopies)) {
        forgetLocked(large[large_begin % kLargeCopies].address, large[large_begin % kLargeCopies].bytes);
        large_begin++;
    }
    large[large_end % kLargeCopies].address = address;
    large[large_end++ % kLargeCopies].bytes = bytes;
}

void forgetBytes(const void* begin, size_t bytes)
{
    pthread_mutex_lock(&lock);
    forgetLocked((uintptr_t)begin, bytes);
    pthread_mutex_unlock(&lock);
}

void highwaterForgetBytes(const void* begin, size_t bytes)
{
    forgetBytes(begin, bytes);
}

void setBytes(void* target, int value, size_t bytes)
{
    if (deviceOfAddress(target) < 0) {
        memset(target, value, bytes);
    } else if (bytes > kMaxCopyBytes || value == 0) {
        forgetBytes(target, bytes);
    } else {
        pthread_mutex_lock(&lock);
        writeLocked((uintptr_t)target, NULL, value, bytes, true);
        pthread_mutex_unlock(&lock);
    }
}

void setKnownZero(void* target, size_t bytes)
{
    if (deviceOfAddress(target) < 0) {
        memset(target, 0, bytes);
        return;
    }
    pthread_mutex_lock(&lock);
    writeLocked((uintptr_t)target, NULL, 0, bytes, true);
    pthread_mutex_unlock(&lock);
}

static __thread bool gives_ones;

void highwaterGiveOnes(int on)
{
    gives_ones = on != 0;
}

/* Returns true if all of the bytes are known; unknown ones are 0. */
static bool readBytes(void* target, const void* source, size_t bytes)
{
    if (bytes > kMaxCopyBytes) {
        memset(target, 0, bytes);
        return false;
    }
    pthread_mutex_lock(&lock);
    const bool are_known = readLocked(target, (uintptr_t)source, bytes);
    pthread_mutex_unlock(&lock);
    return are_known;
}

size_t readKnownBytes(void* target, const void* source, size_t bytes)
{
    size_t count = 0;
    unsigned char* const into = target;
    pthread_mutex_lock(&lock);
    while (count < bytes && readLocked(into + count, (uintptr_t)source + count, 1))
        count++;
    pthread_mutex_unlock(&lock);
    return count;
}

int highwaterKnowsBytes(const void* source, size_t bytes)
{
    unsigned char* target = bytes && bytes <= kMaxCopyBytes ? malloc(bytes) : NULL;
    const int are_known = target && readBytes(target, source, bytes);
    free(target);
    return are_known;
}

static _Atomic(ReadObserver) read_observer;

void highwaterObserveReads(ReadObserver observer)
{
    read_observer = observer;
}

static void copyToHost(void* target, const void* source, size_t bytes)
{
    if (gives_ones && bytes <= sizeof(int64_t)) {
        memset(target, 0, bytes);
        *(unsigned char*)target = 1;
    } else if (!readBytes(target, source, bytes)) {
        const ReadObserver observer = read_observer;
        if (observer)
            observer(target, bytes);
    }
}

static void copyToDevice(void* target, const void* source, size_t bytes, bool from_device)
{
    unsigned char* between = bytes <= kMaxCopyBytes ? malloc(bytes) : NULL;
    if (!between) {
        forgetBytes(target, bytes);
        return;
    }
    bool are_known = true;
    if (from_device)
        are_known = readBytes(between, source, bytes);
    else
        memcpy(between, source, bytes);
    pthread_mutex_lock(&lock);
    if (are_known) {
        makeRoomLocked((uintptr_t)target, bytes);
        writeLocked((uintptr_t)target, between, 0, bytes, true);
    } else {
        forgetLocked((uintptr_t)target, bytes);
    }
    pthread_mutex_unlock(&lock);
    free(between);
}

void copyBytes(void* target, const void* source, size_t bytes)
{
    if (!bytes)
        return;
    const bool from_device = deviceOfAddress(source) >= 0;
    if (deviceOfAddress(target) >= 0)
        copyToDevice(target, source, bytes, from_device);
    else if (from_device)
        copyToHost(target, source, bytes);
    else
        memmove(target, source, bytes);
}
