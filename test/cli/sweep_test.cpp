// armature sweep and optimize as their user sees them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

// x = a cos(w t) with w = sqrt(k), over one second.
const char* const oscillator = R"(armature: 1
name: oscillator
gravity: [0, 0, 0]
parameters: {a: 1 m, k: 4}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
start: {keep: {x: a}}
simulate: {end: 1 s, rtol: 1e-10}
)";

class Sweep : public Program {
 protected:
  Sweep() { write("o.yaml", oscillator); }
};

TEST_F(Sweep, OfAGridGivesTheClosedForm) {
  const Answer answer =
      armature("sweep o.yaml --over a=1:2:3 --over k=1:9:5 --result 'end=final(x)' --result 'peak=max(x)' --json -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto cells = rows("s/cells.csv");
  ASSERT_THAT(cells, SizeIs(15));
  for (const auto& cell : cells) EXPECT_NEAR(cell[2], cell[0] * std::cos(std::sqrt(cell[1])), 1e-8);  // 100 rtol
  const auto peak = nlohmann::json::parse(answer.out)["statistics"]["peak"];
  EXPECT_NEAR(peak["mean"], 1.5, 1e-8);
  EXPECT_NEAR(peak["median"], 1.5, 1e-8);
  EXPECT_NEAR(peak["deviation"], std::sqrt(10 * 0.25 / 14), 1e-8);  // five each of 1, 1.5, 2
  EXPECT_NEAR(peak["main_effects"]["a"], 1, 1e-8);
  EXPECT_NEAR(peak["main_effects"]["k"], 0, 1e-8);
}

TEST_F(Sweep, OfRandomPointsIsReproducible) {
  for (const char* design : {"--latin 64", "--sobol 64"}) {
    const std::string sweep = std::string("sweep o.yaml --over a=1:2 --over k=1:9 --result 'peak=max(x)' ") + design;
    ASSERT_EQ(armature(sweep + " --threads 1 -o one").code, 0);
    ASSERT_EQ(armature(sweep + " --threads 3 -o two").code, 0);
    ASSERT_EQ(armature(sweep + " --seed 2 -o three").code, 0);
    for (const char* file : {"/cells.csv", "/results.h5", "/result.json"})
      EXPECT_EQ(read(std::string("one") + file), read(std::string("two") + file)) << design << file;
    EXPECT_NE(read("one/cells.csv"), read("three/cells.csv"));
    const auto peak = json("one/result.json")["statistics"]["peak"];
    EXPECT_NEAR(peak["mean"], 1.5, 2.0 / 64);   // 64 slices
    EXPECT_GT(peak["main_effects"]["a"], 0.8);  // four bins of a straight line explain 15/16 of it
    EXPECT_LT(peak["main_effects"]["k"], 0.15);
  }
}

TEST_F(Sweep, TakesAListOfPoints) {
  write("points.csv", "k, a\n4, 1\n9 , 2 m\n");
  ASSERT_EQ(armature("sweep o.yaml --list points.csv --result 'end=final(x)' -o s").code, 0);
  const auto cells = rows("s/cells.csv");
  ASSERT_THAT(cells, SizeIs(2));
  EXPECT_NEAR(cells[0][2], std::cos(2), 1e-8);
  EXPECT_NEAR(cells[1][2], 2 * std::cos(3), 1e-8);
}

// As spreadsheets write them: a mark of the encoding, quotation marks, lines that end in two characters.
TEST_F(Sweep, TakesAListOfASpreadsheet) {
  write("points.csv", "\xef\xbb\xbf\"k\",\"a\"\r\n\"4\",1\r\n,\r\n");
  const Answer answer = armature("sweep o.yaml --list points.csv --result 'end=final(x)' -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto cells = rows("s/cells.csv");
  ASSERT_THAT(cells, SizeIs(1));
  EXPECT_NEAR(cells[0][2], std::cos(2), 1e-8);
}

TEST_F(Sweep, KnowsWhatTheFileRecords) {
  write("r.yaml", std::string(oscillator) + "record: {quantities: {twice: 2*x}}\n");
  ASSERT_EQ(armature("sweep r.yaml --over a=1:2:2 --result 'peak=max(twice)' -o s").code, 0) << read("err");
  EXPECT_NEAR(rows("s/cells.csv")[1][1], 4, 1e-8);
  const Answer run = armature("run r.yaml --result 'peak=max(twice)' -o one");
  EXPECT_THAT(run.out, HasSubstr("peak = 2\n"));
  EXPECT_THAT(read("one/trajectory.csv"), HasSubstr("twice"));
}

// The pole is met by all motions, at times of their own.
TEST_F(Sweep, SaysWhyMotionsFailed) {
  std::string text = oscillator;
  text.replace(text.find("start:"), 6, "forces: {push: {type: effort, on: x, is: 1/(a - t)}}\nstart:");
  write("p.yaml", text);
  const Answer some = armature("sweep p.yaml --over a=0.2:1.8:5 --result 'e=max(x)' -o s");
  EXPECT_EQ(some.code, 0);
  EXPECT_THAT(some.err, HasSubstr("3 of 5 motions failed:\n  3, the first at a = 0.2: p.yaml:7: '1/(a - t)'"));
  EXPECT_EQ(json("s/result.json")["failures"].size(), 1u);
  EXPECT_EQ(json("s/result.json")["failures"][0]["count"], 3);
  const Answer all = armature("sweep p.yaml --over a=0.2:0.6:3 --result 'e=max(x)' -o n");
  EXPECT_EQ(all.code, 1);
  EXPECT_EQ(json("n/result.json")["status"], "failed");
}

// Without inductance the current is no state: a model of another kind, which one compiled model cannot be.
TEST_F(Sweep, RefusesAValueThatMakesAnotherModel) {
  const std::string crane =
      std::string(source_directory) + "/models/crane.yaml --end 0.01 --result 'peak=max(motor.current)'";
  for (const char* range : {"0:1e-3:3", "0:2e-3:2", "1e-3:0:3"}) {
    const Answer answer = armature("sweep " + crane + " --over inductance=" + range);
    EXPECT_EQ(answer.code, 2) << range;
    EXPECT_THAT(answer.err, HasSubstr("with inductance = 0 the file describes another model")) << range;
  }
  EXPECT_EQ(armature("sweep " + crane + " --over inductance=1e-4:1e-3:2 -o s").code, 0);
}

TEST_F(Sweep, SaysWhatItLeavesOut) {
  // x never exceeds 1.2 for a = 1: no first time
  const Answer answer = armature(
      "sweep o.yaml --over a=1:2:3 --result 'late=first(abs(x) > 1.2)' --result 'never=first(x > 9)' "
      "--result 'one=mean(1)' -o s");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("late: 1 motion without a finite value left out"));
  EXPECT_THAT(answer.out, HasSubstr("is not finite in any motion"));
  EXPECT_THAT(answer.out, testing::Not(HasSubstr("nan")));
  const auto statistics = json("s/result.json")["statistics"];
  EXPECT_EQ(statistics["late"]["left_out"], 1);
  EXPECT_EQ(statistics["never"]["count"], 0);
  EXPECT_EQ(statistics["one"]["main_effects"]["a"], 0);  // what varies by round-off does not vary
}

TEST_F(Sweep, RefusesWhatItDoesNotUnderstand) {
  write("bad.csv", "k,a\n4\n");
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << arguments;
  };
  refused("sweep o.yaml --over a=1:2:3 --result 'max(x)'", "expected NAME=FORMULA");
  refused("sweep o.yaml --over a=1:2:3 --result 'e=max(y)'", "unknown name 'y'");
  refused("sweep o.yaml --over a=1:2:3 --result 'e=max(x) + 1 kg'", "--result e=max(x) + 1 kg: adds m to kg");
  refused("sweep o.yaml --sobol 2000000000 --over a=1:2 --result 'e=max(x)'", "2e+09 cells would need about");
  refused("sweep o.yaml --sobol 8 --over a=1:2:3 --result 'e=max(x)'", "expected NAME=FROM:TO");
  refused("sweep o.yaml --list none.csv --result 'e=max(x)'", "--list none.csv: there is no such file");
  refused("sweep o.yaml --list bad.csv --result 'e=max(x)'", "bad.csv:2: has 1 value for 2 names");
  write("empty.csv", "");
  refused("sweep o.yaml --list empty.csv --result 'e=max(x)'", "--list empty.csv: is empty");
  write("names.csv", "k,a\n");
  refused("sweep o.yaml --list names.csv --result 'e=max(x)'", "names.csv: has no points below its names");
  write("semicolons.csv", "k;a\n4;1\n");
  refused("sweep o.yaml --list semicolons.csv --result 'e=max(x)'", "semicolons.csv:1: expected commas");
  refused("sweep o.yaml --list '' --result 'e=max(x)'", "--list needs a name");
  refused("sweep o.yaml --result 'e=max(x)'", "--over NAME=FROM:TO:COUNT is missing");
  refused("sweep o.yaml --over a=1:2:3 --result 'e=foo(x)'", "unknown function 'foo'");
  refused("sweep o.yaml --over a=1:2:3 --result 'e=fianl(x)'", "unknown function 'fianl' (did you mean 'final'?)");
  refused("sweep o.yaml --over a=1:2:3 --result 'e=max(x)' --rtol 2", "--rtol 2: must be between 1e-14 and 0.1");
  write("good.csv", "k\n4\n");
  EXPECT_EQ(armature("sweep o.yaml --list good.csv --over a=1:2:3 --result 'e=max(x)'").code, 2);
  refused("sweep o.yaml --over a=1:2:3 --result 'e=max(x)' --result 'e=min(x)'", "there are two results 'e'");
  refused("sweep o.yaml --over a=1:2:3 --result 'status=max(x)'", "'status' is reserved");
  refused("sweep o.yaml --over a=1:2:3 --result 'a=max(x)'", "'a' is the name of a variable");
  refused("optimize o.yaml --over k=1:9", "expected one of --minimize FORMULA and --maximize FORMULA");
  refused("optimize o.yaml --over k=1:9 --minimize 'final(x)' --method simplex", "unknown method 'simplex'");
  refused("optimize o.yaml --over k=1:9 --minimize 'final(x)' --method bobyqa --subject 'max(x) < 1'",
          "bobyqa: does not accept conditions");
  refused("optimize o.yaml --over k=1:9 --minimize 'final(x)' --subject 'max(x)'", "expected a comparison");
  refused("optimize o.yaml --over k=1:9 --minimize 'final(x)' --subject 'max(x) < 1 and min(x) > 0'",
          "give each comparison separately");
  refused("sweep o.yaml --latin 2.5 --over a=1:2 --result 'e=max(x)'", "'2.5' is not a whole number");
  refused("optimize o.yaml --over k=9:1 --minimize 'final(x)'", "the range is empty");
}

// The model's own value lies in the middle of the range, where nothing tells such a parameter from others.
TEST_F(Sweep, RefusesAParameterThatShapesTheModel) {
  std::string text = oscillator;
  text.replace(text.find("k: 4"), 4, "k: 4, T: 2 s");
  text.replace(text.find("end: 1 s"), 8, "end: T");
  write("end.yaml", text);
  const std::string bars = std::string(source_directory) + "/models/n_four_bar.yaml --end 0.01 ";
  for (const std::string& arguments : {std::string("sweep end.yaml --over T=1:3:3 --result 'e=final(x)'"),
                                       std::string("optimize end.yaml --over T=1:3 --minimize 'final(x)'"),
                                       std::string("map end.yaml --over T=1:3:3 --classify 'up: final(x) > 0'")}) {
    const Answer answer = armature(arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr("cannot be varied inside the compiled model: T")) << arguments;
  }
  const Answer counted = armature("sweep " + bars + "--over N=1:3:3 --result 'e=final(pivot0)'");
  EXPECT_EQ(counted.code, 2);
  EXPECT_THAT(counted.err, HasSubstr("cannot be varied inside the compiled model: N"));
  const Answer sought = armature("optimize " + bars + "--over N=1:3 --minimize 'final(pivot0)'");
  EXPECT_EQ(sought.code, 2);
  EXPECT_THAT(sought.err, HasSubstr("--over: "));
}

class Optimize : public Sweep {};

TEST_F(Optimize, SaysThatTheObjectiveIsInfiniteEverywhere) {
  const Answer answer =
      armature("optimize o.yaml --over k=1:20 --minimize '1/(max(x) - max(x))' --evaluations 5 -o best");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the objective has no finite value at any point"));
  armature("optimize o.yaml --over k=1:20 --maximize 'first(x > 9)' --evaluations 5 -o most");
  EXPECT_THAT(read("most/cells.csv"), testing::Not(HasSubstr("-nan")));
}

TEST_F(Optimize, SaysThatNothingMakesADifference) {
  for (const char* method : {"bobyqa", "gradient"}) {
    const Answer answer =
        armature(std::string("optimize o.yaml --over k=1:20 --minimize 'max(x)' -o flat --method ") + method);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("the method direct searches the whole box")) << method;
    EXPECT_TRUE(json("flat/result.json").contains("caveat")) << method;
  }
}

TEST_F(Optimize, TellsAnObjectiveWithoutAValueFromMotionsThatFail) {
  const Answer answer =
      armature("optimize o.yaml --over k=1:20 --minimize 'sqrt(-1 - max(x)^2)' --evaluations 5 -o best");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the objective has no finite value at any point"));
  EXPECT_EQ(json("best/result.json")["failed"], 0);
}

// cos(sqrt k) = -1 at k = pi^2, in (1, 20); with k <= 9 the best is at the border.
TEST_F(Optimize, FindsTheMinimumAndSaysHowToSetIt) {
  const Answer answer = armature("optimize o.yaml --over k=1:20 --minimize 'final(x)' -o best");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto result = json("best/result.json");
  EXPECT_NEAR(result["best"]["k"], M_PI * M_PI, 1e-3);  // flat: an error of 1e-8 in x is 6e-4 in k
  EXPECT_NEAR(result["value"], -1, 1e-8);
  EXPECT_THAT(answer.out, HasSubstr(result["set"].get<std::string>()));
  ASSERT_EQ(armature("run o.yaml " + result["set"].get<std::string>() + " -o run").code, 0);
  EXPECT_NEAR(rows("run/trajectory.csv").back()[1], -1, 1e-8);
}

TEST_F(Optimize, SaysWhichVariablesAreAtAnEndOfTheirRange) {
  const Answer answer =
      armature("optimize o.yaml --over k=1:9 --over a=0.5:2 --minimize 'final(x)' --starts 3 -o best");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("k is at the upper end of its range, a is at the upper end of its range: a wider "
                                    "range may be better"));
  EXPECT_EQ(json("best/result.json")["at_ends"], nlohmann::json({{"k", "upper"}, {"a", "upper"}}));
  const Answer inside = armature("optimize o.yaml --over k=1:20 --minimize 'final(x)' -o inside");
  EXPECT_THAT(inside.err, testing::Not(HasSubstr("range")));
  EXPECT_EQ(json("inside/result.json")["at_ends"], nlohmann::json::object());
}

TEST_F(Optimize, KeepsToConditions) {
  const Answer answer = armature(
      "optimize o.yaml --over k=1:20 --over a=0.5:2 --minimize 'final(x)' --subject 'max(abs(x)) <= 1.5' "
      "--starts 3 --json -o best");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto result = nlohmann::json::parse(answer.out);
  EXPECT_NEAR(result["value"], -1.5, 1e-6);
  EXPECT_NEAR(result["best"]["a"], 1.5, 1e-6);
}

// Nobody knows that there is nothing smaller elsewhere, and a local search has not even looked.
TEST_F(Optimize, ClaimsNoMoreThanItHasFound) {
  const std::string search = "optimize o.yaml --over k=1:20 --minimize 'final(x)' --no-report --restart -o best ";
  EXPECT_THAT(armature(search).out, HasSubstr("smallest found: final(x) = -1; a local search: --starts N adds"));
  EXPECT_THAT(armature(search + "--starts 3").out,
              HasSubstr("smallest found: final(x) = -1; the best of 3 local searches"));
  const Answer whole = armature(search + "--method direct --evaluations 40");
  EXPECT_THAT(whole.out, HasSubstr("smallest found: final(x) = "));
  EXPECT_THAT(whole.out, testing::Not(HasSubstr("local")));
}

// The prescribed position jumps where k > 2: most of the range from 1 to 20 has no motion.
TEST_F(Optimize, WhoseEvaluationsMostlyFailIsNoSuccess) {
  write("jump.yaml", R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {k: 1.5}
bodies: {disc: {mass: 1, inertia: {zz: 1}}}
joints: {q: {type: revolute, between: [ground, disc]}}
constraints: {drive: {type: prescribed, zero: "q - k*t - if(t > 0.05, if(k > 2, 0.3, 0), 0)"}}
simulate: {end: 0.1, record: 0.01}
)yaml");
  const std::string search = "optimize jump.yaml --maximize 'final(q)' --evaluations 40 --no-report --restart -o best ";
  const Answer answer = armature(search + "--over k=1:20 --method direct");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, HasSubstr("largest found: final(q) = "));  // what was found is written all the same
  EXPECT_THAT(answer.err, HasSubstr("of 40 evaluations failed: the search saw too little of the range"));
  EXPECT_THAT(answer.err, HasSubstr("the position that drive prescribes jumps"));
  const auto result = json("best/result.json");
  EXPECT_EQ(result["status"], "doubtful");
  EXPECT_GT(result["failed"], 20);
  EXPECT_LE(result["value"], 0.2);
  // some that fail do not matter
  const Answer some = armature(search + "--over k=1:20 --method bobyqa");
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_EQ(json("best/result.json")["status"], "finished");
}

// Measured: 9 motions with gradients, 56 without.
TEST_F(Optimize, TakesFewerMotionsWithGradients) {
  const std::string search =
      "optimize o.yaml --over k=1:20 --over a=0.5:2 --minimize 'final(x)' --subject 'max(abs(x)) <= 1.5' ";
  ASSERT_EQ(armature(search + "-o without").code, 0);
  ASSERT_EQ(armature(search + "--method gradient -o with").code, 0);
  const auto with = json("with/result.json"), without = json("without/result.json");
  EXPECT_EQ(with["method"], "gradient");
  EXPECT_NEAR(with["value"], -1.5, 1e-8);
  EXPECT_NEAR(with["best"]["k"], M_PI * M_PI, 1e-4);
  EXPECT_LT(3 * with["evaluations"].get<int>(), without["evaluations"].get<int>());
  ASSERT_EQ(armature("optimize o.yaml --over x=-1:1 --set k='pi^2' --maximize 'final(x)' --method gradient -o up").code,
            0);
  EXPECT_NEAR(json("up/result.json")["value"], 1, 1e-8);
}

TEST_F(Optimize, SaysWhyThereAreNoGradients) {
  const std::string press = std::string(source_directory) + "/models/press.yaml";
  const Answer answer = armature("optimize " + press +
                                 " --over w0=1:2 --minimize 'final(phi)' --method gradient --evaluations 5 --end 1 "
                                 "--integrator rk4 --step 1e-3 -o p");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err,
              HasSubstr("there are no exact gradients: the model has comparisons, whose changes rk4 does not locate"));
  EXPECT_EQ(json("p/result.json")["method"], "bobyqa");
}

// A motion that has no derivative at its start: the mass stands on the edge, and goes over it in the motions on one side.
TEST_F(Optimize, TakesDifferencesWhereAMotionHasNoDerivative) {
  write("g.yaml", R"model(armature: 1
name: grazing
gravity: [0, -10, 0]
parameters: {v: 2 m/s}
bodies: {ball: {mass: 1 kg}}
joints: {y: {type: prismatic, axis: y, between: [ground, ball]}}
forces: {edge: {type: effort, on: y, is: "if(y > 0.2 - 1e-14, 3, 0)"}}
start: {speed: {y: v}}
simulate: {end: 1 s}
)model");
  const Answer answer = armature("optimize g.yaml --over v=1:4 --minimize '(max(y) - 0.45)^2' --method gradient -o g");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, AllOf(HasSubstr("no derivative, and differences of motions took its place"),
                                HasSubstr("only grazes its zero")));
  EXPECT_NEAR(json("g/result.json")["value"], 0, 1e-8);
}

// An oscillator that is to stand still at the end: for each mass the stiffness k = m pi^2 does that.
// What slides then is the comparison of the formula alone, and no weight of the equations.
TEST_F(Optimize, FollowsAFormulaThatSlidesWhileNothingElseDoes) {
  write("sg.yaml", R"(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {mu: 2 N, k: 30 N/m}
bodies: {b: {mass: 1 kg}}
joints:
  x: {type: prismatic, axis: x, between: [ground, b], friction: mu, limits: {lower: -1 m, upper: 0.15 m, stiffness: 2000 N/m}}
forces:
  s: {type: torsion_spring, on: x, stiffness: k}
  f: {type: effort, on: x, is: 5*sin(4*t)}
start: {keep: {x: 0}}
simulate: {end: 3 s}
)");
  const Answer answer =
      armature("optimize sg.yaml --over mu=0.5:4 --minimize \"last(x'<1e-9)\" --method gradient --evaluations 3 -o sg");
  EXPECT_LE(answer.code, 1) << answer.err;
}

TEST_F(Optimize, ChoosesFromListsAndFiles) {
  write("c.yaml", R"(armature: 1
name: choices
gravity: [0, 0, 0]
parameters: {k: 3 N/m, m: 1 kg, c: 1 N*s/m, load: 0 N}
bodies: {mass: {mass: m}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
forces: {drag: {type: effort, on: x, is: "-c*x' + load"}}
start: {keep: {x: 1 m}}
simulate: {end: 2 s}
)");
  write("soft.yaml", "c: 0.3 N*s/m\n");
  write("hard.yaml", "parameters: {c: 2 N*s/m}\n");
  const std::string search = "optimize c.yaml --over k=1:9 --method gradient ";
  const Answer answer =
      armature(search + "--minimize 'integral(x^2)' --choose m=1,2,4 --choose damper=soft.yaml,hard.yaml -o c");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto result = json("c/result.json");
  EXPECT_THAT(result["chosen"].dump(), AllOf(HasSubstr("m=1"), HasSubstr("damper=hard.yaml")));
  EXPECT_EQ(result["best"]["damper"], 2);
  EXPECT_THAT(result["set"].get<std::string>(), AllOf(HasSubstr("--set m=1"), HasSubstr("--set c=2")));
  EXPECT_NE(read("c/cells.csv").find("damper"), std::string::npos);
  // the same by hand
  ASSERT_EQ(armature(search + "--minimize 'integral(x^2)' --set m=1 --set c=2 -o h").code, 0);
  EXPECT_NEAR(result["value"], json("h/result.json")["value"], 1e-9);

  // the worst of two loads lies between both
  ASSERT_EQ(armature(search + "--minimize 'final(x)^2' --scenario load=0.5 --scenario load=-0.5 -o s").code, 0);
  const auto both = json("s/result.json");
  EXPECT_EQ(both["cases"], 2);
  for (const char* load : {"0.5", "-0.5"}) {
    const double k = both["best"]["k"];
    // one evaluation, at the values of the file
    ASSERT_EQ(armature(fmt::format("optimize c.yaml --over c=1:2 --minimize 'final(x)^2' --evaluations 1 --set load={} "
                                   "--set k={:.17g} -o o{}",
                                   load, k, load))
                  .code,
              0);
    EXPECT_LE(json(std::string("o") + load + "/result.json")["value"].get<double>(),
              both["value"].get<double>() * (1 + 1e-6) + 1e-12);
  }
  // corners
  ASSERT_EQ(armature(search + "--minimize 'final(x)^2' --deviation m=0.1 --deviation c=0.05 -o d").code, 0);
  EXPECT_EQ(json("d/result.json")["cases"], 5);
  const std::string worst = json("d/result.json")["command"];  // runs the one that has the value
  ASSERT_EQ(armature(worst.substr(std::string("armature ").size()) + " --result 'objective=final(x)^2' -o w").code, 0);
  EXPECT_NEAR(json("w/run.json")["numbers"]["objective"], json("d/result.json")["value"], 1e-9);
  ASSERT_EQ(armature(search + "--minimize 'final(x)^2' -o n").code, 0);
  EXPECT_GT(json("d/result.json")["value"].get<double>(), json("n/result.json")["value"].get<double>());

  for (const auto& [wrong, words] : {std::pair{"--choose m=1", "expected at least two options"},
                                     {"--choose m", "expected NAME=VALUE"},
                                     {"--choose q=1,2", "no parameter 'q'"},
                                     {"--choose d=soft.yaml,none.yaml", "none.yaml: cannot be read"},
                                     {"--choose k=1,2", "'k' is varied or chosen already"},
                                     {"--scenario k=3", "belongs to the design"},
                                     {"--deviation m=-1", "expected a positive size"},
                                     {"--scenario 'm=1 V'", "scenario m=1 V"}}) {
    const Answer refused = armature(search + "--minimize 'final(x)^2' " + wrong);
    EXPECT_EQ(refused.code, 2) << wrong;
    EXPECT_THAT(refused.err, HasSubstr(words));
  }
}

// a^2 + b^2 against (a - 1)^2 + (b - 1)^2: the front is the straight line between both minima, sqrt(A) + sqrt(B) = sqrt(2).
TEST_F(Optimize, GivesTheFrontOfTwoResults) {
  write("p.yaml", R"(armature: 1
name: front
gravity: [0, 0, 0]
parameters: {a: 0.7, b: 0.2}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass]}}
start: {keep: {x: a}, speed: {x: b}}
simulate: {end: 1 s}
)");
  const Answer answer = armature(
      "optimize p.yaml --over a=-2:2 --over b=-2:2 --minimize 'initial(x)^2 + b^2' "
      "--against '(initial(x) - 1)^2 + (b - 1)^2' --front 5 --method gradient -o f");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto front = json("f/result.json")["front"];
  ASSERT_GE(front.size(), 5u);
  double before = -1;
  for (const auto& design : front) {
    const double A = design["initial(x)^2 + b^2"], B = design["(initial(x) - 1)^2 + (b - 1)^2"];
    EXPECT_GT(B, before);
    before = B;
    EXPECT_GT(std::sqrt(A) + std::sqrt(B), std::sqrt(2.0) - 1e-6);
  }
  // both ends, and the middle of the bounds
  const auto near = [&](double A, double B) {
    return std::ranges::any_of(front, [&](const auto& design) {
      return std::abs(design["initial(x)^2 + b^2"].template get<double>() - A) < 1e-5 &&
             std::abs(design["(initial(x) - 1)^2 + (b - 1)^2"].template get<double>() - B) < 1e-5;
    });
  };
  for (const double B : {0.0, 0.5, 1.0, 1.5, 2.0})
    EXPECT_TRUE(near(std::pow(std::sqrt(2.0) - std::sqrt(B), 2), B)) << B;
  EXPECT_NE(read("f/front.csv").find("initial(x)^2"), std::string::npos);
  EXPECT_NE(read("f/report.html").find("initial(x)^2"), std::string::npos);
}

TEST_F(Optimize, SaysThatOneDesignIsBestInBothResults) {
  const Answer answer = armature(
      "optimize o.yaml --over x=-1:1 --minimize 'initial(x)^2' --against '2*initial(x)^2' --method gradient -o one");
  EXPECT_NE(answer.out.find("one end of a front of 1 design against"), std::string::npos) << answer.out << answer.err;
}

// The worst of both numbers is not of the same motion: the command gives that of the objective alone.
TEST_F(Optimize, TellsACommandOfAFrontWithScenarios) {
  const std::string front =
      "optimize o.yaml --over x=-1:1 --minimize 'initial(x)^2' --against '(k*initial(x) - 1)^2' --front 3 --method "
      "gradient ";
  ASSERT_EQ(armature(front + "-o plain").code, 0);
  EXPECT_NE(read("plain/report.html").find("against="), std::string::npos);
  ASSERT_EQ(armature(front + "--scenario k=1 --scenario k=2 -o worst").code, 0);
  EXPECT_EQ(read("worst/report.html").find("against="), std::string::npos);
  EXPECT_NE(read("worst/report.html").find("the worst (k*initial(x) - 1)^2 may be that of another one"),
            std::string::npos);
}

TEST_F(Optimize, MaximizesOverStartValues) {
  ASSERT_EQ(armature("optimize o.yaml --over x=-1:1 --set k='pi^2' --maximize 'final(x)' -o best").code, 0);
  const auto result = json("best/result.json");
  EXPECT_NEAR(result["best"]["x"], -1, 1e-5);  // x(1) = -x(0)
  EXPECT_NEAR(result["value"], 1, 1e-5);
}

}  // namespace
}  // namespace armature::internal
