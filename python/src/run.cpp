#include <atomic>
#include <memory>
#include <unordered_map>

#include "call.hpp"
#include "library/access.hpp"

namespace armature::python {

namespace {

const char* word_of(Outcome::Status status) {
  switch (status) {
    case Outcome::Status::running: return "running";
    case Outcome::Status::finished: return "finished";
    case Outcome::Status::stopped: return "stopped";
    case Outcome::Status::failed: break;
  }
  return "failed";
}

py::array_t<double> values_of(const Trajectory& trajectory, py::handle owner) {
  return view(trajectory.values().data(),
              {static_cast<py::ssize_t>(trajectory.rows()), static_cast<py::ssize_t>(trajectory.channels().size())},
              owner);
}

// The numbers of names, for access in constant time.
class Places {
 public:
  template <class Named>
  explicit Places(const std::vector<Named>& items) {
    for (std::size_t k = 0; k < items.size(); ++k) places_.emplace(items[k].name, static_cast<int>(k));
  }
  // -1: there is none.
  int operator()(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> places_;
};

// A Run that Python steps. Steps run without the interpreter's lock; a second thread that comes meanwhile is refused.
class Simulation : public std::enable_shared_from_this<Simulation> {
 public:
  Simulation(const Machine& machine, bool record, const State* from)
      : run_(machine, {record, from}),
        inputs_(machine.inputs()),
        channel_places_(run_.channels()),
        input_places_(inputs_) {}

  Run& run() {
    if (busy_) throw Error(Error::Kind::input, "another thread is moving this simulation");
    return run_;
  }
  // The run, to be moved.
  Run& free_run() {
    if (held_)
      throw Error(Error::Kind::input,
                  "a controller cannot move the simulation that it controls; it reads channels and returns the input");
    return run();
  }
  template <class Move>
  void move(const Move& move) {
    Run& run = free_run();
    busy_ = true;
    struct Free {
      std::atomic<bool>& busy;
      ~Free() { busy = false; }
    } const free{busy_};
    Watch watch;
    followed(watch, [&] { move(run); });
  }
  void hold(bool held) { held_ = held; }  // while a controller looks at it

  int channel(const std::string& name) {
    const int place = channel_places_(name);
    if (place >= 0) return place;
    try {
      return run_.channel(name);  // throws
    } catch (const Error& error) {
      throw UnknownName(error);
    }
  }
  int input(const std::string& name) {
    const int place = input_places_(name);
    if (place >= 0) return place;
    try {
      return run_.input(name);  // throws
    } catch (const Error& error) {
      throw UnknownName(error);
    }
  }
  const std::vector<Quantity>& inputs() const { return inputs_; }

 private:
  Run run_;
  std::vector<Quantity> inputs_;
  Places channel_places_, input_places_;
  std::atomic<bool> busy_ = false;
  bool held_ = false;
};

// sim.u: inputs by name or number.
struct Inputs {
  std::shared_ptr<Simulation> simulation;
};

void set_inputs(Simulation& simulation, const Numbers& values) {
  if (static_cast<std::size_t>(values.size()) != simulation.inputs().size())
    throw Error(Error::Kind::input, "the machine has " + std::to_string(simulation.inputs().size()) + " inputs, not " +
                                        std::to_string(values.size()));
  for (int k = 0; k < static_cast<int>(values.size()); ++k) simulation.run().set_input(k, values.data()[k]);
}

std::vector<std::string> names_of(const Inputs& inputs) {
  std::vector<std::string> names;
  for (const Quantity& input : inputs.simulation->inputs()) names.push_back(input.name);
  return names;
}

void add_inputs(py::module_& module) {
  py::class_<Inputs> inputs(module, "Inputs", "Inputs of a simulation, by name or number; SI units.");
  inputs.def("__len__", [](const Inputs& self) { return self.simulation->inputs().size(); })
      .def("__getitem__",
           [](const Inputs& self, const std::string& name) {
             return self.simulation->run().get_input(self.simulation->input(name));
           })
      .def("__getitem__", [](const Inputs& self, int input) { return self.simulation->run().get_input(input); })
      .def("__setitem__", [](const Inputs& self, const std::string& name,
                             double value) { self.simulation->run().set_input(self.simulation->input(name), value); })
      .def("__setitem__",
           [](const Inputs& self, int input, double value) { self.simulation->run().set_input(input, value); })
      .def("__contains__",
           [](const Inputs& self, const std::string& name) {
             for (const Quantity& input : self.simulation->inputs())
               if (input.name == name) return true;
             return false;
           })
      .def("keys", &names_of, "names of the inputs")
      .def("__iter__", [](const Inputs& self) { return py::iter(py::cast(names_of(self))); })
      .def("__repr__", [](const Inputs& self) {
        py::dict values;
        for (std::size_t k = 0; k < self.simulation->inputs().size(); ++k)
          values[py::str(self.simulation->inputs()[k].name)] = self.simulation->run().get_input(static_cast<int>(k));
        return py::repr(values);
      });
  refuse_others(inputs, "__getitem__", "inputs are named by their name or number: sim.u[\"V\"], sim.u[0]");
  refuse_others(inputs, "__setitem__", "an input takes a number: sim.u[\"V\"] = 12.0");
}

void add_simulation(py::module_& module) {
  py::class_<Simulation, std::shared_ptr<Simulation>> simulation(
      module, "Simulation",
      "A motion that you advance step by step, with inputs set in between. Use it from one thread at a time.",
      py::dynamic_attr());
  simulation
      .def(py::init<const Machine&, bool, const State*>(), py::arg("machine"), py::arg("record") = false,
           py::arg("state") = py::none())
      .def_property_readonly(
          "t", [](Simulation& self) { return self.run().t(); }, "time, s")
      .def_property(
          "u", [](Simulation& self) { return Inputs{self.shared_from_this()}; }, &set_inputs,
          "inputs, by name or number; SI units")
      .def(
          "step", [](Simulation& self, double length) { self.move([&](Run& run) { run.step(length); }); },
          py::arg("dt"), "Moves on by dt (s).")
      .def(
          "step", [](Simulation& self) { self.move([](Run& run) { run.step(); }); },
          "Takes one step of the integrator, of the length that it chooses.")
      .def(
          "advance", [](Simulation& self, double t) { self.move([&](Run& run) { run.advance(t); }); }, py::arg("t"),
          "Moves on to exactly t (s).")
      .def(
          "__getitem__", [](Simulation& self, const std::string& name) { return self.run().value(self.channel(name)); },
          "A channel at the present time, in SI units.")
      .def("channel", &Simulation::channel, py::arg("name"), "The number of a channel.")
      .def_property_readonly(
          "channels", [](Simulation& self) { return self.run().channels(); }, "names and units")
      .def_property_readonly(
          "values",
          [](Simulation& self) {
            const std::span<const double> all = self.run().values();
            return py::array_t<double>(static_cast<py::ssize_t>(all.size()), all.data());
          },
          "all channels at the present time")
      .def(
          "read",
          [](Simulation& self, const std::vector<int>& channels) {
            py::array_t<double> result(static_cast<py::ssize_t>(channels.size()));
            for (std::size_t k = 0; k < channels.size(); ++k) result.mutable_data()[k] = self.run().value(channels[k]);
            return result;
          },
          py::arg("channels"), "Channels at the present time, by number or by name.")
      .def(
          "read",
          [](Simulation& self, const std::vector<std::string>& names) {
            py::array_t<double> result(static_cast<py::ssize_t>(names.size()));
            for (std::size_t k = 0; k < names.size(); ++k)
              result.mutable_data()[k] = self.run().value(self.channel(names[k]));
            return result;
          },
          py::arg("names"))
      .def_property(
          "state", [](Simulation& self) { return self.run().state(); },
          [](Simulation& self, const py::object& state) {
            if (!py::isinstance<State>(state))
              throw py::type_error("the state of a simulation is a State, as model.assemble() makes it");
            self.free_run().set_state(state.cast<const State&>());
          },
          "The present state. Assigning a state continues from it; a state with an open loop is an error.")
      .def(
          "snapshot", [](Simulation& self) { return self.run().snapshot(); },
          "The state and the inputs, for restore().")
      .def(
          "restore", [](Simulation& self, const Snapshot& snapshot) { self.free_run().restore(snapshot); },
          py::arg("snapshot"), "Continues from a snapshot, with the same bits every time.")
      .def_property_readonly(
          "events", [](Simulation& self) { return self.run().events(); }, "so far")
      .def_property_readonly(
          "outcome", [](Simulation& self) { return self.run().outcome(); }, "so far, or how it ended")
      .def("_hold", &Simulation::hold)
      .def(
          "_finish",
          [](Simulation& self, const std::string& stopped_by) {
            auto motion = std::make_shared<Motion>();
            self.move([&](Run& run) {
              *motion = {{}, stopped_by.empty() ? run.finish() : run.stop(stopped_by), run.state()};
              motion->trajectory = run.trajectory();
            });
            return motion;
          },
          py::arg("stopped_by") = "");
  refuse_others(simulation, "step", "step(dt) takes a time in s; step() takes one step of the integrator");
  refuse_others(simulation, "advance", "advance(t) takes a time in s");
  refuse_others(simulation, "read", "read(channels) takes a list of names or of numbers that channel() gives");
  refuse_others(simulation, "__getitem__", "channels are named by a string: sim[\"theta1\"]");
  refuse_others(simulation, "channel", "channel(name) takes the name of a channel");
  refuse_others(simulation, "restore", "restore(snapshot) takes what snapshot() gave");

  py::class_<Snapshot>(module, "Snapshot", "A simulation at one time: its state and its inputs.")
      .def_readonly("state", &Snapshot::state, "where it was")
      .def_property_readonly(
          "inputs", [](const Snapshot& self) { return array_of(self.inputs); }, "SI")
      .def(py::pickle([](const Snapshot& self) { return py::make_tuple(self.state, self.inputs); },
                      [](const py::tuple& parts) {
                        return Snapshot{parts[0].cast<State>(), parts[1].cast<std::vector<double>>()};
                      }));
}

void add_outcome(py::module_& module) {
  py::class_<Event>(module, "Event", "An event: something that happened at one time.")
      .def_readonly("t", &Event::t, "s")
      .def_readonly("what", &Event::what, "\"joint theta1: sticks\", \"condition 'x > 5' (line 7) is now true\"")
      .def("__repr__", [](const Event& event) { return py::str("t = {:.6g} s: {}").format(event.t, event.what); })
      .def(pickled(&Event::t, &Event::what));

  py::class_<Finding>(module, "Finding", "A warning, or the reason of a failure: a row of the table of findings.")
      .def_readonly("code", &Finding::code, "as in run.json: \"energy\"")
      .def_readonly("severity", &Finding::severity, "failure, error, warning or advice")
      .def_readonly("sentence", &Finding::sentence, "what was found, when, and what to try")
      .def("__repr__", [](const Finding& self) { return self.severity + " " + self.code + ": " + self.sentence; })
      .def(pickled(&Finding::code, &Finding::severity, &Finding::sentence));

  py::class_<Statistics>(module, "Statistics", "Statistics of a motion.")
      .def_readonly("steps", &Statistics::steps, "of the integrator")
      .def_readonly("rejected", &Statistics::rejected, "steps that were repeated with a shorter one")
      .def_readonly("evaluations", &Statistics::evaluations, "of the equations of motion")
      .def_readonly("smallest_step", &Statistics::smallest_step, "s")
      .def_readonly("largest_step", &Statistics::largest_step, "s")
      .def_readonly("smallest_rank", &Statistics::smallest_rank, "of Phi along the motion; -1: unknown")
      .def_readonly("constraint_error", &Statistics::constraint_error, "largest residual of a recorded row, m or rad")
      .def_readonly("energy_error", &Statistics::energy_error, "J")
      .def_readonly("seconds", &Statistics::seconds, "of computing")
      .def(pickled(&Statistics::steps, &Statistics::rejected, &Statistics::evaluations, &Statistics::smallest_step,
                   &Statistics::largest_step, &Statistics::smallest_rank, &Statistics::constraint_error,
                   &Statistics::energy_error, &Statistics::seconds));

  py::class_<Outcome>(module, "Outcome", "How a motion ended.")
      .def_property_readonly(
          "status", [](const Outcome& self) { return word_of(self.status); }, "running, finished, stopped or failed")
      .def_readonly("sentence", &Outcome::sentence, "how and when it ended, and what to try")
      .def_readonly("warnings", &Outcome::warnings, "problems of the motion")
      .def_readonly("findings", &Outcome::findings, "the warnings, and the reason of a failure, by code")
      .def_readonly("events", &Outcome::events, "changes of comparisons, and events of the file")
      .def_readonly("statistics", &Outcome::statistics, "steps, errors, time")
      .def("__repr__", [](const Outcome& self) { return std::string(word_of(self.status)) + ": " + self.sentence; })
      .def(py::pickle(
          [](const Outcome& self) {
            return py::make_tuple(static_cast<int>(self.status), self.sentence, self.warnings, self.events,
                                  self.statistics, self.findings);
          },
          [](const py::tuple& parts) {
            return Outcome{static_cast<Outcome::Status>(parts[0].cast<int>()),
                           parts[1].cast<std::string>(),
                           parts[2].cast<std::vector<std::string>>(),
                           parts[3].cast<std::vector<Event>>(),
                           parts[4].cast<Statistics>(),
                           parts[5].cast<std::vector<Finding>>()};
          }));
}

}  // namespace

void add_run(py::module_& module) {
  add_outcome(module);
  add_inputs(module);
  add_simulation(module);

  py::class_<Motion, std::shared_ptr<Motion>>(module, "Motion", "Recorded rows and how the motion ended.")
      .def_property_readonly("channels", [](const Motion& self) { return self.trajectory.channels(); })
      .def_property_readonly("values",
                             [](const py::object& self) { return values_of(self.cast<Motion&>().trajectory, self); })
      .def_readonly("outcome", &Motion::outcome)
      .def_readonly("last", &Motion::last)
      .def(py::pickle(
          [](const py::object& self) {
            const Motion& motion = self.cast<const Motion&>();
            return py::make_tuple(motion.trajectory.channels(), array_of(motion.trajectory.values()), motion.outcome,
                                  motion.last);
          },
          [](const py::tuple& parts) {
            Trajectory rows = internal::Access::trajectory(parts[0].cast<std::vector<Channel>>(),
                                                           vector_of(parts[1].cast<Numbers>()));
            return std::make_shared<Motion>(Motion{std::move(rows), parts[2].cast<Outcome>(), parts[3].cast<State>()});
          }));

  module.def(
      "simulate",
      [](const Machine& machine, const State* from, py::object progress) {
        return watched_motion(std::move(progress), [&](const Progress& watched) {
          return from ? simulate(machine, *from, watched) : simulate(machine, watched);
        });
      },
      py::arg("machine"), py::arg("state"), py::arg("progress"));
}

// The motion, and what Python raised while it was computed (None: nothing). A motion that was stopped is there as far as it got, and
// says by what.
py::tuple watched_motion(py::object progress, const std::function<Motion(const Progress&)>& compute) {
  Watch watch(std::move(progress));
  auto motion = std::make_shared<Motion>();
  followed(watch, [&] { *motion = compute([&watch](double t, long steps) { return watch(t, steps); }); });
  if (motion->outcome.status == Outcome::Status::stopped && !watch.reason().empty())
    motion->outcome.sentence += ": " + watch.reason();
  return py::make_tuple(motion, watch.raised());
}

}  // namespace armature::python
