/* The exchange of small tensors between ranks: a collective over bytes that came from the host gives every
   rank the true result, as `broadcast_object_list` needs it. Bytes that one rank does not know are unknown
   to all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum
{
    kIdBytes = 16,
    kMaxExchanged = 1 << 16
};

/* The ranks of a communicator, which exchange files in the rehearsal's folder, with one turn for each
   collective. */
typedef struct Exchange
{
    unsigned char id[kIdBytes]; /* the same on all ranks */
    bool is_usable;
    int rank, ranks;
    unsigned long turn;
} Exchange;

/* Makes an id that no other communicator of the rehearsal has. */
void newExchangeId(unsigned char id[kIdBytes]);

/* Stores the process id of this rank, so that the others can check if it is running. Call it before the
   first turn. */
void joinExchange(Exchange* exchange);

/* Begins the next turn and stores the bytes for the other ranks. A rank with nothing to offer increments the
   turn itself. */
void offerBytes(Exchange* exchange, const void* bytes, size_t count);

/* Waits for the bytes that a rank offers in the current turn, and returns their number, at most `count`. If
   they do not come within a minute or its process has ended, returns 0, and this rank never waits again. */
size_t takeOffered(Exchange* exchange, int rank, void* target, size_t count);
