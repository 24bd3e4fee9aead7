#include "app/rehearse/stand_ins/work.h"

#include <pthread.h>
#include <stdlib.h>

#include "app/rehearse/stand_ins/simulation.h"

/* The time that a call takes on the host. */
enum
{
    kLaunchNs = 5000,
    kQueryNs = 1000
};

typedef struct StreamNode
{
    Stream stream;
    struct StreamNode* next;
} StreamNode;

static Stream default_streams[kMaxDevices];
static StreamNode* streams; /* all that were ever made, since a handle may be used after it was destroyed */
static int64_t now_ns = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

Stream* streamOf(void* handle)
{
    if ((uintptr_t)handle > 2)
        return handle;
    Stream* stream = &default_streams[currentDevice()];
    stream->device = currentDevice();
    return stream;
}

Stream* newStream(unsigned flags, int priority)
{
    StreamNode* node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    touchDevice(currentDevice());
    node->stream.device = currentDevice();
    node->stream.flags = flags;
    node->stream.priority = priority;
    pthread_mutex_lock(&lock);
    node->next = streams;
    streams = node;
    pthread_mutex_unlock(&lock);
    return &node->stream;
}

void launchOn(void* handle)
{
    Stream* stream = streamOf(handle);
    pthread_mutex_lock(&lock);
    now_ns += kLaunchNs;
    if (stream->capturing) {
        stream->capturing->launches++;
    } else if (profile()->kernel_ns) {
        if (stream->busy_until_ns < now_ns)
            stream->busy_until_ns = now_ns;
        stream->busy_until_ns += profile()->kernel_ns;
    }
    pthread_mutex_unlock(&lock);
}

static bool isDone(int64_t at_ns)
{
    pthread_mutex_lock(&lock);
    now_ns += kQueryNs;
    const bool done = at_ns <= now_ns;
    pthread_mutex_unlock(&lock);
    return done;
}

static void waitUntil(int64_t at_ns)
{
    pthread_mutex_lock(&lock);
    if (now_ns < at_ns)
        now_ns = at_ns;
    pthread_mutex_unlock(&lock);
}

bool streamIsIdle(Stream* stream)
{
    return isDone(stream->busy_until_ns);
}

void waitForStream(Stream* stream)
{
    waitUntil(stream->busy_until_ns);
}

void waitForDevice(int device)
{
    pthread_mutex_lock(&lock);
    int64_t last = default_streams[device].busy_until_ns;
    for (const StreamNode* node = streams; node; node = node->next)
        if (node->stream.device == device && node->stream.busy_until_ns > last)
            last = node->stream.busy_until_ns;
    if (now_ns < last)
        now_ns = last;
    pthread_mutex_unlock(&lock);
}

void recordEvent(Event* event, Stream* stream)
{
    pthread_mutex_lock(&lock);
    now_ns += kQueryNs;
    event->recorded = true;
    event->device = stream->device;
    event->done_ns = stream->busy_until_ns > now_ns ? stream->busy_until_ns : now_ns;
    pthread_mutex_unlock(&lock);
}

bool eventIsDone(const Event* event)
{
    return !event->recorded || isDone(event->done_ns);
}

void waitForEvent(const Event* event)
{
    if (event->recorded)
        waitUntil(event->done_ns);
}

void streamWaitsFor(Stream* stream, const Event* event)
{
    pthread_mutex_lock(&lock);
    if (event->recorded && stream->busy_until_ns < event->done_ns)
        stream->busy_until_ns = event->done_ns;
    pthread_mutex_unlock(&lock);
}

unsigned long long nextCaptureId(void)
{
    static unsigned long long last;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
