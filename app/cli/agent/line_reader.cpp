#include "app/cli/agent/line_reader.h"

#include <array>
#include <cerrno>

#include <unistd.h>

namespace highwater::cli {

void LineReader::read()
{
    std::array<char, 1 << 16> piece;
    const ssize_t count = ::read(m_descriptor, piece.data(), piece.size());
    if (count > 0)
        m_text.append(piece.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        m_hasEnded = true;
}

std::optional<ReadLine> LineReader::next()
{
    const std::size_t end = m_text.find('\n');
    if (end == std::string::npos) {
        if (m_text.size() > m_maxBytes) {
            m_text.clear();
            m_isSkipping = true;
        }
        if (!m_hasEnded || (m_text.empty() && !m_isSkipping))
            return std::nullopt;
        ReadLine rest{std::move(m_text), m_isSkipping};
        m_text.clear();
        m_isSkipping = false;
        return rest.isTooLong ? ReadLine{"", true} : rest;
    }
    ReadLine line{m_text.substr(0, end), m_isSkipping || end > m_maxBytes};
    m_text.erase(0, end + 1);
    m_isSkipping = false;
    if (line.isTooLong)
        line.text.clear();
    else if (line.text.ends_with('\r'))
        line.text.pop_back();
    return line;
}

} // namespace highwater::cli
