#pragma once

#include "core/base/progress.h"

namespace highwater {

/// How analyses are cancelled. Whoever starts work opens an InterruptibleScope with its stop token; long
/// loops of the work call `interruptionPoint`, wherever they are. After a request to stop the next of these
/// throws WorkCancelled, which ends the work and is caught where the work was started. (Boost.Thread's
/// interruption points work the same way.) Outside of a scope nothing is ever interrupted.

/// Not a std::exception: nothing that handles faults takes it for one.
struct WorkCancelled
{
};

/// Makes the work of this thread interruptible until the scope ends. Scopes nest; the innermost counts.
class InterruptibleScope
{
public:
    explicit InterruptibleScope(StopToken stop);
    ~InterruptibleScope();
    InterruptibleScope(const InterruptibleScope&) = delete;
    InterruptibleScope& operator=(const InterruptibleScope&) = delete;

    /// The token of this thread's innermost scope; outside of all scopes one that nobody stops. For work
    /// that is passed on to another thread.
    static StopToken currentToken();

private:
    friend void interruptionPoint();
    friend bool isInterrupted();
    StopToken m_stop;
    const InterruptibleScope* m_outer;
};

/// Throws WorkCancelled after a request to stop. A few nanoseconds; does nothing while an exception unwinds
/// the stack.
void interruptionPoint();

/// Whether `interruptionPoint` would throw: for code that has something to put in order first.
bool isInterrupted();

/// An interruption point once in 4,096 rounds: for loops whose rounds are short.
class InterruptionCounter
{
public:
    void round()
    {
        if ((++m_rounds & 4095) == 0)
            interruptionPoint();
    }

private:
    unsigned m_rounds = 0;
};

} // namespace highwater
