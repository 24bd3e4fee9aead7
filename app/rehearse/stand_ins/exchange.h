/* What ranks know of each other's small tensors: a collective over bytes that the host brought gives every
   rank the true result, as `broadcast_object_list` needs it, and what one of them does not know nobody knows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum
{
    kIdBytes = 16,
    kMostExchanged = 1 << 16
};

/* The ranks of a communicator in files of the rehearsal's folder, a turn for each collective. */
typedef struct Exchange
{
    unsigned char id[kIdBytes]; /* the same on all ranks */
    bool is_usable;
    int rank, ranks;
    unsigned long turn;
} Exchange;

/* An id that no other communicator of the rehearsal has. */
void newExchangeId(unsigned char id[kIdBytes]);

/* Lets the others see whether this rank's process is there. */
void joinExchange(Exchange* exchange);

/* Leaves what this rank knows of its bytes, the first ones, for the others in the next turn. Whoever has
   nothing to offer counts the turn alone. */
void offerBytes(Exchange* exchange, const void* bytes, size_t count);

/* What a rank left in the turn of the last offer, for which it is waited: how many bytes. Where it does not
   come, this rank waits for no other one again. */
size_t takeOffered(Exchange* exchange, int rank, void* to, size_t count);
