#include "app/cli/parser/man_page.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/parser/completions.h"
#include "app/cli/parser/size_text.h"
#include "core/base/version.h"

namespace highwater::cli {

namespace {

/// Escapes text so that roff shows it as it is. A line that begins like a request gets a zero-width character
/// in front.
std::string roffText(const std::string& text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool beginsLine = i == 0 || text[i - 1] == '\n';
        if (beginsLine && (text[i] == '.' || text[i] == '\''))
            out += "\\&";
        if (text[i] == '\\')
            out += "\\e";
        else if (text[i] == '-')
            out += "\\-";
        else
            out += text[i];
    }
    return out;
}

std::string bold(const std::string& text)
{
    return "\\fB" + roffText(text) + "\\fR";
}

std::string italic(const std::string& text)
{
    return "\\fI" + roffText(text) + "\\fR";
}

std::string pageHead(const std::string& name, const std::string& help)
{
    std::string title = name;
    std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    return fmt::format(".TH {} 1 \"\" \"highwater {}\" \"Highwater\"\n.SH NAME\n{} \\- {}\n", roffText(title),
        programVersion(), roffText(name), roffText(briefly(help)));
}

std::string synopsis(const CommandFacts& command)
{
    std::string text = fmt::format(".SH SYNOPSIS\n.B highwater {}\n", roffText(command.name));
    for (const OptionFacts& option : command.options)
        if (option.isArgument()) {
            const std::string name = italic(option.valueName) + (option.takesSeveral ? " ..." : "");
            text += (option.isRequired ? name : "[" + name + "]") + "\n";
        } else if (option.isRequired) {
            text += fmt::format("{} {}\n", bold(option.mainName()), italic(option.valueName));
        }
    return text + "[" + italic("OPTIONS") + "]\n";
}

/// Returns "-o, --out OUT".
std::string nameOf(const OptionFacts& option)
{
    std::string text;
    for (const std::string& name : option.names)
        text += (text.empty() ? "" : ", ") + bold(name);
    const bool hasName = !option.isFlag() && option.valueName != "TEXT";
    if (hasName || option.isArgument())
        text += (text.empty() ? "" : " ") + italic(option.valueName);
    else if (!option.isFlag())
        text += " " + italic("VALUE");
    return text;
}

std::string entryOf(const OptionFacts& option)
{
    std::string help = roffText(option.help);
    if (!help.empty() && help.back() != '.')
        help += '.';
    if (!option.values.empty())
        help += fmt::format("\nOne of {}.", roffText(fmt::format("{}", fmt::join(option.values, ", "))));
    if (!option.standard.empty())
        help += fmt::format("\nDefault: {}.", roffText(option.standard));
    if (option.isRequired)
        help += "\nRequired.";
    return fmt::format(".TP\n{}\n{}\n", nameOf(option), help);
}

/// Returns the entries of the positional arguments, or those of the options.
std::string entriesOf(const CommandFacts& command, bool areArguments)
{
    std::string text;
    for (const OptionFacts& option : command.options)
        if (option.isArgument() == areArguments)
            text += entryOf(option);
    return text;
}

constexpr const char* kExitCodes = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
A limit is exceeded (check); a run does not fit, or it is too close to tell (rehearse).
.TP
2
Wrong usage.
.TP
3
An input cannot be read, an output cannot be written, or a memory limit is reached.
.TP
4
An input is incomplete: what was read is printed (rehearse: undecided).
.TP
130
Interrupted.
)";

} // namespace

ManPage manPage(const CommandFacts& program, const std::vector<CommandFacts>& commands)
{
    std::string text = pageHead("highwater", program.help);
    text += ".SH SYNOPSIS\n.B highwater\n\\fICOMMAND\\fR \\fIFILE\\fR ...\n[\\fIOPTIONS\\fR]\n.SH "
            "DESCRIPTION\n"
        + roffText(program.help) + "\n.SH COMMANDS\n";
    for (const CommandFacts& command : commands)
        text += fmt::format(".TP\n{}(1)\n{}.\n", bold("highwater-" + command.name), roffText(command.help));
    text += ".SH OPTIONS\n" + entriesOf(program, false);
    text += ".SH FILES\nA " + italic("FILE")
        + " is a path, or \\- for standard input; plain, gzip or zstd, recognized by content. A folder means "
          "every readable file in it.\n.PP\nA "
        + italic("SIZE") + " is " + roffText(std::string(kSizeText)) + ".\n";
    return {"highwater.1", text + kExitCodes};
}

ManPage manPage(const CommandFacts& command)
{
    std::string text = pageHead("highwater-" + command.name, command.help) + synopsis(command);
    text += ".SH DESCRIPTION\n" + roffText(command.help) + ".\n";
    if (const std::string arguments = entriesOf(command, true); !arguments.empty())
        text += ".SH ARGUMENTS\n" + arguments;
    text += ".SH OPTIONS\n" + entriesOf(command, false);
    const bool hasSizes = std::ranges::any_of(
        command.options, [](const OptionFacts& option) { return option.valueName == "SIZE"; });
    if (hasSizes)
        text += ".PP\nA " + italic("SIZE") + " is " + roffText(std::string(kSizeText)) + ".\n";
    if (!command.footer.empty())
        text += ".SH NOTES\n.nf\n" + roffText(command.footer) + "\n.fi\n";
    return {"highwater-" + command.name + ".1", text + kExitCodes + ".SH SEE ALSO\n.BR highwater (1)\n"};
}

} // namespace highwater::cli
