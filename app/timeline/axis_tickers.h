#pragma once

#include <qcustomplot.h>

namespace highwater::gui {

/// Ticks at 1, 2 or 5 times a power of ten of a binary unit: "5 GiB", "10 GiB"; below a GiB also at quarters
/// and halves of it. Never scientific notation.
class ByteTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
    double m_unit = 1;
};

/// Whole events with thousands separated: "80,000".
class EventTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

/// Nanoseconds since the first event, in one unit for all ticks: "+1.25 s".
class TimeTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
    double m_unit = 1;
    int m_decimals = 0;
    const char* m_unitName = "ns";
};

} // namespace highwater::gui
