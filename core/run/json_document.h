#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

/// Reading small JSON documents that people and other programs write: notes, workspaces. For files of
/// core/run alone; their own headers show none of it.
namespace highwater {

inline constexpr std::size_t kMostDocumentBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMostDocumentLevels = 64;
inline constexpr std::size_t kMostDocumentValues = 2'000'000;

/// Fails with Malformed or, where it only ends too early, Truncated, and the byte (from 0) where the text
/// stops being JSON; with LimitExceeded beyond the limits above, which are checked before anything is kept.
/// `what` begins the sentences: "the workspace". O(bytes).
Result<nlohmann::json> parseJsonDocument(std::string_view text, std::string_view what);

/// What a document is found wanting in while it is read.
struct DocumentProblems
{
    /// More than these are counted and not told.
    static constexpr std::size_t kMostWarnings = 20;

    std::string wrong; ///< the first thing that makes it unusable, a sentence; empty: nothing does
    std::vector<std::string> warnings; ///< what was left out, sentences

    bool ok() const { return wrong.empty(); }
    void fail(std::string sentence);
    void warn(std::string sentence);
};

/// The members of one object. Every kind of member is read by a function that leaves `into` as it is where
/// the member is absent or null, and states its place where it is something else: "note 3: at.event is not a
/// number". Refers to what it is given.
class JsonMembers
{
public:
    /// `name` is for the sentence that it is no object, `prefix` stands before the names of its members.
    JsonMembers(const nlohmann::json& json, std::string name, std::string prefix, DocumentProblems& problems);

    /// Null: absent, or null. What has been asked for counts as known.
    const nlohmann::json* find(const char* key);
    void text(
        const char* key, std::string& into, std::size_t mostBytes = std::numeric_limits<std::size_t>::max());
    void boolean(const char* key, bool& into);
    void integer(
        const char* key, std::int64_t& into, std::int64_t least = std::numeric_limits<std::int64_t>::min());
    /// Null where the member is absent or no list; longer ones are wrong.
    const nlohmann::json* list(const char* key, std::size_t most);

    std::string place(std::string_view key) const { return m_prefix + std::string(key); }
    void fail(std::string_view key, std::string_view isWrong);
    /// Keys that nobody has asked for.
    std::vector<std::string> unknownKeys() const;
    /// Warns of them.
    void warnOfUnknown();
    DocumentProblems& problems() { return m_problems; }

private:
    const nlohmann::json& m_json;
    std::string m_prefix;
    DocumentProblems& m_problems;
    std::set<std::string, std::less<>> m_known;
};

/// A number as the members have it; `place` is for the sentence.
bool readInteger(const nlohmann::json& json, const std::string& place, std::int64_t least, std::int64_t& into,
    DocumentProblems& problems);

/// Texts that are no UTF-8 are written with U+FFFD in place of what is not.
std::string documentText(const nlohmann::ordered_json& json);

} // namespace highwater
