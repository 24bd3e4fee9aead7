#pragma once

namespace highwater {

/// Makes long work of this thread give way to more urgent work: until the scope ends, every interruption
/// point (core/base/interruption.h) first calls `pause`, which returns when the work may go on. Scopes nest;
/// the innermost counts.
class PausingScope
{
public:
    using Pause = void (*)();

    explicit PausingScope(Pause pause);
    ~PausingScope();
    PausingScope(const PausingScope&) = delete;
    PausingScope& operator=(const PausingScope&) = delete;

private:
    Pause m_outer;
};

} // namespace highwater
