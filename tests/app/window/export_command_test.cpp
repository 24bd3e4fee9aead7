#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "app/loading/files/workspace_store.h"
#include "app/window/start/command_line.h"
#include "app/window/start/export_command.h"
#include "core/report/figures/figure_kinds.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class ExportCommandTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString at(const char* name) { return m_folder.filePath(QLatin1String(name)); }

    /// Runs the window's export and returns its exit code; 2 if the arguments are refused.
    int run(const QStringList& arguments)
    {
        const CommandLineAnswer answer
            = parseCommandLine(QStringList{QStringLiteral("highwater-gui")} + arguments);
        return answer.error.isEmpty() ? runExport(answer.commandLine) : 2;
    }

    /// Returns the exit code of `highwater report`.
    static int runCommand(const QStringList& arguments)
    {
        return QProcess::execute(
            QStringLiteral(HIGHWATER_CLI), QStringList{QStringLiteral("report")} + arguments);
    }

    /// Returns a workspace with two runs, notes, a configuration, a capacity and report options.
    static WorkspaceFile fullWorkspace()
    {
        WorkspaceFile file;
        for (const auto& [name, role] :
            {std::pair("r1-grpo-before", NoteRun::Before), std::pair("r1-grpo-after", NoteRun::After)}) {
            WorkspaceSource source;
            source.file = referenceTo(samplePath(QLatin1String(name)).toStdString());
            source.role = role;
            source.isShown = true;
            source.capacity = 16 * kGiB;
            file.sources.push_back(std::move(source));
        }
        file.configuration = referenceTo(HIGHWATER_SOURCE_DIR "/samples/budget/r1-grpo.yaml");
        file.notes.resize(1);
        file.notes[0].title = "Of the workspace";
        file.notes[0].place = NotedMoment{10};
        file.report = {"before-after", {"summary", "timeline", "notes", "budget"}, "Did it help?", false};
        return file;
    }

    QString saved(const WorkspaceFile& file)
    {
        const QString path = at("w.highwater");
        [[maybe_unused]] const Result<void> done = saveWorkspace(path.toStdString(), file);
        return path;
    }

    QString errorOf(const QStringList& arguments)
    {
        return parseCommandLine(QStringList{QStringLiteral("highwater-gui")} + arguments).error;
    }

private slots:
    void whatIsReadIsNotReplaced()
    {
        const QString run = at("trace.json");
        QVERIFY(QFile::copy(
            QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/kineto/tiny-addresses.pt.trace.json"), run));
        QVERIFY(QFile::link(run, at("link.json")));
        const QByteArray before = contentOf(run);
        for (const char* out : {"trace.json", "link.json"})
            QCOMPARE(this->run({run, QStringLiteral("--export"), at(out)}), 2);
        QCOMPARE(contentOf(run), before);
        QCOMPARE(this->run({run, QStringLiteral("--export"), at("report.json")}), 0);
        // an earlier report is not an input, so it may be replaced
        QCOMPARE(this->run({run, QStringLiteral("--export"), at("report.json")}), 0);
    }

    void initTestCase() { qputenv("SOURCE_DATE_EPOCH", "1790000000"); } // both programs use the same date

    void aReportIsWrittenInTheFormOfItsEnding()
    {
        const QString sample = samplePath("tiny-hand-checked");
        QCOMPARE(run({sample, "--export", at("r.html"), "--title", "A <title>"}), 0);
        QVERIFY(contentOf(at("r.html")).contains("<title>A &lt;title&gt;</title>"));
        QCOMPARE(run({sample, "--export", at("r.pdf")}), 0);
        QVERIFY(contentOf(at("r.pdf")).startsWith("%PDF"));
        QCOMPARE(run({sample, "--export", at("r.json"), "--sections", "summary,provenance"}), 0);
        QVERIFY(contentOf(at("r.json")).contains("provenance"));
        QVERIFY(!contentOf(at("r.json")).contains("\"findings\""));
        QCOMPARE(run({sample, "--export", at("r.md"), "--strip-paths"}), 0);
        QVERIFY(!contentOf(at("r.md")).contains(QFileInfo(sample).path().toUtf8()));
    }

    void twoRunsHaveOneReport()
    {
        QCOMPARE(run({"--compare", samplePath("r3-vocabulary-before"), samplePath("r3-vocabulary-after"),
                     "--export", at("two.json")}),
            0);
        QVERIFY(contentOf(at("two.json")).contains("\"comparison\""));
    }

    void figuresAreWrittenInTheirSizeAndTheme()
    {
        const QString sample = samplePath("training-6-steps-annotated");
        QCOMPARE(
            run({sample, "--export", at("t.png"), "--size", "640x400", "--scale", "1", "--theme", "dark"}),
            0);
        const QImage dark(at("t.png"));
        QCOMPARE(dark.size(), QSize(640, 400));
        QVERIFY(dark.pixelColor(1, 1).lightness() < 80);
        for (const FigureKind& kind : figureKinds()) {
            if (!kind.drawRun || kind.takes(FigureKind::Configuration))
                continue;
            QCOMPARE(run({sample, "--export", at("f.svg"), "--figure", kind.name.data()}), 0);
            QVERIFY(contentOf(at("f.svg")).startsWith("<?xml") || contentOf(at("f.svg")).startsWith("<svg"));
        }
        QCOMPARE(run({sample, "--export", at("f.pdf"), "--figure", "timeline"}), 0);
        QVERIFY(contentOf(at("f.pdf")).contains("/Count 1"));
    }

    void figuresOfTwoRunsAreOfTheirDifference()
    {
        const QStringList both{
            "--compare", samplePath("r3-vocabulary-before"), samplePath("r3-vocabulary-after")};
        for (const char* kind : {"diff", "waterfall", "steps"})
            QCOMPARE(run(both + QStringList{"--export", at("d.svg"), "--figure", QLatin1String(kind)}), 0);
        QCOMPARE(run(both + QStringList{"--export", at("usual.svg")}), 0);
        QVERIFY(contentOf(at("usual.svg")).contains("before and after"));
    }

    void whatCannotBeDoneEndsWithItsCode()
    {
        const QString sample = samplePath("tiny-hand-checked");
        QCOMPARE(run({sample, "--export", at("x.svg"), "--figure", "diff"}), 2);
        QCOMPARE(run({"no such file", "--export", at("x.html")}), 3);
        QCOMPARE(run({sample, "--export", QStringLiteral("/no such folder/x.html")}), 3);
        QCOMPARE(run({brokenPath("truncated.pickle"), "--export", at("cut.html")}), 4);
        QVERIFY(QFile::exists(at("cut.html")));
        QVERIFY(!QFile::exists(at("x.html")));
    }

    void notesAreInReportAndFigures()
    {
        QFile notes(at("notes.json"));
        QVERIFY(notes.open(QIODevice::WriteOnly));
        notes.write(R"([{"title": "Seen <here>", "at": {"event": 5}}])");
        notes.close();
        const QString sample = samplePath("tiny-hand-checked");
        QCOMPARE(run({sample, "--notes", at("notes.json"), "--export", at("n.html")}), 0);
        QVERIFY(contentOf(at("n.html")).contains("Seen &lt;here&gt;"));
        QCOMPARE(run({sample, "--notes", at("notes.json"), "--export", at("n.svg")}), 0);
        QVERIFY(contentOf(at("n.svg")).contains("Seen &lt;here&gt;"));
        QCOMPARE(run({sample, "--notes", at("missing.json"), "--export", at("n.html")}), 3);
    }

    void aWorkspaceGivesTheReportThatTheCommandWrites()
    {
        const QString workspace = saved(fullWorkspace());
        for (const char* name : {"html", "md", "json"}) {
            const QString ending = QLatin1String(name);
            const QString window = at("window.") + ending;
            QCOMPARE(run({"--workspace", workspace, "--export", window}), 0);
            const QByteArray content = contentOf(window);
            QVERIFY(QFile::remove(window)); // Markdown names its pictures after the file
            QCOMPARE(runCommand({"--workspace", workspace, "-o", window, "--force"}), 0);
            QVERIFY(content.contains("Did it help?") && content.contains("Of the workspace"));
            QCOMPARE(content, contentOf(window));
        }
        QCOMPARE(run({workspace, "--export", at("w.pdf")}), 0);
        QVERIFY(contentOf(at("w.pdf")).startsWith("%PDF"));
    }

    void whatIsSaidGoesBeforeTheWorkspace()
    {
        const QString workspace = saved(fullWorkspace());
        const QStringList options{"--title", "Mine", "--template", "pull-request", "--strip-paths"};
        QCOMPARE(run(QStringList{workspace, "--export", at("mine.html")} + options), 0);
        QCOMPARE(runCommand(QStringList{"--workspace", workspace, "-o", at("command.html")} + options), 0);
        const QByteArray content = contentOf(at("mine.html"));
        QVERIFY(content.contains("<title>Mine</title>"));
        QVERIFY(!content.contains("Did it help?"));
        QVERIFY(!content.contains(HIGHWATER_SOURCE_DIR));
        QCOMPARE(content, contentOf(at("command.html")));
    }

    void aFigureOfAWorkspaceIsOfItsRunsAndNotes()
    {
        const QString workspace = saved(fullWorkspace());
        QCOMPARE(run({workspace, "--export", at("w.svg")}), 0);
        QVERIFY(contentOf(at("w.svg")).contains("before and after"));
        QVERIFY(contentOf(at("w.svg")).contains("Of the workspace"));
    }

    void oneConfigurationDescribesBothRuns()
    {
        const QString config = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/r1-grpo.yaml");
        const QString before = samplePath("r1-grpo-before");
        const QString after = samplePath("r1-grpo-after");
        for (const QStringList& options :
            {QStringList{"--config", config}, QStringList{"--config-before", config}}) {
            QCOMPARE(run(QStringList{"--compare", before, after, "--export", at("c.html")} + options), 0);
            QCOMPARE(
                runCommand(QStringList{after, "--before", before, "-o", at("c2.html"), "--force"} + options),
                0);
            QCOMPARE(contentOf(at("c.html")), contentOf(at("c2.html")));
        }
    }

    void aWorkspaceThatIsNotWholeEndsWithItsCode()
    {
        WorkspaceFile file = fullWorkspace();
        file.sources[1].file.path = "gone.pickle";
        file.sources[1].file.lastSeen.clear();
        file.sources[1].file.bytes = 1;
        file.sources[0].role = NoteRun::After;
        file.report.parts.clear();
        QCOMPARE(run({saved(file), "--export", at("partly.html")}), 3);
        QVERIFY(contentOf(at("partly.html")).contains("gone.pickle"));
        QFile broken(at("broken.highwater"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{");
        broken.close();
        QCOMPARE(run({broken.fileName(), "--export", at("none.html")}), 3);
        QVERIFY(!QFile::exists(at("none.html")));
    }

    void optionsThatDoNotFitTogetherAreRefused()
    {
        QVERIFY(errorOf({"a", "--export", "a.gif"}).contains(".svg or .png"));
        QVERIFY(
            errorOf({"a", "--export", "a.html", "--figure", "timeline"}).startsWith("--figure goes with"));
        QVERIFY(errorOf({"a", "--export", "a.svg", "--figure", "pie"}).startsWith("--figure takes"));
        QVERIFY(errorOf({"a", "--export", "a.png", "--scale", "0"}).startsWith("--scale takes"));
        QVERIFY(errorOf({"a", "--export", "a.png", "--size", "10x10"}).startsWith("--size of a figure"));
        QVERIFY(errorOf({"a", "--export", "a.html", "--template", "novel"}).startsWith("--template takes"));
        QVERIFY(errorOf({"a", "--export", "a.html", "--sections", "all"}).startsWith("--sections takes"));
        QVERIFY(errorOf({"--export", "a.html"}).startsWith("--export takes files"));
        QVERIFY(errorOf({"a", "--strip-paths"}).startsWith("--strip-paths goes with"));
        QVERIFY(errorOf({"a", "--export", "a.html", "--screenshot", "b.png"}).contains("neither"));
        QVERIFY(errorOf({"a", "--config-before", "b.yaml"}).startsWith("--config-before goes with --export"));
        QVERIFY(errorOf({"a", "--export", "a.html", "--config-before", "b.yaml"}).contains("--compare"));
        QVERIFY(
            errorOf({"a", "--workspace", "w.highwater", "--export", "a.html"}).contains("no other files"));
    }
};

HIGHWATER_APP_TEST(ExportCommandTest)

} // namespace highwater::gui::test

#include "export_command_test.moc"
