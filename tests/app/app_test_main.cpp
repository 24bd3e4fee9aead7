#include "tests/app/app_test_main.h"

#include <cstdio>
#include <map>

#include <QApplication>
#include <QFileInfo>
#include <QTest>

namespace highwater::gui::test {

namespace {

using Tests = std::map<QString, std::unique_ptr<QObject> (*)()>;

Tests& tests()
{
    static Tests all;
    return all;
}

} // namespace

AppTest::AppTest(const char* file, std::unique_ptr<QObject> (*make)())
{
    tests().emplace(QFileInfo(QString::fromUtf8(file)).completeBaseName(), make);
}

} // namespace highwater::gui::test

/// Usage: NAME [OPTIONS OF QT TEST]. Runs one class only, because state that a class leaves in the
/// application would affect the next one.
int main(int argc, char** argv)
{
    using highwater::gui::test::tests;
    const QString name = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
    const auto test = tests().find(name);
    if (test == tests().end()) {
        std::fprintf(stderr, "usage: %s NAME [OPTIONS OF QT TEST]; NAME is one of\n", argv[0]);
        for (const auto& [known, make] : tests())
            std::fprintf(stderr, "  %s\n", qPrintable(known));
        return 2;
    }
    QStringList arguments{QString::fromLocal8Bit(argv[0])};
    for (int i = 2; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    const QApplication application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
    const std::unique_ptr<QObject> object = test->second();
    return QTest::qExec(object.get(), arguments);
}
