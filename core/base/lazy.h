#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace highwater {

/// A value that is computed once, on first use, by whichever thread needs it first; other threads wait for
/// it. An exception during the computation (an interruption) goes to the caller, and the next caller tries
/// again. The computation must not ask for its own value.
template <typename T>
class Lazy
{
public:
    template <typename Make>
    const T& get(Make&& make) const
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_value)
            m_value.emplace(std::forward<Make>(make)());
        return *m_value;
    }

private:
    mutable std::mutex m_mutex;
    mutable std::optional<T> m_value;
};

} // namespace highwater
