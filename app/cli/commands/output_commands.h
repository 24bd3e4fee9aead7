#pragma once

#include "app/cli/commands/commands.h"

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// The commands whose result is a file, a verdict, a budget or a window, with their options.
class OutputCommands
{
public:
    /// Adds them to the program; `exitCode` is set by the one that runs. Both must outlive the parsing.
    void add(CLI::App& app, int& exitCode);

private:
    void addFindings(CLI::App& app, int& exitCode);
    void addExport(CLI::App& app, int& exitCode);
    void addCheck(CLI::App& app, int& exitCode);
    void addFigure(CLI::App& app, int& exitCode);
    void addReport(CLI::App& app, int& exitCode);
    void addBudget(CLI::App& app, int& exitCode);
    void addRehearse(CLI::App& app, int& exitCode);
    void addOpen(CLI::App& app, int& exitCode);

    FindingsOptions m_findings;
    ExportOptions m_export;
    CheckOptions m_check;
    FigureCommandOptions m_figure;
    ReportCommandOptions m_report;
    BudgetOptions m_budget;
    RehearseOptions m_rehearse;
    OpenOptions m_open;
};

} // namespace highwater::cli
