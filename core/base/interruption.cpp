#include "core/base/interruption.h"

#include <utility>

namespace highwater {

namespace {

thread_local const InterruptibleScope* t_scope = nullptr;

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

void interruptionPoint()
{
    if (isInterrupted() && std::uncaught_exceptions() == 0)
        throw WorkCancelled();
}

} // namespace highwater
