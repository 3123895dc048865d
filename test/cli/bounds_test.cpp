// How large a model may be, what it costs to compile, and how soon the program obeys who stops it.
#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/child_process.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string rod = R"(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies: {rod: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}, points: {tip: [1, 0, 0]}}}
joints: {hinge: {type: revolute, between: [ground, rod]}}
)";

std::string chain_of(int joints) {
  const std::string n = std::to_string(joints);
  return R"(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies:
  "b{i}": {for: {i: 1..)" +
         n + R"(}, mass: 1, center: [0.05, 0, 0], inertia: {rod: 0.1}, points: {tip: [0.1, 0, 0]}}
joints:
  j1: {type: revolute, between: [ground, b1]}
  "j{i}": {for: {i: 2..)" +
         n + R"(}, type: revolute, between: ["b{i-1}.tip", "b{i}"]}
simulate: {end: 1000, record: 0.01}
)";
}

class Bounds : public Program {
 protected:
  // Of so many seconds of processor time, which another program on the machine does not take, and of so much memory.
  Answer within(int seconds, int megabytes, const std::string& arguments) {
    return shell("ulimit -t " + std::to_string(seconds) + "; ulimit -v " + std::to_string(1024 * megabytes) + "; " +
                 program_path + " " + arguments);
  }

  // Starts the program, waits until `ready` holds and a moment longer, stops it; returns the seconds until it has ended.
  double seconds_to_stop(const std::string& arguments, const std::string& ready, const std::string& moment,
                         const std::string& signal) {
    const Answer answer =
        shell(std::string("set -m; ") + program_path + " " + arguments + " & for i in $(seq 400); do " + ready +
              " && break; sleep 0.05; done; sleep " + moment + "; kill -" + signal +
              " $!; date +%s%N > asked; wait $!; code=$?; date +%s%N > ended; exit $code");
    EXPECT_EQ(answer.code, 1) << arguments << ": " << answer.out << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("stopped")) << arguments;
    return (std::stod(read("ended")) - std::stod(read("asked"))) * 1e-9;
  }
};

// They took 7 s and 570 MB (400 joints), and grew by the square: 24 s and 1.9 GB for 800.
TEST_F(Bounds, ALongChainIsCompiledInSeconds) {
  write("chain.yaml", chain_of(400));
  const Answer answer = within(5, 480, "check chain.yaml");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("degrees of freedom: 400 "));
}

TEST_F(Bounds, AChainThatWouldFillTheMemoryIsRefusedBeforehand) {
  write("chain.yaml", chain_of(9999));
  const Answer answer = within(20, 2000, "check chain.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err,
            "chain.yaml: joints: the mass matrix has 49995000 entries, more than the limit of 2500000: the chains of "
            "joints are too long, with up to 9999 degrees of freedom in series\n");
}

TEST_F(Bounds, ManyParametersTakeTimeInProportion) {
  std::string text = rod + "parameters:\n";
  for (int k = 0; k < 100000; ++k) text += "  p" + std::to_string(k) + ": " + std::to_string(k) + "\n";
  write("many.yaml", text);
  const Answer answer = within(10, 4000, "check many.yaml");
  EXPECT_EQ(answer.code, 0) << answer.err;
}

TEST_F(Bounds, ManyBodiesOnTheGroundTakeTimeInProportion) {
  write("many.yaml", R"(armature: 1
gravity: [0, -9.81, 0]
plane: xy
bodies: {"b{i}": {for: {i: 1..10000}, mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}}
joints: {"j{i}": {for: {i: 1..10000}, type: revolute, between: [ground, "b{i}"]}}
)");
  const Answer answer = within(5, 4000, "check many.yaml");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("b99, b100, …\n"));  // a list of thousands is cut
  EXPECT_THAT(answer.out, HasSubstr("and 9900 more; --json lists them"));
}

// 700 bytes: a list of 100 000 values by aliases, in an assembly that is used 10 000 times. It took 7 GB.
TEST_F(Bounds, UsesThatWouldFillTheMemoryAreRefusedBeforehand) {
  const std::string lists =
      "      a: &a [1,1,1,1,1,1,1,1,1,1]\n      b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
      "      c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n      d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
      "      e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n";
  const std::string leg = "    parameters:\n" + lists +
                          "    bodies: {b: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}}\n"
                          "    joints: {j: {type: revolute, between: [ground, b]}}\n";
  const std::string head = "armature: 1\ngravity: [0, -9.81, 0]\nplane: xy\n";
  write("assembly.yaml",
        head + "assemblies:\n  leg:\n" + leg + "use: {\"l{i}\": {for: {i: 1..10000}, assembly: leg}}\n");
  const Answer assembly = within(10, 1500, "check assembly.yaml");
  EXPECT_EQ(assembly.code, 2);
  EXPECT_EQ(assembly.err,
            "assembly.yaml:14: use.l16.assembly: uses and loops make more than 2000000 values of this file\n");
  write("part.yaml", head + "parameters:\n" + lists + "bodies: {b: {mass: 1, inertia: none}}\n");
  write("file.yaml", head + "use: {\"l{i}\": {for: {i: 1..10000}, file: part.yaml}}\n");
  const Answer file = within(20, 1500, "check file.yaml");
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.err, HasSubstr("uses and loops make more than 2000000 values of this file\n"));
  write("loop.yaml", rod + "define:\n  z:\n" + lists + "  \"x{i}\": {for: {i: 1..10000}, is: *e}\n");
  const Answer loop = within(20, 1500, "check loop.yaml");
  EXPECT_EQ(loop.code, 2);
  EXPECT_THAT(loop.err, HasSubstr("uses and loops make more than 2000000 values of this file\n"));
}

std::string links_of(int count, const std::string& attributes) {
  std::string text = "<robot name=\"r\"><link name=\"l0\"/>\n";
  for (int k = 1; k <= count; ++k) {
    const std::string n = std::to_string(k);
    text += "<link name=\"l" + n +
            "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
            "iyz=\"0\"/></inertial></link><joint name=\"j" +
            n + "\" type=\"" + (k == 1 ? "revolute" : "fixed") + "\"><parent link=\"l" + std::to_string(k - 1) +
            "\"/><child link=\"l" + n + "\"/><axis xyz=\"0 0 1\"/></joint>\n";
  }
  return text + attributes + "</robot>\n";
}

// They took more than 20 s.
TEST_F(Bounds, LargeRobotsAreImportedInProportion) {
  write("fixed.urdf", links_of(20000, ""));
  EXPECT_EQ(within(4, 2000, "import fixed.urdf -o fixed.yaml").code, 0);
  std::string attributes = "<thing", unknown;
  for (int k = 0; k < 100000; ++k) {
    attributes += " a" + std::to_string(k) + "=\"1\"";
    unknown += "<thing" + std::to_string(k) + "/>\n";
  }
  write("attributes.urdf", links_of(2, attributes + "/>"));
  const Answer many = within(4, 2000, "import attributes.urdf -o attributes.yaml");
  EXPECT_EQ(many.code, 0) << many.err.substr(0, 500);
  EXPECT_THAT(many.out, HasSubstr("robot r: <thing>"));
  write("unknown.urdf", links_of(2, unknown));
  const Answer listed = within(4, 2000, "import unknown.urdf -o unknown.yaml");
  EXPECT_EQ(listed.code, 0) << listed.err.substr(0, 500);
  EXPECT_THAT(listed.out, HasSubstr("\n  and 99900 more; --json lists them\n"));
}

TEST_F(Bounds, ACircleOfThousandsOfDefinitionsIsFoundOnce) {
  write("circle.yaml", rod + "define: {\"p{i}\": {for: {i: 1..9999}, is: \"p{i+1}\"}, p10000: p1}\n");
  const Answer answer = within(10, 4000, "check circle.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("depends on itself: p1 -> p2"));
}

TEST_F(Bounds, TheSizesThatAreAllowedArePrintedAsDocumented) {
  const Answer answer = armature("format sizes");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("repetitions of one loop (for)"));
  std::ifstream page(std::string(source_directory) + "/docs/trust.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_THAT(text, HasSubstr("```\n" + answer.out + "```"));
}

TEST_F(Bounds, TheFindingsArePrintedAsDocumented) {
  const Answer answer = armature("format findings --markdown");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out,
              HasSubstr("| `energy` | error | `the energy balance is off by {error} J of {size} J; do not"));
  std::ifstream page(std::string(source_directory) + "/docs/trust.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_THAT(text, HasSubstr("\n\n" + answer.out + "\n"))
      << "docs/trust.md lacks what 'armature format findings --markdown' prints";
}

TEST_F(Bounds, ATerminalSeesThatAModelIsCompiled) {
  if (shell("command -v script").code != 0) GTEST_SKIP() << "needs script, which gives a program a terminal";
  write("chain.yaml", chain_of(500));
  const Answer answer = shell("script -qec '" + std::string(program_path) + " check chain.yaml' log");
  EXPECT_THAT(read("log"), HasSubstr("compiling, "));
  EXPECT_THAT(armature("check chain.yaml").err, "");
}

TEST_F(Bounds, LongMessagesOfTheCommandLineAreCut) {
  const std::string name(50000, 'x');
  write("p.yaml", pendulum);
  for (const std::string& command :
       {"run " + std::string(4000, 'x'), name, "run p.yaml --" + name, "run p.yaml --set " + name + "=1",
        "map p.yaml --over " + name + "=1:2:3 --classify a", "sweep p.yaml --over length=1:2:3 --result x=" + name}) {
    const Answer answer = armature(command);
    EXPECT_EQ(answer.code, 2);
    EXPECT_LT(answer.err.size(), 2500u) << command.substr(0, 30);
    const std::size_t file = command.starts_with("run x") ? 4000 : 0;  // whose name stands there as it was given, too
    EXPECT_LT(armature(command + " --json").out.size(), 6000 + file) << command.substr(0, 30);
  }
}

// Tuning did not stop before its motion had ended, the gallery not before its children had.
TEST_F(Bounds, WhoStopsTuningOrTheGalleryDoesNotWait) {
  const std::string root = source_directory, begun = "[ -d r.partial ]";
  EXPECT_LT(seconds_to_stop("tune " + root + "/models/rrr.yaml --end 1e5 -o r", begun, "0.5", "INT"), 2);
  EXPECT_LT(seconds_to_stop("gallery --from " + root + " -o r", begun, "1", "TERM"), 2);
}

// Seconds of the processor that a verb may use between being told to stop and its end. The promise is 0.2 s of waiting; a run uses two cores.
#ifdef __SANITIZE_ADDRESS__
constexpr double soon = 4;
#else
constexpr double soon = 0.4;
#endif

// Each of them would go on for minutes. Inverse dynamics did not stop before it had found all efforts, singularities not before they had
// measured all rows or sorted all poses, null_space not within its singular values.
TEST_F(Bounds, WhoStopsAVerbDoesNotWait) {
  write("slide.yaml", R"(armature: 1
gravity: [0, 0, 0]
bodies: {b: {mass: 1, inertia: none}}
joints: {s: {type: prismatic, axis: x, between: [ground, b]}}
forces: {f: {type: effort, on: s, is: 1}}
simulate: {end: 9, record: 1e-7}
)");
  write("chain.yaml", chain_of(800));
  const std::string models = std::string(source_directory) + "/models/", press = models + "press.yaml";
  struct Case {
    std::vector<std::string> command;
    double seconds;  // until it is stopped
  };
  const std::vector<Case> cases{
      {{"check", "chain.yaml"}, 0.5},
      {{"run", "chain.yaml", "-o", "o"}, 0.5},
      {{"sweep", "chain.yaml", "--over", "j1=0:1:4", "--result", "x=max(j1)", "-o", "o"}, 0.5},
      {{"map", "chain.yaml", "--over", "j1=0:1:4", "--classify", "a: max(j1) > 1; b", "-o", "o"}, 0.5},
      {{"optimize", "chain.yaml", "--over", "j1=0:1", "--minimize", "max(j1)", "-o", "o"}, 0.5},
      {{"run", "slide.yaml", "-o", "o"}, 0.5},
      {{"run", models + "biped.yaml", "--end", "1e5", "-o", "o"}, 0.5},
      {{"run", models + "n_four_bar.yaml", "--set", "N=120", "--formulation", "null_space", "-o", "o"}, 1},
      {{"run", models + "stewart.yaml", "--end", "1e5", "--verify", "-o", "o"}, 0.5},
      {{"kinematics", models + "rrr.yaml", "--move", "theta1=0.1*sin(t)", "--move", "theta2=1.37", "--end", "1e5", "-o",
        "o"},
       0.5},
      {{"inverse", models + "slider_crank.yaml", "--end", "1e4", "--record", "0.001", "-o", "o"}, 1},
      {{"map", press, "--over", "phi0=0:6:600", "--over", "w0=-3:3:600", "--classify", "never: turns(phi) < 1; more",
        "-o", "o"},
       0.3},
      {{"sweep", models + "crane.yaml", "--over", "rope=0.5:1:900", "--over", "volts=5:15:900", "--result",
        "x=max(swing)", "-o", "o"},
       0.3},
      {{"optimize", models + "crane.yaml", "--over", "volts=2:12", "--end", "1e5", "--minimize",
        "(final(travel) - 1)^2", "-o", "o"},
       0.3},
      {{"tune", models + "arm_on_circle.yaml", "--integrator", "euler", "--step", "1e-4", "--end", "100", "-o", "o"},
       0.3},
      {{"singularities", models + "slider_crank_equal.yaml", "--end", "1e4", "-o", "o"}, 2},
      {{"singularities", models + "rrr_motors.yaml", "--over", "platform.C.x=0.1:1.1:999", "--over",
        "platform.C.y=-0.2:0.9:999", "--hold", "platform_angle=0", "-o", "o"},
       0.1},
  };
  int signal = SIGTERM;
  for (const Case& each : cases) {
    for (const char* left : {"o", "o.partial"}) std::filesystem::remove_all(folder / left);
    std::vector<std::string> command{program_path};
    command.insert(command.end(), each.command.begin(), each.command.end());
    signal = signal == SIGTERM ? SIGINT : SIGTERM;
    const ChildResult result =
        run_child(command, folder.path().string(), {.seconds = each.seconds, .grace = soon, .signal = signal});
    EXPECT_TRUE(result.interrupted) << command[1] << " " << command[2] << ": " << read("err");
    EXPECT_FALSE(result.killed) << command[1] << " " << command[2];
  }
}

// Their cost grows by the third power: a solve with 1500 unknowns takes many seconds.
TEST_F(Bounds, DenseFormulationsOfLargeMachinesAreRefused) {
  const std::string model = std::string(source_directory) + "/models/n_four_bar.yaml --set N=200 ";
  const Answer answer = armature("check " + model + "--set simulate.formulation=null_space");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err,
              HasSubstr("simulate.formulation: null_space takes 500 velocities and constraint rows at most, but "
                        "this machine has 801; use auto\n"));
  EXPECT_THAT(armature("check " + model + "--set simulate.stabilization=[post_adjust]").err,
              HasSubstr("simulate.stabilization: post_adjust takes 500 velocities"));
  EXPECT_EQ(armature("check " + model).code, 0);
}

// Its steps were halved without end, and nobody was asked.
TEST_F(Bounds, ACrankLongerThanTheEarthIsRefusedAtOnce) {
  std::ifstream in(std::string(source_directory) + "/models/rrr_pd.yaml");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.replace(text.find("l1: 0.581 m"), 11, "l1: 1e12 m ");
  text.replace(text.find("O3: [side/2"), 11, "O3: [side+2");
  write("far.yaml", text);
  const Answer answer = within(10, 4000, "run far.yaml -o r");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the loops do not close"));
}

// The dense matrix of an implicit step of 500 windows (3000 unknowns with ida) took seconds to factor, in which nobody asked.
TEST_F(Bounds, WhoStopsAnImplicitStepOfALargeModelDoesNotWait) {
  const std::string model = std::string(source_directory) + "/models/n_four_bar.yaml";
  for (const std::string integrator : {"ida", "cvode_bdf", "radau5"})
    for (const double seconds : {2.0, 2.5, 4.0}) {
      const ChildResult result = run_child({program_path, "run", model, "--set", "N=500", "--integrator", integrator,
                                            "--end", "100", "--no-report", "-o", "r"},
                                           folder.path().string(), {.seconds = seconds, .grace = soon});
      EXPECT_TRUE(result.interrupted) << integrator;
      EXPECT_FALSE(result.killed) << integrator << ", interrupted after " << seconds << " s";
    }
}

// Others on the machine read the arguments of programs. The browser is given a file that only its owner can read.
TEST_F(Bounds, TheKeyOfAPageStandsInNoProcessList) {
  write("p.yaml", pendulum);
  write("xdg-open",
        "#!/bin/sh\necho \"$@\" > arguments\nstat -c %a \"$1\" > mode\ncp \"$1\" page.html\ntouch opened\n");
  const Answer answer =
      shell(std::string("chmod +x xdg-open; set -m; PATH=$PWD:$PATH DISPLAY=:9 ") + program_path +
            " view p.yaml & for i in $(seq 200); do [ -e opened ] && break; sleep 0.05; done; kill -INT $!; wait $!");
  if (answer.err.find("built without Node") != std::string::npos) GTEST_SKIP() << "needs the page of view";
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(read("arguments"), HasSubstr("armature_"));
  EXPECT_THAT(read("arguments"), Not(HasSubstr("key")));
  EXPECT_EQ(read("mode"), "600\n");
  EXPECT_THAT(read("page.html"), HasSubstr("?key="));
  EXPECT_EQ(shell("ls $(cat arguments)").code, 2);  // it is gone with the program
}

TEST_F(Bounds, AMeshThatIsNoneIsRefused) {
  write("text.stl", "solid nothing\n");
  write("cut.stl", std::string(100, '\1'));
  for (const std::string file : {"text.stl", "cut.stl"}) {
    std::string text = rod;
    write("m.yaml", text.replace(text.find("points:"), 0, "shape: {mesh: " + file + "}, "));
    const Answer answer = armature("check m.yaml");
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err,
              "m.yaml:4: bodies.rod.shape.mesh: " + file + ": is not an STL file, or one that is cut short\n");
  }
}

TEST_F(Bounds, ABrokenTableOrControllerIsReportedOnce) {
  write("t.yaml", rod + "tables: {f: {x: [], y: []}}\nforces: {k: {type: effort, on: hinge, is: 'f(t)'}}\n");
  EXPECT_EQ(armature("check t.yaml").err, "t.yaml:6: tables.f: a table needs two points at least\n");
  write("c.yaml", rod + "controllers: {u: {is: '5*hinge'}}\nforces: {k: {type: effort, on: hinge, is: u}}\n");
  const Answer answer = armature("check c.yaml");
  EXPECT_THAT(answer.err, HasSubstr("controllers.u: 'type' is missing"));
  EXPECT_THAT(answer.err, Not(HasSubstr("unknown name")));
  write("d.yaml", rod +
                      "controllers: {u: {type: delay, of: hinge, time: 1, order: 9}}\nforces: {k: {type: effort, on: "
                      "hinge, is: u}}\n");
  EXPECT_EQ(armature("check d.yaml").err, "d.yaml:6: controllers.u: expected a whole number from 1 to 8\n");
}

TEST_F(Bounds, AFrictionThatDrivesIsWarnedOf) {
  std::string text = rod;
  write("f.yaml", text.replace(text.find("[ground, rod]"), 13, "[ground, rod], friction: -t"));
  const Answer answer = armature("run f.yaml --end 3 -o r");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, HasSubstr("a friction is negative there and drives the motion"));
  text.replace(text.find("friction: -t"), 12, "friction: 0.1");
  write("g.yaml", text);
  EXPECT_THAT(armature("run g.yaml --end 3 -o r").err, Not(HasSubstr("a friction is negative")));
}

}  // namespace
}  // namespace armature::internal
