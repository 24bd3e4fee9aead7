/* The time at which work on the simulated devices is done. The clock is not the machine's: calls advance
   it, so that a command produces the same events every time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Graph
{
    unsigned long long launches;
} Graph;

typedef struct Stream
{
    int device;
    int priority;
    unsigned flags;
    int64_t busy_until_ns;
    Graph* capturing; /* NULL if the stream is not being captured */
    unsigned long long capture_id;
} Stream;

typedef struct Event
{
    int device;
    unsigned flags;
    bool recorded;
    int64_t done_ns;
} Event;

/* Returns the stream of a handle; 0, 1 and 2 are the default streams of the current device. */
Stream* streamOf(void* handle);
/* Makes a stream of the current device; NULL if host memory runs out. Streams are never freed. */
Stream* newStream(unsigned flags, int priority);

/* Runs a kernel, a copy or a replay on the stream of a handle; counts it in the graph if the stream is being
   captured. */
void launchOn(void* handle);
bool streamIsIdle(Stream* stream);
void waitForStream(Stream* stream);
/* Waits for all streams of the device. */
void waitForDevice(int device);

/* The event is done when the work on the stream so far is. An event that was never recorded is done. */
void recordEvent(Event* event, Stream* stream);
bool eventIsDone(const Event* event);
void waitForEvent(const Event* event);
/* Lets the stream be busy until the event is done. */
void streamWaitsFor(Stream* stream, const Event* event);

unsigned long long nextCaptureId(void);
