#include "app/cli/agent/mcp_server.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "app/cli/agent/line_reader.h"
#include "app/cli/agent/mcp_session.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/loading/background_task.h"
#include "core/base/interruption.h"

namespace highwater::cli {

namespace {

constexpr std::size_t kMostMessageBytes = std::size_t{1} << 20;
constexpr std::size_t kMostWaiting = 64;
/// Maximum delay until a signal that another thread received is noticed.
constexpr int kPollMilliseconds = 200;

/// A signal that wakes the server's thread: the thread of a call increments an eventfd, for which the server
/// polls.
class Wakening
{
public:
    Wakening()
        : m_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
    }
    ~Wakening()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Wakening(const Wakening&) = delete;
    Wakening& operator=(const Wakening&) = delete;

    int descriptor() const { return m_descriptor; }
    void wake() const
    {
        const std::uint64_t one = 1;
        // If this fails, the wait ends with its timeout.
        std::ignore = ::write(m_descriptor, &one, sizeof one);
    }
    void clear() const
    {
        std::uint64_t count = 0;
        std::ignore = ::read(m_descriptor, &count, sizeof count);
    }

private:
    int m_descriptor;
};

/// The answer of a call; nullopt if the call was cancelled.
using CallResult = std::optional<ToolAnswer>;

struct RunningCall
{
    PendingCall call;
    BackgroundTask<CallResult> task;
};

class Server
{
public:
    explicit Server(const ToolContext& context)
        : m_context(context)
        , m_session(context.folders.folders())
        , m_lines(STDIN_FILENO, kMostMessageBytes)
    {
    }

    int run()
    {
        const StopToken interrupt = interruptToken();
        while (!interrupt.stopRequested() && !m_isDeaf) {
            takeLines();
            finishCall();
            startCall();
            if (m_lines.hasEnded() && !m_running)
                return Done;
            if (!m_lines.hasEnded() || m_running)
                wait();
        }
        if (m_running) {
            m_running->task.requestStop();
            m_running->task.take();
        }
        return interrupt.stopRequested() ? Interrupted : Done;
    }

private:
    void wait()
    {
        std::array<pollfd, 2> files = {pollfd{m_wakening.descriptor(), POLLIN, 0},
            pollfd{m_lines.hasEnded() ? -1 : STDIN_FILENO, POLLIN, 0}};
        if (::poll(files.data(), files.size(), kPollMilliseconds) <= 0)
            return;
        if (files[0].revents != 0) {
            m_wakening.clear();
            m_hasAnswer = true;
        }
        if (files[1].revents != 0)
            m_lines.read();
    }

    void takeLines()
    {
        while (const std::optional<ReadLine> line = m_lines.next()) {
            if (line->isTooLong)
                send(McpSession::tooLong(kMostMessageBytes));
            else
                take(m_session.take(line->text));
        }
    }

    void take(SessionStep step)
    {
        if (step.reply)
            send(*step.reply);
        if (step.cancelled)
            cancel(*step.cancelled);
        if (!step.call)
            return;
        if (m_waiting.size() == kMostWaiting)
            send(McpSession::busy(*step.call));
        else
            m_waiting.push_back(*std::move(step.call));
    }

    void cancel(const Json& id)
    {
        if (m_running && m_running->call.id == id)
            m_running->task.requestStop();
        std::erase_if(m_waiting, [&](const PendingCall& call) { return call.id == id; });
    }

    void startCall()
    {
        if (m_running || m_waiting.empty())
            return;
        PendingCall call = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_running.emplace(RunningCall{call, BackgroundTask<CallResult>([this, call]() -> CallResult {
                                          CallResult answer;
                                          try {
                                              answer = callTool(m_context, *call.tool, call.arguments);
                                          } catch (const WorkCancelled&) { // a cancelled call has no answer
                                          }
                                          m_wakening.wake();
                                          return answer;
                                      })});
    }

    void finishCall()
    {
        if (!m_running || !(std::exchange(m_hasAnswer, false) || m_running->task.isDone()))
            return;
        const CallResult answer
            = m_running->task.take(); // the task has reported its end, so this hardly waits
        m_wakening.clear(); // a late signal must not end the next call
        if (answer && !m_running->task.stopRequested())
            send(McpSession::replyTo(m_running->call, *answer));
        m_running.reset();
    }

    void send(const Json& message)
    {
        writeOut(jsonText(message) + "\n");
        m_isDeaf = m_isDeaf || !finishOutput();
    }

    const ToolContext& m_context;
    McpSession m_session;
    LineReader m_lines;
    Wakening m_wakening;
    std::deque<PendingCall> m_waiting;
    std::optional<RunningCall> m_running;
    bool m_hasAnswer = false; ///< the running call has signalled its end
    bool m_isDeaf = false; ///< the client no longer reads the answers
};

} // namespace

int serveMcp(const ToolContext& context)
{
    return Server(context).run();
}

} // namespace highwater::cli
