#include "app/loading/files/small_file.h"

#include <memory>
#include <vector>

#include "importers/source/file_source.h"

namespace highwater {

Result<std::string> readSmallFile(const std::string& path, const std::string& tooLarge, std::size_t maxBytes)
{
    const Result<std::unique_ptr<ByteSource>> file = openFile(path);
    if (!file)
        return tl::unexpected(file.error());
    std::string text;
    std::vector<std::byte> piece(std::size_t{1} << 16);
    for (;;) {
        const Result<std::size_t> got = (*file)->read(piece);
        if (!got)
            return tl::unexpected(got.error());
        if (*got == 0)
            return text;
        text.append(reinterpret_cast<const char*>(piece.data()), *got);
        if (text.size() > maxBytes)
            return fail(ErrorCode::LimitExceeded, tooLarge);
    }
}

} // namespace highwater
