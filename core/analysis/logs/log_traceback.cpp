#include "core/analysis/logs/log_traceback.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/analysis/stacks/source_files.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr Bytes kLargestTensor = Bytes{1} << 60;

/// True for files of torch, including those of a source checkout, which is outside the folders of installed
/// packages, and for code that it generated.
bool isTorch(const std::string& path)
{
    static const re2::RE2 kTorch(
        "/(?:site|dist)-packages/torch/|/torch/"
        "(?:nn|autograd|distributed|utils|_dynamo|_inductor|_functorch|_higher_"
        "order_ops|optim|amp|fx|cuda|jit|profiler|library|_library|_tensor|_utils|_ops|_"
        "compile|functional|serialization|multiprocessing)(?:/|\\.py)");
    return re2::RE2::PartialMatch(path, kTorch) || isCompiledFile(path);
}

/// True for files of Python's standard library, and for code without a file, such as "<frozen runpy>".
bool isPythonLibrary(const std::string& path)
{
    static const re2::RE2 kLibrary("^<|lib/python3\\.\\d+/|/usr/lib/python3/|(?i)lib/[a-z]+\\.py$");
    static const re2::RE2 kPackage("/(?:site|dist)-packages/");
    return re2::RE2::PartialMatch(path, kLibrary) && !re2::RE2::PartialMatch(path, kPackage);
}

/// True for files of installed packages, including those in /opt of a container image, and for compiled
/// modules. SageMaker has the user's code in /opt/ml.
bool isInstalled(const std::string& path)
{
    static const re2::RE2 kInstalled("/(?:site|dist)-packages/|^/opt/|\\.pyx$");
    return re2::RE2::PartialMatch(path, kInstalled) && !path.starts_with("/opt/ml/");
}

/// True for a line that defines a function or class, or decorates one: compiled code is reported at the
/// definition that it replaces, where nothing is called.
bool isDefinition(std::string_view source)
{
    source = trimmed(source);
    return source.starts_with("def ") || source.starts_with("async def ") || source.starts_with("class ")
        || source.starts_with('@');
}

/// Reads "5, 4096, 17408" as numbers; empty if one of them is no number or negative.
std::vector<std::int64_t> numbersOf(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (part.starts_with(' '))
            part.remove_prefix(1);
        if (part.empty())
            continue;
        std::int64_t number = 0;
        const auto [last, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc() || last == part.data() || number < 0)
            return {};
        numbers.push_back(number);
    }
    return numbers;
}

/// Returns the size of an element; 0 for an unknown type.
Bytes elementBytes(std::string_view dtype)
{
    constexpr std::pair<std::string_view, Bytes> kSizes[] = {{"torch.float64", 8}, {"torch.double", 8},
        {"torch.int64", 8}, {"torch.long", 8}, {"torch.complex64", 8}, {"torch.complex128", 16},
        {"torch.float32", 4}, {"torch.float", 4}, {"torch.int32", 4}, {"torch.int", 4}, {"torch.bfloat16", 2},
        {"torch.float16", 2}, {"torch.half", 2}, {"torch.int16", 2}, {"torch.uint8", 1}, {"torch.int8", 1},
        {"torch.bool", 1}, {"torch.float8_e4m3fn", 1}, {"torch.float8_e5m2", 1}};
    for (const auto& [name, bytes] : kSizes)
        if (name == dtype)
            return bytes;
    return 0;
}

/// Returns the bytes of a tensor with this shape; nothing if it is larger than any memory.
std::optional<Bytes> sizeOf(const std::vector<std::int64_t>& shape, Bytes element)
{
    Bytes bytes = element;
    for (const std::int64_t extent : shape) {
        if (extent != 0 && bytes > kLargestTensor / extent)
            return std::nullopt;
        bytes *= extent;
    }
    return bytes;
}

} // namespace

std::optional<std::size_t> findUserFrame(const Trace& trace, const LogEvent& event)
{
    std::optional<std::size_t> definition;
    std::optional<std::size_t> libraryFrame;
    for (std::size_t i = event.frames.size(); i-- > 0;) {
        const std::string path = forwardSlashes(trace.text(event.frames[i].file));
        if (path.empty() || isTorch(path) || isPythonLibrary(path))
            continue;
        if (isInstalled(path))
            libraryFrame = libraryFrame ? libraryFrame : i;
        else if (!isDefinition(trace.text(event.frames[i].source)))
            return i;
        else if (!definition)
            definition = i;
    }
    return definition ? definition : libraryFrame;
}

std::optional<NamedTensor> tensorFromSource(std::string_view source)
{
    static const re2::RE2 kStrided(
        "empty_strided\\w*\\(\\(([\\d, ]*)\\), \\([\\d, ]*\\), (?:dtype=)?(torch\\.\\w+)");
    static const re2::RE2 kPlain("torch\\.(?:empty|zeros|ones|rand|randn|full)\\((?:torch\\.Size\\()?[\\[(](["
                                 "\\d, ]+)[\\])]\\)?(?:, [^=]+)?,.*?dtype=(torch\\.\\w+)");
    std::string shape;
    NamedTensor tensor;
    const re2::StringPiece text(source.data(), source.size()); // newer RE2 takes no std::string_view
    if (!re2::RE2::PartialMatch(text, kStrided, &shape, &tensor.dtype)
        && !re2::RE2::PartialMatch(text, kPlain, &shape, &tensor.dtype))
        return std::nullopt;
    tensor.shape = numbersOf(shape);
    const Bytes element = elementBytes(tensor.dtype);
    const std::optional<Bytes> bytes = sizeOf(tensor.shape, element);
    if (tensor.shape.empty() || element == 0 || !bytes)
        return std::nullopt;
    tensor.bytes = *bytes;
    return tensor;
}

std::optional<NamedTensor> requestedTensor(const Trace& trace, const LogEvent& event)
{
    return event.frames.empty() ? std::nullopt : tensorFromSource(trace.text(event.frames.back().source));
}

bool explainsRequest(const NamedTensor& tensor, const LogEvent& event)
{
    if (!event.figures || !event.figures->requested)
        return false;
    const WrittenBytes& requested = *event.figures->requested;
    return std::abs(tensor.bytes - requested.bytes) <= requested.rounding;
}

std::string toText(const NamedTensor& tensor)
{
    return fmt::format(
        "({}) {} = {}", fmt::join(tensor.shape, ", "), tensor.dtype, formatBytes(tensor.bytes));
}

} // namespace highwater
