#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "importers/pickle/object_factory.h"
#include "importers/source/byte_source.h"

namespace highwater {

struct JsonOutcome
{
    Value root; ///< what was read, also after an error
    std::optional<Error> error;
};

/// Reads a snapshot written as JSON text as a stream: memory depends on the content of the snapshot, not on
/// the length of the text (which repeats every stack in full), and a truncated text yields what precedes the
/// end. Lists are passed on in batches; a list of two integers is treated as a tuple (pool ids).
JsonOutcome readSnapshotJson(ByteSource& source, ObjectFactory& factory, std::uint64_t maxMemoryBytes);

} // namespace highwater
