#pragma once

#include "core/base/progress.h"

namespace highwater {

/// How analyses are cancelled: the caller that starts work opens an InterruptibleScope with its stop token;
/// long loops inside that work call `interruptionPoint`. After a stop request the next such call throws
/// WorkCancelled, which unwinds the work and is caught where it was started. Nothing is interrupted outside a
/// scope.

/// Thrown to end cancelled work. Not a std::exception, so that no error handler catches it by accident.
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

    /// Returns the token of this thread's innermost scope, to pass on to another thread; outside all scopes,
    /// a token that is never stopped.
    static StopToken currentToken();

private:
    friend void interruptionPoint();
    friend bool isInterrupted();
    StopToken m_stop;
    const InterruptibleScope* m_outer;
};

/// Throws WorkCancelled after a stop request to this thread's innermost scope. Takes a few nanoseconds; does
/// nothing while an exception unwinds the stack.
void interruptionPoint();

/// True after a stop request to this thread's innermost scope.
bool isInterrupted();

/// Calls `interruptionPoint` on every 4,096th `round`: for loops with short bodies.
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
