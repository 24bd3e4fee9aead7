#include "core/base/interruption.h"

#include <utility>

#include "core/base/pausing.h"

namespace highwater {

namespace {

thread_local const InterruptibleScope* t_scope = nullptr;
thread_local PausingScope::Pause t_pause = nullptr;

} // namespace

InterruptibleScope::InterruptibleScope(StopToken stop)
    : m_stop(std::move(stop))
    , m_outer(std::exchange(t_scope, this))
{
}

InterruptibleScope::~InterruptibleScope()
{
    t_scope = m_outer;
}

StopToken InterruptibleScope::currentToken()
{
    return t_scope ? t_scope->m_stop : StopToken();
}

bool isInterrupted()
{
    return t_scope && t_scope->m_stop.stopRequested();
}

PausingScope::PausingScope(Pause pause)
    : m_outer(std::exchange(t_pause, pause))
{
}

PausingScope::~PausingScope()
{
    t_pause = m_outer;
}

void interruptionPoint()
{
    if (t_pause)
        t_pause();
    if (isInterrupted() && std::uncaught_exceptions() == 0)
        throw WorkCancelled();
}

} // namespace highwater
