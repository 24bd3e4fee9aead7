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
/* Pages in all granules of the device that share an entry; if it is 0, a large range there has no pages. */
static unsigned pages_in[kGranules];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A ring of large copies, the oldest of which make room: weights come before batches. */
static struct
{
    uintptr_t at;
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

/* Writes bytes; if `from` is NULL, `value` in every byte. */
static void writeLocked(uintptr_t at, const unsigned char* from, int value, size_t bytes, bool are_known)
{
    while (bytes) {
        const size_t offset = at % kPageBytes;
        const size_t part = bytes < kPageBytes - offset ? bytes : kPageBytes - offset;
        Page* page = pageForWriting(at / kPageBytes);
        if (page && from)
            memcpy(page->bytes + offset, from, part);
        else if (page)
            memset(page->bytes + offset, value, part);
        if (page)
            memset(page->is_known + offset, are_known, part);
        at += part;
        from = from ? from + part : NULL;
        bytes -= part;
    }
}

/* Returns true if all of the bytes are known. */
static bool readLocked(unsigned char* to, uintptr_t at, size_t bytes)
{
    bool are_known = true;
    while (bytes) {
        const size_t offset = at % kPageBytes;
        const size_t part = bytes < kPageBytes - offset ? bytes : kPageBytes - offset;
        const Page* page = *linkTo(at / kPageBytes);
        if (page)
            memcpy(to, page->bytes + offset, part);
        else
            memset(to, 0, part);
        are_known = are_known && page && !memchr(page->is_known + offset, false, part);
        at += part;
        to += part;
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

static void forgetLocked(uintptr_t at, size_t bytes)
{
    const uintptr_t end = at + bytes;
    while (page_count && at < end) {
        const bool is_empty = pages_in[at / kMemoryGranularity % kGranules] == 0;
        const size_t step = is_empty ? kMemoryGranularity : kPageBytes;
        const size_t rest = step - at % step;
        const size_t part = end - at < rest ? end - at : rest;
        if (!is_empty)
            forgetInPage(at / kPageBytes, at % kPageBytes, part);
        at += part;
    }
}

/* Makes room for a copy that comes now. */
static void makeRoomLocked(uintptr_t at, size_t bytes)
{
    if (bytes < kLargeCopyBytes)
        return;
    const size_t pages = bytes / kPageBytes + 2;
    while (large_begin != large_end
        && (page_count + pages > kMaxLargePages || large_end - large_begin == kLargeCopies)) {
        forgetLocked(large[large_begin % kLargeCopies].at, large[large_begin % kLargeCopies].bytes);
        large_begin++;
    }
    large[large_end % kLargeCopies].at = at;
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

void setBytes(void* to, int value, size_t bytes)
{
    if (deviceOfAddress(to) < 0) {
        memset(to, value, bytes);
    } else if (bytes > kMaxCopyBytes || value == 0) {
        forgetBytes(to, bytes);
    } else {
        pthread_mutex_lock(&lock);
        writeLocked((uintptr_t)to, NULL, value, bytes, true);
        pthread_mutex_unlock(&lock);
    }
}

void setKnownZero(void* to, size_t bytes)
{
    if (deviceOfAddress(to) < 0) {
        memset(to, 0, bytes);
        return;
    }
    pthread_mutex_lock(&lock);
    writeLocked((uintptr_t)to, NULL, 0, bytes, true);
    pthread_mutex_unlock(&lock);
}

static __thread bool gives_ones;

void highwaterGiveOnes(int on)
{
    gives_ones = on != 0;
}

/* Returns true if all of the bytes are known; unknown ones are 0. */
static bool readBytes(void* to, const void* from, size_t bytes)
{
    if (bytes > kMaxCopyBytes) {
        memset(to, 0, bytes);
        return false;
    }
    pthread_mutex_lock(&lock);
    const bool are_known = readLocked(to, (uintptr_t)from, bytes);
    pthread_mutex_unlock(&lock);
    return are_known;
}

size_t readKnownBytes(void* to, const void* from, size_t bytes)
{
    size_t count = 0;
    unsigned char* const into = to;
    pthread_mutex_lock(&lock);
    while (count < bytes && readLocked(into + count, (uintptr_t)from + count, 1))
        count++;
    pthread_mutex_unlock(&lock);
    return count;
}

int highwaterKnowsBytes(const void* from, size_t bytes)
{
    unsigned char* to = bytes && bytes <= kMaxCopyBytes ? malloc(bytes) : NULL;
    const int are_known = to && readBytes(to, from, bytes);
    free(to);
    return are_known;
}

static _Atomic(ReadObserver) read_observer;

void highwaterObserveReads(ReadObserver observer)
{
    read_observer = observer;
}

static void copyToHost(void* to, const void* from, size_t bytes)
{
    if (gives_ones && bytes <= sizeof(int64_t)) {
        memset(to, 0, bytes);
        *(unsigned char*)to = 1;
    } else if (!readBytes(to, from, bytes)) {
        const ReadObserver observer = read_observer;
        if (observer)
            observer(to, bytes);
    }
}

static void copyToDevice(void* to, const void* from, size_t bytes, bool from_device)
{
    unsigned char* between = bytes <= kMaxCopyBytes ? malloc(bytes) : NULL;
    if (!between) {
        forgetBytes(to, bytes);
        return;
    }
    bool are_known = true;
    if (from_device)
        are_known = readBytes(between, from, bytes);
    else
        memcpy(between, from, bytes);
    pthread_mutex_lock(&lock);
    if (are_known) {
        makeRoomLocked((uintptr_t)to, bytes);
        writeLocked((uintptr_t)to, between, 0, bytes, true);
    } else {
        forgetLocked((uintptr_t)to, bytes);
    }
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
