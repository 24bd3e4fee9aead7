#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace highwater {

/// A value that is computed when it is first asked for, once, whichever thread asks; others wait for it.
/// What is thrown while it is computed (an interruption) goes to the caller, and the next one tries again.
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
