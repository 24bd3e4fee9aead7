#pragma once

#include <stdexcept>

#include <nlohmann/json_fwd.hpp>

#include "importers/log/patterns/pattern_table.h"

namespace highwater::logs {

/// The reason why an entry of the table is invalid. Thrown only while the table is read.
class BadEntry : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// Functions that read one entry of each section. They throw BadEntry, or nlohmann's exceptions if an item is
// missing or has the wrong type. The expressions of a user's entry are also timed on hard lines.
SharedRegex readExpression(const nlohmann::json& expression, bool timed = false);
PrefixPattern readPrefix(const nlohmann::json& json, std::size_t index);
SharedRegex readExpressionEntry(const nlohmann::json& json, std::size_t index);
ProgressBar readBar(const nlohmann::json& json, std::size_t index);
LinePattern readLinePattern(const nlohmann::json& json, std::size_t index);
RecordShape readRecordShape(const nlohmann::json& json, std::size_t index);
KeyRule readKeyRule(const nlohmann::json& json, std::size_t index);
OomHead readOomHead(const nlohmann::json& json, std::size_t index);
OomClause readOomClause(const nlohmann::json& json, std::size_t index);
EventPattern readEvent(const nlohmann::json& json, std::size_t index);
EndPattern readEnd(const nlohmann::json& json, std::size_t index);
MemoryWords readMemoryWords(const nlohmann::json& json);
ConfigurationPattern readConfiguration(const nlohmann::json& json, std::size_t index);

} // namespace highwater::logs
