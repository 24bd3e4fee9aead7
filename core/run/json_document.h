#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

/// Reads small JSON documents that people and other programs write, such as notes and workspaces. Outside
/// tests, only the source files of core/run include this header, since it exposes nlohmann's types.
namespace highwater {

inline constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxDocumentLevels = 64;
inline constexpr std::size_t kMaxDocumentValues = 2'000'000;

/// Parses a document. Fails with Malformed, or with Truncated if the text only ends early; both give the
/// byte, from 0, at which the text stops being JSON. Fails with LimitExceeded beyond the limits above,
/// which are checked before anything is stored. Error messages begin with `documentName`: "the workspace".
/// O(bytes).
Result<nlohmann::json> parseJsonDocument(std::string_view text, std::string_view documentName);

/// Problems found while a document is read.
struct DocumentProblems
{
    /// After this many warnings, one more says that there are others.
    static constexpr std::size_t kMaxWarnings = 20;

    std::string wrong; ///< The first fatal problem, a sentence; empty if there is none
    std::vector<std::string> warnings; ///< One sentence for each thing that was ignored

    bool ok() const { return wrong.empty(); }
    void fail(std::string sentence);
    void warn(std::string sentence);
};

/// Reads the members of one JSON object. There is a function for each type of member. It leaves `target`
/// unchanged if the member is absent, null or invalid. An invalid member is reported with its full name:
/// "note 3: at.event is not a number". `json` and `problems` must outlive the object.
class JsonMembers
{
public:
    /// `name` begins the error message for a value that is not an object; `prefix` precedes the names of
    /// members in messages.
    JsonMembers(const nlohmann::json& json, std::string name, std::string prefix, DocumentProblems& problems);

    /// Returns the member, or null if it is absent or null. Marks the key as known.
    const nlohmann::json* find(const char* key);
    void text(
        const char* key, std::string& target, std::size_t maxBytes = std::numeric_limits<std::size_t>::max());
    void boolean(const char* key, bool& target);
    void integer(const char* key, std::int64_t& target, std::int64_t least);
    /// Returns null if the member is absent, null, not a list or longer than `most`; the last two are errors.
    const nlohmann::json* list(const char* key, std::size_t most);

    /// Returns the name of a member in messages: "note 3: at.event".
    std::string nameOf(std::string_view key) const { return m_prefix + std::string(key); }
    void fail(std::string_view key, std::string_view problem);
    /// Returns the keys that `find` and the reading functions were never asked for.
    std::vector<std::string> unknownKeys() const;
    /// Adds a warning for each unknown key.
    void warnAboutUnknownKeys();
    DocumentProblems& problems() { return m_problems; }

private:
    const nlohmann::json& m_json;
    std::string m_prefix;
    DocumentProblems& m_problems;
    std::set<std::string, std::less<>> m_knownKeys;
};

/// Reads a whole number from `least` to `kLargestStoredNumber`. Otherwise returns false, leaves `target`
/// unchanged and reports the problem; the message begins with `name`.
bool readInteger(const nlohmann::json& json, const std::string& name, std::int64_t least,
    std::int64_t& target, DocumentProblems& problems);

/// Returns the document as text; invalid UTF-8 is replaced by U+FFFD.
std::string documentText(const nlohmann::ordered_json& json);

} // namespace highwater
