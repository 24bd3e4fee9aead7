#include "core/base/progress.h"

namespace highwater {

void ThrottledProgress::report(std::uint64_t done, std::uint64_t total)
{
    if (!m_sink)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < std::chrono::milliseconds(50) && done != total)
        return;
    m_last = now;
    m_sink->progressed(done, total);
}

} // namespace highwater
