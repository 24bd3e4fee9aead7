#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "importers/pickle/object_factory.h"
#include "importers/source/byte_source.h"

namespace highwater {

/// The result of reading a snapshot in JSON.
struct JsonOutcome
{
    Value root; ///< everything that was read
    std::optional<Error> error;
};

/// Reads a snapshot in JSON as a stream. Memory depends on the content of the snapshot, not on the length of
/// the text (which repeats every stack in full). After an error, `root` has everything before it. A list of
/// two integers is treated as a tuple (pool ids).
JsonOutcome readSnapshotJson(ByteSource& source, ObjectFactory& factory, std::uint64_t maxMemoryBytes);

} // namespace highwater
