#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "importers/log/content_kind.h"
#include "importers/log/log_reader.h"

namespace highwater::logs {

/// Reads tables: comma-separated values, nvidia-smi's CSV output, which may lack a header, and `nvidia-smi
/// dmon`. Each row is a record.
class ColumnReader
{
public:
    ColumnReader(ContentKind kind, LogReader& reader);

    void read(std::string_view line, std::uint64_t lineNumber);

private:
    void readCommas(std::string_view line, std::uint64_t lineNumber);
    void readDmon(std::string_view line, std::uint64_t lineNumber);
    bool isHeader(const std::vector<std::string_view>& cells) const;
    void guessColumns(const std::vector<std::string_view>& cells);
    void takeRow(const std::vector<std::string_view>& cells, std::string_view line, std::uint64_t lineNumber);
    std::optional<std::int64_t> deviceOf(const std::vector<std::string_view>& cells);

    ContentKind m_kind;
    LogReader& m_reader;
    std::vector<std::string> m_columns;
    std::vector<std::string> m_deviceNames; ///< GPUs in order of appearance, if the table has no index
    std::string m_groupTime; ///< the time that the current rows share
    std::int64_t m_rowOfGroup = 0;
};

} // namespace highwater::logs
