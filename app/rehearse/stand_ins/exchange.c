#include "app/rehearse/stand_ins/exchange.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    kPathBytes = 4096,
    kWaitMilliseconds = 2,
    kMaxWaits = 60 * 1000 / kWaitMilliseconds,
    kWaitsBetweenLooks = 50
};

void newExchangeId(unsigned char id[kIdBytes])
{
    static atomic_uint count;
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    const unsigned long parts[2]
        = {(unsigned long)getpid() << 32 | atomic_fetch_add(&count, 1), (unsigned long)now.tv_nsec};
    memcpy(id, parts, kIdBytes);
}

/* Makes the path of the file of a rank and the current turn. Returns false if there is no folder or no
   exchange. */
static bool pathOf(const Exchange* exchange, int rank, const char* ending, char path[kPathBytes])
{
    const char* const settings = getenv("HIGHWATER_REHEARSAL");
    const char* const slash = settings ? strrchr(settings, '/') : NULL;
    if (!slash || !exchange->is_usable)
        return false;
    int length = snprintf(path, kPathBytes, "%.*s/ranks-", (int)(slash - settings), settings);
    for (int i = 0; i < kIdBytes && length < kPathBytes; i++)
        length += snprintf(path + length, (size_t)(kPathBytes - length), "%02x", exchange->id[i]);
    if (length < kPathBytes)
        length += snprintf(
            path + length, (size_t)(kPathBytes - length), "-%lu-%d%s", exchange->turn, rank, ending);
    return length < kPathBytes;
}

/* Stores the file of this rank and turn, whole or not at all. */
static void storeFile(const Exchange* exchange, const void* bytes, size_t count)
{
    char part[kPathBytes], whole[kPathBytes];
    if (!pathOf(exchange, exchange->rank, ".part", part) || !pathOf(exchange, exchange->rank, "", whole))
        return;
    const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    const bool is_whole = write(file, bytes, count) == (ssize_t)count;
    close(file);
    if (is_whole)
        rename(part, whole);
}

void joinExchange(Exchange* exchange)
{
    const pid_t process = getpid();
    storeFile(exchange, &process, sizeof process);
}

void offerBytes(Exchange* exchange, const void* bytes, size_t count)
{
    exchange->turn++;
    storeFile(exchange, bytes, count);
}

/* Returns false if the rank's process has ended. A rank that has not joined yet may still come. */
static bool isThere(const Exchange* exchange, int rank)
{
    Exchange begin = *exchange;
    char path[kPathBytes];
    pid_t process = 0;
    begin.turn = 0;
    const int file = pathOf(&begin, rank, "", path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool has_joined = file >= 0 && read(file, &process, sizeof process) == sizeof process;
    if (file >= 0)
        close(file);
    return !has_joined || kill(process, 0) == 0;
}

size_t takeOffered(Exchange* exchange, int rank, void* target, size_t count)
{
    char path[kPathBytes];
    if (!pathOf(exchange, rank, "", path))
        return 0;
    const struct timespec pause = {0, kWaitMilliseconds * 1000000L};
    int file = -1;
    for (int i = 1; i < kMaxWaits && (file = open(path, O_RDONLY | O_CLOEXEC)) < 0; i++)
        if (i % kWaitsBetweenLooks || isThere(exchange, rank))
            nanosleep(&pause, NULL);
        else
            break;
    if (file < 0) {
        exchange->is_usable = false;
        return 0;
    }
    const ssize_t known = read(file, target, count);
    close(file);
    return known > 0 ? (size_t)known : 0;
}
