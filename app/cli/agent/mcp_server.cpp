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

constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxQueued = 64;
/// Maximum delay until a signal that another thread received is noticed.
constexpr int kPollMilliseconds = 200;

/// Wakes the server's thread: the thread of a call increments an eventfd, for which the server polls.
class WakeSignal
{
public:
    WakeSignal()
        : m_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
    }
    ~WakeSignal()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    WakeSignal(const WakeSignal&) = delete;
    WakeSignal& operator=(const WakeSignal&) = delete;

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
        , m_lines(STDIN_FILENO, kMaxMessageBytes)
    {
    }

    int run()
    {
        const StopToken interrupt = interruptToken();
        while (!interrupt.stopRequested() && !m_isClientGone) {
            handleLines();
            finishCall();
            startCall();
            if (m_lines.hasEnded() && !m_running)
                return Done;
            if (!m_lines.hasEnded() || m_running)
                waitForInput();
        }
        if (m_running) {
            m_running->task.requestStop();
            m_running->task.take();
        }
        return interrupt.stopRequested() ? Interrupted : Done;
    }

private:
    void waitForInput()
    {
        std::array<pollfd, 2> files = {pollfd{m_wakeSignal.descriptor(), POLLIN, 0},
            pollfd{m_lines.hasEnded() ? -1 : STDIN_FILENO, POLLIN, 0}};
        if (::poll(files.data(), files.size(), kPollMilliseconds) <= 0)
            return;
        if (files[0].revents != 0) {
            m_wakeSignal.clear();
            m_hasAnswer = true;
        }
        if (files[1].revents != 0)
            m_lines.read();
    }

    void handleLines()
    {
        while (const std::optional<ReadLine> line = m_lines.next()) {
            if (line->isTooLong)
                send(McpSession::tooLong(kMaxMessageBytes));
            else
                handleStep(m_session.take(line->text));
        }
    }

    void handleStep(SessionStep step)
    {
        if (step.reply)
            send(*step.reply);
        if (step.cancelled)
            cancel(*step.cancelled);
        if (!step.call)
            return;
        if (m_queue.size() == kMaxQueued)
            send(McpSession::busy(*step.call));
        else
            m_queue.push_back(*std::move(step.call));
    }

    void cancel(const Json& id)
    {
        if (m_running && m_running->call.id == id)
            m_running->task.requestStop();
        std::erase_if(m_queue, [&](const PendingCall& call) { return call.id == id; });
    }

    void startCall()
    {
        if (m_running || m_queue.empty())
            return;
        PendingCall call = std::move(m_queue.front());
        m_queue.pop_front();
        m_running.emplace(RunningCall{call, BackgroundTask<CallResult>([this, call]() -> CallResult {
                                          CallResult answer;
                                          try {
                                              answer = callTool(m_context, *call.tool, call.arguments);
                                          } catch (const WorkCancelled&) { // a cancelled call has no answer
                                          }
                                          m_wakeSignal.wake();
                                          return answer;
                                      })});
    }

    void finishCall()
    {
        if (!m_running || !(std::exchange(m_hasAnswer, false) || m_running->task.isDone()))
            return;
        const CallResult answer = m_running->task.take(); // the task has ended, so this hardly waits
        m_wakeSignal.clear(); // a late signal must not end the next call
        if (answer && !m_running->task.stopRequested())
            send(McpSession::replyTo(m_running->call, *answer));
        m_running.reset();
    }

    void send(const Json& message)
    {
        writeOut(jsonText(message) + "\n");
        m_isClientGone = m_isClientGone || !finishOutput();
    }

    const ToolContext& m_context;
    McpSession m_session;
    LineReader m_lines;
    WakeSignal m_wakeSignal;
    std::deque<PendingCall> m_queue;
    std::optional<RunningCall> m_running;
    bool m_hasAnswer = false; ///< the running call has signalled its end
    bool m_isClientGone = false; ///< the client no longer reads the answers
};

} // namespace

int serveMcp(const ToolContext& context)
{
    return Server(context).run();
}

} // namespace highwater::cli
