#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/log/configuration_lines.h"
#include "importers/log/event_collector.h"
#include "importers/log/key_values.h"
#include "importers/log/line_patterns.h"
#include "importers/log/loose_figures.h"
#include "importers/log/prefix_parser.h"
#include "importers/log/start_finder.h"
#include "importers/log/text/line_source.h"
#include "importers/log/text/literal_scanner.h"
#include "importers/log/text/text_kind.h"

namespace highwater::logs {

/// Reads a log line by line into series, events and settings. A line without any of the table's literals is
/// only scanned, in time linear in its length; no expression is tried on it.
class LogReader
{
public:
    /// `fileTime` is when the file was last written, in ns since the Unix epoch, for times without a year; 0
    /// if unknown. The table and the strings must outlive the reader.
    LogReader(const PatternTable& table, StringPool& strings, Nanoseconds fileTime);

    /// Reads the next line, or the part between two carriage returns.
    void read(std::string_view text, std::uint64_t line);
    /// Reads one record whose pairs of key and value are already split. Returns false if no key is known.
    bool readPairs(std::string_view shape, const std::vector<std::pair<std::string, std::string>>& pairs,
        const LineContext& context);

    /// Adds a setting that does not come from a line.
    void addSetting(std::string_view name, std::string_view value, std::string_view origin)
    {
        m_configuration.add(name, value, origin);
    }
    /// Notes that the columns of a table had to be guessed.
    void noteUnnamedColumns() { m_unnamedColumns = true; }

    /// Sets the apparent kind of the text before the first line. A program's source code is not read at all;
    /// other source code and documents are read without loose figures.
    void setTextKind(const TextKind& kind) { m_textKind = kind; }
    /// Returns the number of the last line read.
    std::uint64_t linesRead() const { return m_linesRead; }
    std::size_t memoryBytes() const;
    SeriesStore& series() { return m_series; }
    ClockTracker& clock() { return m_clock; }

    /// Moves everything to the builder and adds messages to its import log. The reader is empty afterwards.
    void moveTo(TraceBuilder& builder);

private:
    enum class Kind : std::uint8_t
    {
        Bar,
        Line,
        Record,
        Oom,
        Event,
        Configuration,
        TracebackStart,
        SummaryRank,
        End,
        Unit
    };
    /// An entry of the table, which a literal triggers.
    struct Entry
    {
        Kind kind;
        std::uint32_t index;
    };
    struct Literals
    {
        explicit Literals(const PatternTable& table);
        std::vector<std::string> texts;
        std::vector<std::vector<std::uint32_t>> entriesOf; ///< for each text, indices of `entries`
        std::vector<Entry> entries; ///< in the order in which they are tried
        std::uint32_t firstUnit = 0; ///< index of the first entry for a unit; all later entries are for units

    private:
        void add(Kind kind, std::size_t index, const std::string& must);
    };

    std::string_view withoutColours(std::string_view text);
    void findHits(std::string_view text);
    bool wantsLines() const;
    bool hasOnlyForeignUnits(std::string_view text) const;
    void noteStart(std::string_view text, std::uint64_t line);
    void setStart(Writer& writer);
    void continueOpenReaders(const LineContext& context);
    void readHits(const LineContext& context);
    void logTo(ImportLog& log);

    Literals m_literals;
    LiteralScanner m_scanner;
    SeriesStore m_series;
    StepTracker m_steps;
    ClockTracker m_clock;
    TimeFinder m_times;
    StringPool& m_strings;
    PrefixParser m_prefixParser;
    StartFinder m_starts;
    std::size_t m_figureCountAtStart = 0; ///< number of points and events read before the latest start
    FigureSink m_figures;
    KeyValues m_keyValues;
    LinePatterns m_linePatterns;
    LooseFigures m_looseFigures;
    TracebackReader m_tracebacks;
    EventCollector m_events;
    ConfigurationLines m_configuration;
    std::vector<std::uint32_t> m_hits; ///< entries whose literal occurs in the current line
    std::vector<std::uint64_t> m_lastHitPiece; ///< for each literal, the `m_piece` it was last seen in
    std::uint64_t m_piece = 0;
    std::uint64_t m_linesRead = 0;
    bool m_unnamedColumns = false;
    TextKind m_textKind;
    std::string m_uncoloured;
    std::string m_previousLine;
};

} // namespace highwater::logs
