#include "app/loading/files/file_hash.h"

#include <memory>
#include <vector>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "importers/source/file_source.h"

namespace highwater {

namespace {

struct FreeDigest
{
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
};

/// Returns OpenSSL's SHA-256, fetched on the first call; null if memory is too short for it.
const EVP_MD* sha256()
{
    static const std::unique_ptr<EVP_MD, FreeDigest> digest(EVP_MD_fetch(nullptr, "SHA256", nullptr));
    return digest.get();
}

} // namespace

void prepareHashes()
{
    sha256();
}

std::optional<std::string> sha256OfFile(
    const std::string& path, ProgressSink* progress, const StopToken& stop)
{
    const std::optional<FileIdentity> before = identityAt(path);
    if (!before || !isStoredFile(path))
        return std::nullopt; // a stream can be read only once, and some have no end
    const Result<std::unique_ptr<ByteSource>> file = openFile(path, stop);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!file || !context || !sha256() || EVP_DigestInit_ex(context.get(), sha256(), nullptr) != 1)
        return std::nullopt;
    std::vector<std::byte> piece(std::size_t{1} << 20);
    ThrottledProgress throttled(progress);
    for (;;) {
        const Result<std::size_t> got = (*file)->read(piece);
        if (!got || stop.stopRequested())
            return std::nullopt;
        if (*got == 0)
            break;
        EVP_DigestUpdate(context.get(), piece.data(), *got);
        throttled.report((*file)->position().consumed, (*file)->position().total);
    }
    if (identityAt(path) != before)
        return std::nullopt;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    EVP_DigestFinal_ex(context.get(), digest, &length);
    std::string text;
    for (unsigned int i = 0; i < length; ++i)
        text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::optional<std::string> FileHashes::hashOf(
    const std::string& path, ProgressSink* progress, const StopToken& stop)
{
    const std::optional<FileIdentity> file = identityAt(path);
    if (file) {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(path);
        if (known != m_known.end() && known->second.file == *file)
            return known->second.hash;
    }
    std::optional<std::string> hash = sha256OfFile(path, progress, stop);
    if (hash && file && identityAt(path) == file && isSettled(*file)) {
        const std::lock_guard lock(m_mutex);
        m_known[path] = {*file, *hash};
    }
    return hash;
}

} // namespace highwater
