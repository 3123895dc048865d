// What the program does where disks are full, runs fail, bytes are odd and folders are somebody else's.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

class Faults : public Program {
 protected:
  Faults() { write("p.yaml", pendulum); }

  // Fails at t = 0.5 s, where its force has no value.
  void write_failing(const std::string& name) {
    write(name, std::string(pendulum) + "forces: {f: {type: effort, on: theta, is: 'sqrt(0.5 - t)'}}\n");
  }
};

TEST_F(Faults, AFolderOfTheUserIsNeverReplaced) {
  ASSERT_EQ(shell("mkdir p; echo '{}' > p/run.json; echo x > p/thesis.tex").code, 0);
  const Answer answer = armature("run p.yaml -o p");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("p: exists and is not a results folder"));
  EXPECT_EQ(read("p/thesis.tex"), "x\n");
}

TEST_F(Faults, AFailedRunLeavesAFinishedResult) {
  write_failing("f.yaml");
  ASSERT_EQ(armature("run p.yaml -o r").code, 0);
  const std::string finished = read("r/run.json");
  const Answer answer = armature("run f.yaml -o r");
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(read("r/run.json"), finished);
  EXPECT_EQ(json("r.failed/run.json")["status"], "failed");
  EXPECT_THAT(answer.out, HasSubstr("results: r.failed/trajectory.csv"));
  EXPECT_THAT(answer.out, HasSubstr("the finished results in r are left as they were"));
  const Answer as_json = armature("run f.yaml -o r --json");
  EXPECT_EQ(nlohmann::json::parse(as_json.out)["results"], "r.failed");
  ASSERT_EQ(armature("run f.yaml -o only").code, 1);  // nothing is in its way
  EXPECT_EQ(json("only/run.json")["status"], "failed");
}

// Ctrl-C while the report of a large model is drawn leaves out the report, not the run. (Shells ignore it for what runs beside them.)
TEST_F(Faults, AnInterruptDuringTheReportKeepsTheFinishedRun) {
  const std::string run =
      std::string(program_path) + " run '" + source_directory + "/models/n_four_bar.yaml' --set N=200 --end 0.05 -o r";
  const Answer answer = shell(run +
                              " & for i in $(seq 3000); do [ -s r.partial/run.json ] && break; sleep 0.01; done; "
                              "sleep 0.03; kill -TERM $!; wait $!");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(json("r/run.json")["status"], "finished");
  EXPECT_FALSE(exists("r.partial"));
}

TEST_F(Faults, OutputThatIsLostIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full, a device that is always full";
  for (const char* verb :
       {"check p.yaml", "run p.yaml --json", "equations p.yaml", "format", "format joints", "--help"}) {
    const Answer answer = shell(std::string(program_path) + " " + verb + " > /dev/full");
    EXPECT_EQ(answer.code, 1) << verb;
    EXPECT_THAT(answer.err, HasSubstr("cannot write the output")) << verb;
    EXPECT_THAT(answer.err, Not(HasSubstr("internal error"))) << verb;
  }
}

// A limit on the size of files stands for a full disk.
TEST_F(Faults, AFullDiskEndsTheRunWhenItHappens) {
  const std::string run = std::string(program_path) + " run p.yaml --end 1e4 --record 1e-3 -o r --no-report";
  const Answer answer = shell("trap '' XFSZ; ulimit -f 100; timeout 60 " + run);
  EXPECT_EQ(answer.code, 1) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("trajectory.csv: cannot be written: File too large"));
  const Answer as_json = shell("( trap '' XFSZ; ulimit -f 0; timeout 60 " + run + " --json ) | cat");
  EXPECT_EQ(nlohmann::json::parse(as_json.out)["status"], "failed") << as_json.err;
}

TEST_F(Faults, ExportAndPlotLeaveTheOldFileWhereTheDiskIsFull) {
  ASSERT_EQ(armature("run p.yaml -o r").code, 0);
  for (const std::string file : {"x.c", "x.svg", "x.png"}) {
    write(file, "old");
    const std::string verb = file == "x.c" ? "export p.yaml --c" : "plot r";
    const Answer answer = shell("trap '' XFSZ; ulimit -f 1; " + std::string(program_path) + " " + verb + " -o " + file);
    EXPECT_NE(answer.code, 0) << file;
    EXPECT_THAT(answer.err, HasSubstr(file + ": cannot be written")) << file;
    EXPECT_EQ(read(file), "old") << file;
  }
  EXPECT_EQ(shell("ls -A | grep -c XX").out, "0\n");
}

// The system would end the program by a signal, without a sentence.
TEST_F(Faults, ALimitOnTheSizeOfFilesIsAWriteError) {
  for (const char* command : {"export p.yaml --c -o limited.c", "run p.yaml --record 1e-4 -o limited"}) {
    const Answer answer = shell(std::string("ulimit -f 10; ") + program_path + " " + command);
    EXPECT_EQ(answer.code, 1) << command;
    EXPECT_THAT(answer.err, HasSubstr("File too large")) << command;
  }
  EXPECT_FALSE(exists("limited.c"));
}

TEST_F(Faults, AByteThatIsNotUtf8CostsNothing) {
  const std::string odd = std::string(pendulum) + "# Tr\xe4gheit\n";
  write("odd.yaml", odd);
  EXPECT_EQ(armature("map odd.yaml --over length=1:2:3 --classify 'a: final(theta) > 3; b' -o map").code, 0)
      << read("err");
  EXPECT_EQ(rows("map/cells.csv").size(), 3u);
  EXPECT_EQ(armature("sweep odd.yaml --over length=1:2:3 --result 'x=final(theta)' -o sweep --json").code, 0)
      << read("err");
  EXPECT_EQ(armature("optimize odd.yaml --over length=1:2 --minimize 'final(theta)' --starts 1 -o best").code, 0)
      << read("err");
  EXPECT_EQ(armature("singularities odd.yaml -o singular").code, 0) << read("err");
  EXPECT_EQ(armature("modes odd.yaml -o modes --json").code, 0) << read("err");
  const std::string odd_folder = "\"$(printf 'f\\344')\"";
  ASSERT_EQ(shell("mkdir " + odd_folder + " && cp odd.yaml " + odd_folder).code, 0) << read("err");
  EXPECT_EQ(shell("cd " + odd_folder + " && " + program_path +
                  " map \"$PWD/odd.yaml\" --over length=1:2:3 --classify 'a: final(theta) > 3; b' --json")
                .code,
            0)
      << read("err");
}

TEST_F(Faults, MoreRowsThanADiskHoldsAreRefused) {
  const Answer answer = armature("run p.yaml --record 1e-15 -o r");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err,
            "p.yaml:9: simulate.record: 1e-15 s gives 1e+15 rows until the end at 1 s, more than the limit of 1e+08; "
            "record less often, or end earlier\n");
  EXPECT_EQ(armature("kinematics p.yaml --move 'theta=t' --record 1e-9 -o r").code, 2);
  EXPECT_FALSE(exists("r.partial"));
}

// Under a constant force a step of the integrator is as long as the run, and holds all of its rows.
TEST_F(Faults, AnInterruptIsObeyedInsideAStep) {
  write("slide.yaml",
        "armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: none}}\n"
        "joints: {s: {type: prismatic, axis: x, between: [ground, b]}}\n"
        "forces: {f: {type: effort, on: s, is: 1}}\nsimulate: {end: 9, record: 1e-7}\n");
  const std::string run = std::string(program_path) + " run slide.yaml -o r";
  const Answer answer =
      shell(run +
            " & for i in $(seq 200); do [ -s r.partial/trajectory.csv ] && break; sleep 0.05; done; "
            "sleep 0.5; kill -INT $!; date +%s%N > asked; wait $!; code=$?; date +%s%N > ended; exit $code");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("stopped at t = "));
  EXPECT_LT(std::stod(read("ended")) - std::stod(read("asked")), 3e9);  // ns; all rows take a minute and more
  EXPECT_EQ(json("r/run.json")["status"], "stopped");
}

TEST_F(Faults, AQuantityWithoutAValueIsWarnedOf) {
  write("nan.yaml", std::string(pendulum) + "record: {quantities: {x: 'sqrt(0.05 - t)'}}\n");
  const Answer answer = armature("run nan.yaml -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, HasSubstr("warning: x is not a number from t = 0.1 s on"));
}

TEST_F(Faults, EveryQuantityWithoutAValueIsNamed) {
  write("nan.yaml",
        std::string(pendulum) + "record: {quantities: {b: 'sqrt(0.05 - t)', c: 'asin(2*t + 0.9)', d: t}}\n");
  const Answer two = armature("run nan.yaml -o r");
  EXPECT_THAT(two.err, HasSubstr("warning: b is not a number from t = 0.1 s on"));
  EXPECT_THAT(two.err, HasSubstr("warning: c is not a number from t = 0.1 s on"));
  EXPECT_THAT(two.err, Not(HasSubstr("warning: d")));
  write("many.yaml",
        std::string(pendulum) + "record: {quantities: {'b{i}': {for: {i: 1..9}, is: 'sqrt(0.05*i - t)'}}}\n");
  const Answer many = armature("run many.yaml -o m");
  EXPECT_THAT(many.err, HasSubstr("warning: b1 is not a number"));
  EXPECT_THAT(many.err, HasSubstr("; 4 more of the recorded quantities"));
}

TEST_F(Faults, AResultWithoutAValueIsWarnedOf) {
  const Answer answer = armature("run p.yaml --result 'd=final(sqrt(0.05 - t))' -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("d has no value"));
  EXPECT_THAT(answer.out, Not(HasSubstr("nan")));
  EXPECT_THAT(answer.err, HasSubstr("warning: result d: 'final(sqrt(0.05 - t))' has no value"));
  EXPECT_THAT(json("r/run.json")["warnings"].dump(), HasSubstr("result d: 'final(sqrt(0.05 - t))' has no value"));
}

// The potential has no value after 0.05 s, its slope has: the motion goes on.
TEST_F(Faults, AnEnergyWithoutAValueIsWarnedOf) {
  write(
      "nan.yaml",
      "armature: 1\nlagrangian: {coordinates: {q: m}, kinetic: \"1/2*m*q'^2\", potential: 'F*q + E*sqrt(0.05 - t/T)'}\n"
      "parameters: {m: 1 kg, F: 1 N, E: 1 J, T: 1 s}\n"
      "simulate: {end: 0.2, record: 0.1}\n");
  const Answer answer = armature("run nan.yaml -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, HasSubstr("warning: energy.potential is not a number from t = 0.1 s on"));
}

// Ten steps of a spring that is far too stiff for them.
TEST_F(Faults, AStepThatIsTooLongIsNamedAsTheCause) {
  write("stiff.yaml",
        "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies: {rod: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}}\n"
        "joints: {a: {type: revolute, between: [ground, rod]}}\n"
        "forces: {k: {type: effort, on: a, is: -1e9*a^3}}\n"
        "start: {keep: {a: 1}}\nsimulate: {end: 10, integrator: rk4, step: 0.1}\n");
  const Answer answer = armature("run stiff.yaml -o r");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the step is too long for the method"));
  EXPECT_THAT(answer.err, Not(HasSubstr("not positive definite")));
}

TEST_F(Faults, OptionsOutOfRangeAreRefused) {
  ASSERT_EQ(armature("run p.yaml -o r").code, 0);
  for (const char* command : {"plot r -o a.svg --from nan", "plot r -o a.svg --to inf", "compare p.yaml --states -1",
                              "optimize p.yaml --over length=1:2 --minimize 'final(theta)' --starts 1000000000",
                              "sweep p.yaml --list /dev/zero --result 'x=final(theta)'"}) {
    const Answer answer = armature(command);
    EXPECT_EQ(answer.code, 2) << command;
    EXPECT_THAT(answer.err, Not(HasSubstr("internal error"))) << command;
  }
}

// An empty address would be every address of the machine.
TEST_F(Faults, ViewListensNowhereByAccident) {
  const Answer answer = shell(std::string("timeout -s KILL 60 ") + program_path + " view p.yaml --host '' --no-open");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err, "--host needs an address; 127.0.0.1 is this computer alone\n");
  EXPECT_THAT(answer.out, Not(HasSubstr("http")));
}

TEST_F(Faults, APartitionOfAWrongSizeIsRefused) {
  write("p2.yaml", std::string(pendulum) + "constraints: {c: {type: prescribed, zero: theta - t}}\n");
  const Answer answer =
      armature("check p2.yaml --set simulate.formulation=partition --set 'simulate.independent=[theta]'");
  EXPECT_EQ(answer.code, 2) << answer.out << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("simulate.independent: names 1 coordinates, but the mechanism has 0 degrees"));
}

TEST_F(Faults, AMotionThatJumpsIsAMotion) {
  const Answer answer = armature("kinematics p.yaml --move 'theta=if(t > 0.5, 1, 0)' -o k");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NEAR(rows("k/trajectory.csv").back()[1], 1, 1e-12);
  EXPECT_THAT(answer.err, HasSubstr("warning: the prescribed motion jumps by 1 at t = 0.5 s (--move theta)"));
  EXPECT_THAT(armature("kinematics p.yaml --move 'theta=mod(t, 0.3)' -o k").err,
              HasSubstr("warning: the prescribed motion jumps by 0.3 at t = 0.3 s (--move theta)"));
  // the speed may jump, and an angle that is cut is not a limit of the machine alone
  EXPECT_EQ(armature("kinematics p.yaml --move 'theta=max(0, t - 0.3)' -o k").err, "");
  EXPECT_THAT(armature("kinematics p.yaml --move 'theta=atan2(sin(8*t), cos(8*t))' -o k").err,
              HasSubstr("jumps by 6.28319 at t = 0.392699 s (--move theta)"));
}

TEST_F(Faults, AResultWithoutAValueSaysWhy) {
  const Answer answer = armature("run p.yaml --result 'r=max(sqrt(0.5 - t))' --result 'good=max(theta)' -o r");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(
      answer.err,
      HasSubstr("warning: result r: 'max(sqrt(0.5 - t))' has no value: the signal inside max(…) is not a number "
                "at t = 0.5"));
  EXPECT_THAT(answer.out, HasSubstr("r has no value\n"));
  EXPECT_TRUE(json("r/run.json")["numbers"]["r"].is_null());
  EXPECT_TRUE(json("r/run.json")["numbers"]["good"].is_number());
  const Answer moved = armature("kinematics p.yaml --move 'theta=t' --result 'r=min(log(0.5 - theta))' -o k");
  EXPECT_EQ(moved.code, 0) << moved.err;
  EXPECT_THAT(
      moved.err,
      HasSubstr(
          "result r: 'min(log(0.5 - theta))' has no value: the signal inside min(…) is not a number at t = 0.6 s"));
}

TEST_F(Faults, AComparisonOfWhatIsNotANumberIsNotAMissedChange) {
  write("c.yaml",
        std::string(pendulum) + "forces: {f: {type: effort, on: theta, is: 'if(sqrt(t - 0.3) > 0.1, 1, 0)'}}\n");
  // what is not a number is not larger than 0.1, and the change behind it is found
  const Answer answer = armature("run c.yaml -o r");
  EXPECT_EQ(answer.code, 0) << answer.err;
  write("e.yaml", std::string(pendulum) +
                      "forces: {f: {type: effort, on: theta, is: 'if(sqrt(max(0, t - 0.3)) > 0.1, 1, 0)'}}\n");
  EXPECT_EQ(armature("run e.yaml -o e").code, 0);
  EXPECT_NEAR(rows("r/trajectory.csv").back()[1], rows("e/trajectory.csv").back()[1], 1e-6);
  // recorded, it has no value either
  write("d.yaml", std::string(pendulum) + "record: {quantities: {f: 'if(sqrt(0.5 - t) > 0.1, 1, 0)'}}\n");
  EXPECT_THAT(armature("run d.yaml -o d").err, HasSubstr("warning: f is not a number from t = 0.6 s on"));
}

TEST_F(Faults, AMotionWithoutAValueIsNotALoopThatCannotClose) {
  const Answer answer = armature("kinematics p.yaml --move 'theta=sqrt(0.45 - t)' -o k");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the prescribed motion has no finite value or rate at t = 0.5 s"));
  EXPECT_THAT(answer.err, Not(HasSubstr("loops cannot close")));
}

// One that is under way is not one that was interrupted.
TEST_F(Faults, ASecondMapIsToldThatOneIsUnderWay) {
  const std::string map = " map p.yaml --over length=1:2:2000 --end 50 --classify 'a: final(theta) > 3; b' -o m";
  const Answer answer =
      shell(std::string(program_path) + map +
            " > /dev/null & for i in $(seq 200); do [ -s m.partial/journal.0 ] && break; sleep 0.05; done; " +
            program_path + map + "; code=$?; kill -KILL $!; exit $code");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("m.partial: another command is writing its cells here"));
}

TEST_F(Faults, ALongNameOfAFolderIsRefusedInWords) {
  const Answer answer = armature("run p.yaml -o " + std::string(300, 'x'));
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("File name too long"));
  EXPECT_THAT(answer.err, Not(HasSubstr("internal error")));
}

TEST_F(Faults, ExportReplacesNoFileThatSomebodyElseWrote) {
  for (const char* file : {"x.h", "x_step.cpp"}) {
    write(file, "/* mine */\n");
    const Answer answer = armature("export p.yaml --c -o x.c");
    EXPECT_EQ(answer.code, 2) << file;
    EXPECT_THAT(answer.err, HasSubstr(std::string(file) + ": exists and was not written by Armature"));
    EXPECT_EQ(read(file), "/* mine */\n");
    EXPECT_FALSE(exists("x.c"));
    std::filesystem::remove(folder / file);
  }
  write("p.c", "/* mine */\n");
  EXPECT_EQ(armature("export p.yaml --c").code, 2);
  EXPECT_EQ(read("p.c"), "/* mine */\n");
  EXPECT_EQ(armature("export p.yaml --c -o p.c").code, 0) << read("err");  // the user names it
  EXPECT_EQ(armature("export p.yaml --c").code, 0) << read("err");         // all three are Armature's
}

TEST_F(Faults, ExportReplacesNoRobotOrFmuThatSomebodyElseWrote) {
  for (const auto& [option, file] :
       {std::pair{"--urdf", "p.urdf"}, {"--sdf", "p.sdf"}, {"--mjcf", "p.xml"}, {"--fmu", "p.fmu"}}) {
    const std::string verb = std::string("export p.yaml ") + option;
    write(file, "mine\n");
    const Answer answer = armature(verb);
    EXPECT_EQ(answer.code, 2) << file;
    EXPECT_THAT(answer.err, HasSubstr(std::string(file) +
                                      ": exists and was not written by Armature; move it, or choose another name"));
    EXPECT_EQ(read(file), "mine\n");
    EXPECT_EQ(armature(verb + " -o " + file).code, 0) << file;  // the user names it
    EXPECT_EQ(armature(verb).code, 0) << file;                  // Armature's own by now
    std::filesystem::remove(folder / file);
    EXPECT_EQ(armature(verb).code, 0) << file;
  }
}

// Whoever exports somebody's model must not compile or run their code.
TEST_F(Faults, ANameIsDataInExportedCode) {
  std::string evil = pendulum;
  const std::string code =
      "*/ int injected = 1; /* \\\"\\\"\\\" + injected() + \\\"\\\"\\\" \\n\\\\\\nimport injected\\n$NX$ @_step ?\?/";
  evil.replace(evil.find("a pendulum"), 10, "\"" + code + "\"");
  write("evil.yaml", evil);
  ASSERT_EQ(armature("export evil.yaml --c -o m.c").code, 0) << read("err");
  EXPECT_EQ(shell("cc -std=c99 -pedantic -Wall -Wextra -Werror -c m.c && "
                  "c++ -std=c++20 -pedantic -Wall -Wextra -Werror -c m_step.cpp && nm m.o m_step.o")
                .out.find("injected"),
            std::string::npos)
      << read("err");
  for (const char* file : {"m.c", "m.h", "m_step.cpp"})
    EXPECT_THAT(read(file), HasSubstr("$NX$ @_step"));  // as the name has it
  EXPECT_THAT(read("m_step.cpp"), HasSubstr("Armature's own runs, written by Armature"));
  ASSERT_EQ(shell(std::string(program_path) + " equations evil.yaml --format c > e.c").code, 0);
  EXPECT_EQ(shell("cc -std=c99 -pedantic -Wall -Werror -c e.c && nm e.o").out.find("injected"), std::string::npos)
      << read("err");
  ASSERT_EQ(shell(std::string(program_path) + " equations evil.yaml --format python > e.py").code, 0);
  const Answer python = shell("python3 -W error -c 'import e; print(e.equations(0, [0.1], [0])[\"M\"])'");
  EXPECT_EQ(python.code, 0) << python.err;
  ASSERT_EQ(shell(std::string(program_path) + " equations evil.yaml --format latex > e.tex").code, 0);
  EXPECT_THAT(read("e.tex"), Not(HasSubstr("\nimport")));
}

// Names stand in a script of the page, which they must neither end nor begin.
TEST_F(Faults, ANameIsDataInReports) {
  std::string evil = pendulum;
  evil.replace(evil.find("a pendulum"), 10,
               "\"</script><script>injected()</script><!-- <img src=x onerror=injected()>\"");
  write("evil.yaml", evil);
  const std::string classes = "'</script><script>injected()</script>: final(theta) > 3; <b>'";
  for (const std::string& command :
       {std::string("run evil.yaml"), std::string("kinematics evil.yaml --move theta=t"),
        "map evil.yaml --over length=1:2:3 --classify " + classes,
        std::string("sweep evil.yaml --over length=1:2:3 --result '<script>injected()</script>=final(theta)'"),
        std::string("optimize evil.yaml --over length=1:2 --minimize 'final(theta)'"),
        std::string("singularities evil.yaml"), std::string("modes evil.yaml")}) {
    const std::string verb = command.substr(0, command.find(' '));
    ASSERT_EQ(armature(command + " -o " + verb).code, 0) << command << read("err");
    if (!exists(verb + "/report.html")) continue;  // built without Node, or a verb without a report
    const std::string page = read(verb + "/report.html");
    for (const char* code : {"<script>injected", "</script><script", "<img src=x", "<!-- <img"})
      EXPECT_EQ(page.find(code), std::string::npos) << verb << ": " << code;
    EXPECT_THAT(page, HasSubstr("\\u003cimg src=x onerror=injected()>")) << verb;  // there, as text
  }
}

// The legend of a figure of several runs names their folders.
TEST_F(Faults, ANameIsDataInFigures) {
  const std::string odd = "'<script>&\"x'";
  ASSERT_EQ(armature("run p.yaml -o " + odd + " --no-report").code, 0) << read("err");
  ASSERT_EQ(armature("run p.yaml -o plain --no-report").code, 0);
  ASSERT_EQ(armature("plot " + odd + " plain -o figure.svg").code, 0) << read("err");
  const std::string figure = read("figure.svg");
  EXPECT_THAT(figure, HasSubstr("&lt;script&gt;&amp;"));
  EXPECT_THAT(figure, Not(HasSubstr("<script")));
}

// Quoted as RFC 4180 says, so that no name adds a column or a row. (One that spreadsheets would compute is refused: studies.txt)
TEST_F(Faults, ANameIsDataInTables) {
  const Answer answer = armature("map p.yaml --over length=1:2:3 --classify 'a, \"b\": final(theta) < 9; c' -o map");
  ASSERT_EQ(answer.code, 0) << answer.err;
  std::istringstream table(read("map/cells.csv"));
  std::string line;
  ASSERT_TRUE(std::getline(table, line));
  EXPECT_EQ(line, "length,level,number,t [s],class,warnings");
  int count = 0;
  for (; std::getline(table, line); ++count) EXPECT_THAT(line, HasSubstr(",\"a, \"\"b\"\"\",")) << line;
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace armature::internal
