#include "inspect/equations.hpp"

#include <gmock/gmock.h>

#include <random>

#include "inspect/equations_values.hpp"
#include "prepare/setup.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

bool has_line(const std::string& page, const std::string& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

#define EXPECT_LINE(page, line) EXPECT_TRUE(has_line(page, line)) << line << "\nis not in\n" << page

// The matrices of eq. (34): Nguyen Quang Hoang, Vu Duc Vuong, Vietnam J. Mechanics 41 (2019), §3.1.
TEST(Equations, OfTheCraneReadAsPrinted) {
  const std::string page = equations_text(printed_equations(shipped("crane_lagrangian", {{"La", "0"}})));
  EXPECT_LINE(page, "M[1,1] = mt + mp + r^2*Im/rw^2");
  EXPECT_LINE(page, "M[1,2] = M[2,1] = mp*l*cos(q2)");
  EXPECT_LINE(page, "M[2,2] = mp*l^2");
  EXPECT_LINE(page, "C[1,2] = -mp*l*q2'*sin(q2)");
  EXPECT_LINE(page, "D[1,1] = d1 + r^2*Km*Ke/(rw^2*Ra) + r^2*dm/rw^2");
  EXPECT_LINE(page, "g[2] = mp*g*l*sin(q2)");
  EXPECT_LINE(page, "B[1] = r*Km/(rw*Ra)");
  EXPECT_EQ(page.find("C[2"), std::string::npos);  // as printed: the second row of C is zero
}

// A link without mass has none in M either: nothing of what makes its equations solvable is printed.
TEST(Equations, OfAMachineWithAMasslessLinkAreThoseOfMechanics) {
  const std::string page = equations_text(printed_equations(shipped("elements/massless_rod")));
  EXPECT_LINE(page, "M[1,1] = J");
  EXPECT_EQ(page.find("M[2"), std::string::npos) << page;
  EXPECT_LINE(page, "Q = 0");
}

// With inductance the current is the input, and what multiplies it is not.
TEST(Equations, OfTheCraneWithInductanceHaveItsCurrentAsInput) {
  const std::string page = equations_text(printed_equations(shipped("crane_lagrangian")));
  EXPECT_LINE(page, "u = [motor.current]");
  EXPECT_LINE(page, "B[1] = r*Km/rw");
  EXPECT_LINE(page, "Q = 0");
}

// A parameter dx beside a coordinate x: the written function keeps them apart.
TEST(Equations, WrittenFunctionsKeepRatesAndParametersApart) {
  const Model model = read_model_text(
      "armature: 1\nparameters: {dx: 2}\nlagrangian:\n  coordinates: {x: rad}\n  kinetic: 1/2*dx*x'^2\n");
  const std::string code = equations_code(printed_equations(model), PrintingStyle::python);
  EXPECT_NE(code.find("dx = 2"), std::string::npos) << code;
  EXPECT_NE(code.find("rate_of_x = rates[0]"), std::string::npos) << code;
}

// Keywords, rates, names with dots and arguments of the function must not become the name of something else.
TEST(Equations, WrittenFunctionsGiveEveryNameAnIdentifierOfItsOwn) {
  const Model model = read_model_text(
      "armature: 1\nparameters: {lambda: 2, lambda_: 3, int: 4, int_: 5, rate_of_a: 6, M_out: 7}\n"
      "lagrangian:\n  coordinates: {a: rad}\n"
      "  kinetic: 1/2*lambda*lambda_*int*int_*a'^2\n  potential: rate_of_a*M_out*a^4\n");
  for (const PrintingStyle style : {PrintingStyle::c, PrintingStyle::python}) {
    const std::string code = equations_code(printed_equations(model), style);
    for (const char* line : {" lambda__ = 2", " lambda_ = 3", " int__ = 4", " int_ = 5", " rate_of_a = 6",
                             " M_out_ = 7", " rate_of_a_ = rates[0]"})
      EXPECT_THAT(code, testing::HasSubstr(line));
    EXPECT_THAT(code, testing::HasSubstr("lambda__*lambda_*int__*int_"));
  }
}

// §3.3 of the same paper; the flywheel and the motor's friction are added where they belong.
TEST(Equations, OfTheSliderCrankReadAsPrinted) {
  const std::string page = equations_text(printed_equations(shipped("slider_crank_lagrangian", {{"La", "0"}})));
  EXPECT_LINE(page, "M[1,1] = m1*a1^2 + m2*l1^2 + I1 + Jw + r^2*Im");
  EXPECT_LINE(page, "M[1,2] = M[2,1] = -m2*l1*a2*cos(q1 + q2)");
  EXPECT_LINE(page, "M[2,2] = m2*a2^2 + I2");
  EXPECT_LINE(page, "M[3,3] = m3");
  EXPECT_LINE(page, "C[1,2] = m2*l1*a2*q2'*sin(q1 + q2)");
  EXPECT_LINE(page, "C[2,1] = m2*l1*a2*q1'*sin(q1 + q2)");
  EXPECT_LINE(page, "D[1,1] = r^2*(Km*Ke/Ra + dm)");
  EXPECT_LINE(page, "g[1] = g*(m1*a1 + m2*l1)*cos(q1)");
  EXPECT_LINE(page, "g[2] = -m2*g*a2*cos(q2)");
  EXPECT_LINE(page, "B[1] = r*Km/Ra");
  EXPECT_LINE(page, "phi[2] = l1*sin(q1) - l2*sin(q2)");
  EXPECT_LINE(page, "Phi[1,1] = -l1*sin(q1)");
  EXPECT_LINE(page, "Phi[1,2] = -l2*sin(q2)");
  EXPECT_LINE(page, "Phi[1,3] = -1");
  EXPECT_LINE(page, "gamma[2] = l1*q1'^2*sin(q1) - l2*q2'^2*sin(q2)");
}

// M, K and g of one arm: Nguyen Quang Hoang et al., Vietnam J. Mechanics 44 (2022), eqs. of §3.5 (all right as
// printed). Each entry has as many terms as are printed there, and their value at random states.
TEST(Equations, OfTheFiveBarArePrintedTermByTerm) {
  const PrintedEquations e = printed_equations(shipped("five_bar_lagrangian"));
  struct Entry {
    int row, column;
    std::size_t terms;
    double (*value)(const SymbolValues&);
  };
  using V = const SymbolValues&;
  const auto check = [&](const std::vector<PrintingSum>& matrix, int columns, const std::vector<Entry>& entries) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> uniform(0.2, 1.5);
    for (const Entry& entry : entries) {
      const PrintingSum& sum = matrix[(entry.row - 1) * columns + entry.column - 1];
      EXPECT_EQ(sum.size(), entry.terms) << entry.row << ", " << entry.column << ": "
                                         << printed(sum, e.algebra, PrintingStyle::text);
      for (int k = 0; k < 10; ++k) {
        SymbolValues values;
        for (int i = 0; i < e.algebra.size(); ++i) values[e.algebra[i].name] = uniform(generator);
        EXPECT_NEAR(value_of(sum, e.algebra, values), entry.value(values), 1e-13 * 100);  // sums of terms below 20
      }
    }
  };
  check(e.M, 10,
        {{1, 1, 1, [](V v) { return v.at("Im"); }},
         {2, 2, 14,
          [](V v) {
            const double m2 = v.at("m2"), m3 = v.at("m3"), e3 = v.at("e13"), e4 = v.at("e14"), l1 = v.at("l1"),
                         l2 = v.at("l2"), q2 = v.at("theta12");
            return v.at("I1") + 13. / 35 * m2 * e3 * e3 - 11. / 105 * m2 * e3 * e4 * l2 +
                   1. / 105 * m2 * e4 * e4 * l2 * l2 - m2 * l1 * e3 * std::sin(q2) +
                   1. / 6 * m2 * l1 * l2 * e4 * std::sin(q2) + 1. / 3 * m2 * l2 * l2 + m2 * l1 * std::cos(q2) * l2 +
                   m2 * l1 * l1 +
                   m3 * (l1 * l1 + l2 * l2 + 2 * l1 * l2 * std::cos(q2) - 2 * l1 * e3 * std::sin(q2) + e3 * e3);
          }},
         {3, 2, 11,
          [](V v) {
            const double m2 = v.at("m2"), m3 = v.at("m3"), e3 = v.at("e13"), e4 = v.at("e14"), l1 = v.at("l1"),
                         l2 = v.at("l2"), q2 = v.at("theta12");
            return 13. / 35 * m2 * e3 * e3 - 11. / 105 * m2 * e3 * e4 * l2 + 1. / 105 * m2 * e4 * e4 * l2 * l2 -
                   0.5 * m2 * l1 * std::sin(q2) * e3 + 1. / 12 * m2 * l1 * l2 * e4 * std::sin(q2) +
                   1. / 3 * m2 * l2 * l2 + 0.5 * m2 * l1 * l2 * std::cos(q2) +
                   m3 * (l1 * l2 * std::cos(q2) - l1 * e3 * std::sin(q2) + l2 * l2 + e3 * e3);
          }},
         {3, 3, 6,
          [](V v) {
            const double m2 = v.at("m2"), m3 = v.at("m3"), e3 = v.at("e13"), e4 = v.at("e14"), l2 = v.at("l2");
            return 13. / 35 * m2 * e3 * e3 - 11. / 105 * m2 * e3 * e4 * l2 + 1. / 105 * m2 * e4 * e4 * l2 * l2 +
                   1. / 3 * m2 * l2 * l2 + m3 * (l2 * l2 + e3 * e3);
          }},
         {4, 2, 4,
          [](V v) {
            return 7. / 20 * v.at("m2") * v.at("l2") + 0.5 * v.at("m2") * v.at("l1") * std::cos(v.at("theta12")) +
                   v.at("m3") * (v.at("l1") * std::cos(v.at("theta12")) + v.at("l2"));
          }},
         {4, 3, 2, [](V v) { return 7. / 20 * v.at("m2") * v.at("l2") + v.at("m3") * v.at("l2"); }},
         {5, 2, 2,
          [](V v) {
            return -1. / 20 * v.at("m2") * v.at("l2") * v.at("l2") -
                   1. / 12 * v.at("m2") * v.at("l1") * v.at("l2") * std::cos(v.at("theta12"));
          }},
         {5, 3, 1, [](V v) { return -1. / 20 * v.at("m2") * v.at("l2") * v.at("l2"); }},
         {4, 4, 2, [](V v) { return 13. / 35 * v.at("m2") + v.at("m3"); }},
         {5, 4, 1, [](V v) { return -11. / 210 * v.at("m2") * v.at("l2"); }},
         {5, 5, 1, [](V v) { return 1. / 105 * v.at("m2") * v.at("l2") * v.at("l2"); }}});
  check(e.K, 10,
        {{1, 1, 1, [](V v) { return v.at("k") / v.at("r") / v.at("r"); }},
         {1, 2, 1, [](V v) { return -v.at("k") / v.at("r"); }},
         {2, 2, 1, [](V v) { return v.at("k"); }},
         {3, 3, 0, [](V) { return 0.0; }},
         {4, 4, 1, [](V v) { return 12 * v.at("EI") / std::pow(v.at("l2"), 3); }},
         {4, 5, 1, [](V v) { return -6 * v.at("EI") / std::pow(v.at("l2"), 2); }},
         {5, 5, 1, [](V v) { return 4 * v.at("EI") / v.at("l2"); }}});
  check(e.g, 1,
        {{1, 1, 0, [](V) { return 0.0; }},
         {2, 1, 8,
          [](V v) {
            const double q1 = v.at("theta11"), q12 = q1 + v.at("theta12"), m2 = v.at("m2"), m3 = v.at("m3"),
                         g = v.at("g");
            return v.at("m1") * v.at("s1") * g * std::cos(q1) +
                   m2 / 12 *
                       (-6 * v.at("e13") * std::sin(q12) + v.at("e14") * v.at("l2") * std::sin(q12) +
                        6 * v.at("l2") * std::cos(q12) + 12 * v.at("l1") * std::cos(q1)) *
                       g +
                   m3 * (v.at("l1") * std::cos(q1) + v.at("l2") * std::cos(q12) - v.at("e13") * std::sin(q12)) * g;
          }},
         {3, 1, 5,
          [](V v) {
            const double q12 = v.at("theta11") + v.at("theta12"), m2 = v.at("m2"), m3 = v.at("m3"), g = v.at("g");
            return m2 / 12 *
                       (-6 * v.at("e13") * std::sin(q12) + v.at("e14") * v.at("l2") * std::sin(q12) +
                        6 * v.at("l2") * std::cos(q12)) *
                       g +
                   m3 * (v.at("l2") * std::cos(q12) - v.at("e13") * std::sin(q12)) * g;
          }},
         {4, 1, 2,
          [](V v) { return (v.at("m2") / 2 + v.at("m3")) * std::cos(v.at("theta11") + v.at("theta12")) * v.at("g"); }},
         {5, 1, 1, [](V v) {
            return -v.at("m2") * v.at("l2") / 12 * std::cos(v.at("theta11") + v.at("theta12")) * v.at("g");
          }}});
  const std::string page = equations_text(e);
  EXPECT_LINE(page, "K[1,1] = k/r^2");
  EXPECT_LINE(page, "K[4,4] = 12*EI/l2^3");
  EXPECT_LINE(page, "M[5,5] = 1/105*m2*l2^2");
  EXPECT_LINE(page, "D[1,1] = c/r^2 + Km*Ke/Ra");
}

class EquationsOf : public testing::TestWithParam<const char*> {
 protected:
  // A random consistent state of the model by the names of its symbols.
  void SetUp() override {
    model_ = shipped(GetParam());
    printed_ = printed_equations(model_);
    prepared_ = prepared(model_);
    state_ = prepared_.start;
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Layout& n = prepared_.system->layout();
    for (int i = 0; i < n.nv; ++i) state_.x[n.nq + i] = uniform(generator);
    for (int i = 0; i < n.nz; ++i) state_.x[n.nq + n.nv + i] = uniform(generator);
    const Equations& e = prepared_.system->equations();
    values_["t"] = state_.t;
    for (const auto& [name, value] : printed_.parameters) values_[name] = value;
    for (const Parameter& parameter : model_.parameters) values_[parameter.name] = parameter.value;
    for (int i = 0; i < n.nq; ++i) values_[e.positions[i].name] = state_.x[i];
    for (int i = 0; i < n.nv; ++i) values_[e.velocities[i].name] = state_.x[n.nq + i];
    for (int i = 0; i < n.nz; ++i) values_[e.others[i].name] = state_.x[n.nq + n.nv + i];
    for (const Drive& drive : model_.drives) values_[drive.name + ".voltage"] = 0;  // only where currents are states
  }
  Eigen::MatrixXd matrix(const std::vector<PrintingSum>& entries, int rows, int columns) const {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows, columns);
    for (std::size_t i = 0; i < entries.size(); ++i)
      result(static_cast<int>(i) / columns, static_cast<int>(i) % columns) =
          value_of(entries[i], printed_.algebra, values_);
    return result;
  }

  Model model_;
  PrintedEquations printed_;
  Prepared prepared_;
  State state_;
  SymbolValues values_;
};

// M vdot + C v + D v + K q + g = B u + Q - Phi' lambda with the accelerations of the engine; tolerance: rounding of
// sums of at most 100 terms.
TEST_P(EquationsOf, HoldForTheAccelerationsOfTheEngine) {
  const auto dynamics = make_dynamics(prepared_);
  dynamics->set_state(state_);
  dynamics->follow_roots(true);
  Eigen::VectorXd xdot(dynamics->size());
  ASSERT_TRUE(dynamics->derivative(state_.t, state_.x.data(), xdot.data()));
  const Layout& n = prepared_.system->layout();
  const Eigen::VectorXd q = state_.x.head(n.nq), v = state_.x.segment(n.nq, n.nv), vdot = dynamics->acceleration().vdot;
  const int inputs = static_cast<int>(printed_.inputs.size());
  Eigen::VectorXd u(inputs);
  for (int i = 0; i < inputs; ++i) u[i] = values_.at(printed_.inputs[i]);
  const Eigen::MatrixXd M = matrix(printed_.M, n.nv, n.nv), Phi = matrix(printed_.Phi, n.m, n.nv);
  Eigen::VectorXd left = M * vdot + matrix(printed_.C, n.nv, n.nv) * v + matrix(printed_.D, n.nv, n.nv) * v +
                         matrix(printed_.K, n.nv, n.nv) * q + matrix(printed_.g, n.nv, 1);
  Eigen::VectorXd right = matrix(printed_.Q, n.nv, 1) - Phi.transpose() * dynamics->acceleration().lambda;
  if (inputs > 0) right += matrix(printed_.B, n.nv, inputs) * u;
  EXPECT_LT((left - right).lpNorm<Eigen::Infinity>(), 1e-10 * (left.lpNorm<Eigen::Infinity>() + M.norm()));
  if (n.m > 0) {
    const Eigen::VectorXd gamma = matrix(printed_.gamma, n.m, 1);
    EXPECT_LT((Phi * vdot - gamma).lpNorm<Eigen::Infinity>(), 1e-10 * (1 + gamma.lpNorm<Eigen::Infinity>()));
  }
}

// x' (dM/dt - 2 C) x = 0 for every x; dM/dt by central differences along the motion, h = 1e-4: error about 1e-8.
TEST_P(EquationsOf, HaveASkewSymmetricRateOfMLessTwiceC) {
  const Layout& n = prepared_.system->layout();
  const Equations& e = prepared_.system->equations();
  const double h = 1e-4;
  const SymbolValues here = values_;
  const Eigen::MatrixXd C = matrix(printed_.C, n.nv, n.nv), M = matrix(printed_.M, n.nv, n.nv);
  Eigen::MatrixXd rate = Eigen::MatrixXd::Zero(n.nv, n.nv);
  for (double side : {1.0, -1.0}) {
    for (int i = 0; i < n.nq; ++i)
      values_[e.positions[i].name] = here.at(e.positions[i].name) + side * h * here.at(e.velocities[i].name);
    rate += side / (2 * h) * matrix(printed_.M, n.nv, n.nv);
  }
  const Eigen::MatrixXd skew = rate - 2 * C;
  EXPECT_LT((skew + skew.transpose()).lpNorm<Eigen::Infinity>(), 1e-7 * (1 + M.norm()));
  EXPECT_LT((M - M.transpose()).lpNorm<Eigen::Infinity>(), 1e-14 * M.norm());
}

INSTANTIATE_TEST_SUITE_P(Models, EquationsOf,
                         testing::Values("crane", "crane_lagrangian", "slider_crank", "slider_crank_lagrangian",
                                         "two_joint_arm", "two_joint_arm_lagrangian", "press", "press_lagrangian",
                                         "rrr", "rrr_lagrangian", "arm_on_circle", "arm_on_circle_lagrangian",
                                         "slider_crank_equal", "slider_crank_equal_lagrangian", "five_bar_lagrangian",
                                         "four_bar", "pendulum", "elements/massless_rod"),
                         [](const auto& info) {
                           std::string name = info.param;
                           return name.substr(name.find('/') + 1);
                         });

TEST(Equations, AreWrittenAsLatex) {
  const std::string page = equations_latex(printed_equations(shipped("slider_crank_lagrangian", {{"La", "0"}})));
  EXPECT_NE(page.find("-m_{2} l_{1} a_{2} \\cos\\left(q_{1} + q_{2}\\right)"), std::string::npos) << page;
  EXPECT_NE(page.find("m_{2} l_{1} a_{2} \\dot{q}_{2} \\sin\\left(q_{1} + q_{2}\\right)"), std::string::npos) << page;
  EXPECT_NE(page.find("\\frac{r K_{m}}{R_{a}}"), std::string::npos) << page;
}

TEST(Equations, AreWrittenAsCAndPython) {
  const PrintedEquations e = printed_equations(shipped("crane_lagrangian", {{"La", "0"}}));
  EXPECT_NE(equations_code(e, PrintingStyle::c).find("M_out[1] = mp*l*cos(q2);"), std::string::npos)
      << equations_code(e, PrintingStyle::c);
  EXPECT_NE(equations_code(e, PrintingStyle::c).find("M_out[3] = mp*l*l;"), std::string::npos);
  EXPECT_NE(equations_code(e, PrintingStyle::python).find("mp*l**2"), std::string::npos);
  EXPECT_NE(equations_code(e, PrintingStyle::python).find("rate_of_q2 = rates[1]"), std::string::npos);
}

TEST(Equations, WithAnInfiniteCoefficientAreRefused) {
  const auto with = [](const std::string& center, const std::string& mass) {
    return "armature: 1\ngravity: [0, -9.81, 0]\nplane: xy\nbodies: {rod: {mass: " + mass + ", center: [" + center +
           ", 0, 0], inertia: {rod: 1}}}\njoints: {hinge: {type: revolute, between: [ground, rod]}}\n";
  };
  EXPECT_THROW(printed_equations(read_model_text(with("1e300", "1"))), std::overflow_error);
  // 1/1e-310 is infinite, too
  const PrintedEquations tiny = printed_equations(read_model_text(with("1", "1e-310")));
  EXPECT_THAT(equations_text(tiny), testing::HasSubstr("M[1] = "));
}

// The graph of a long chain of definitions is as deep as it is long.
TEST(Equations, OfADeepFormulaArePrinted) {
  std::string text =
      "armature: 1\ngravity: [0, 0, 0]\nplane: xy\nbodies: {rod: {mass: 1, inertia: {rod: 1}}}\n"
      "joints: {hinge: {type: revolute, between: [ground, rod]}}\n"
      "define: {p0: hinge, \"p{i}\": {for: {i: 1..9999}, is: \"p{i-1} + 1\"}}\n"
      "forces: {f: {type: effort, on: hinge, is: p9999}}\n";
  EXPECT_THAT(equations_text(printed_equations(read_model_text(text))), testing::HasSubstr("9999"));
}

TEST(Equations, OfALargeModelAreRefused) {
  const std::string fraction =
      "armature: 1\nlagrangian:\n  coordinates: {a: rad, b: rad, c: rad, d: rad}\n"
      "  kinetic: 1/2*(a'^2 + b'^2 + c'^2 + d'^2)*(2 + cos(a) + sin(b) + a*b*c + c*d + d)^10\n";
  EXPECT_THROW(printed_equations(read_model_text(fraction)), std::length_error);
}

}  // namespace
}  // namespace armature::internal
