#include "app/window/benchmark/process_figures.h"

#include <ctime>

#include <QFile>
#include <QList>

#include <unistd.h>

namespace highwater::gui {

double millisecondsSinceProcessStart()
{
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    // The program's name in brackets can contain spaces; the start time is the 20th field after it.
    constexpr int startField = 20;
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 1).simplified().split(' ');
    struct timespec now = {};
    if (fields.size() < startField || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0)
        return 0;
    const double started = fields[startField - 1].toDouble() / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - started) * 1e3;
}

double processorMs()
{
    struct timespec used = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

} // namespace highwater::gui
