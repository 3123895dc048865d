// The state of an instance: taken, given back, and as bytes.
#include <fmt/format.h>

#include <cstring>

#include "fmi/instance.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Bytes = std::vector<std::uint8_t>;

class ByteWriter {
 public:
  void number(double value) { append(&value, sizeof value); }
  void count(std::uint64_t value) { append(&value, sizeof value); }
  void text(const std::string& value) { count(value.size()), append(value.data(), value.size()); }
  void optional(const std::optional<double>& value) { count(value.has_value()), number(value.value_or(0)); }
  template <class Numbers>
  void numbers(const Numbers& list) {
    count(static_cast<std::uint64_t>(list.size()));
    for (const double value : list) number(value);
  }
  Bytes take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  Bytes bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}
  double number() { return take<double>(); }
  std::uint64_t count(std::uint64_t most) {
    const auto value = take<std::uint64_t>();
    if (value > most) refuse();
    return value;
  }
  std::string text() {
    const auto size = count(left_.size());
    const std::string value(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(size));
    left_ = left_.subspan(size);
    return value;
  }
  std::optional<double> optional() {
    const bool known = count(1) == 1;
    const double value = number();
    return known ? std::optional(value) : std::nullopt;
  }
  std::vector<double> numbers(std::size_t wanted) {
    if (count(left_.size()) != wanted) refuse();
    std::vector<double> list(wanted);
    for (double& value : list) value = number();
    return list;
  }
  void end() const {
    if (!left_.empty()) refuse();
  }
  [[noreturn]] static void refuse() { throw RequestError("these bytes are not a saved state of this FMU"); }

 private:
  template <class T>
  T take() {
    if (left_.size() < sizeof(T)) refuse();
    T value;
    std::memcpy(&value, left_.data(), sizeof(T));
    left_ = left_.subspan(sizeof(T));
    return value;
  }
  std::span<const std::uint8_t> left_;
};

Eigen::VectorXd vector_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace

// What goes on from here begins anew, as it will after restore(): a method that remembers its last steps would go on with other bits.
std::unique_ptr<FmuInstance::Saved> FmuInstance::save() {
  refresh();
  if (mode_ & running) take_parameters();
  auto saved = std::make_unique<Saved>(Saved{mode_, values_, stop_, state(), inputs(), motion_ && motion_->sampled()});
  if (mode_ & running) restore(*saved);
  return saved;
}

void FmuInstance::restore(const Saved& saved) {
  const bool same_machine = saved.values.parameters == values_.parameters && saved.values.starts == values_.starts &&
                            saved.values.tolerance == values_.tolerance &&
                            saved.values.start_time == values_.start_time && !is_stale_ && !parameters_wait_;
  values_ = saved.values;
  stop_ = saved.stop;
  mode_ = saved.mode;
  parameters_wait_ = false;
  if (!same_machine) rebuild();
  for (std::size_t k = 0; k < values_.inputs.size(); ++k)
    machine_->prepared.parameters[static_cast<Eigen::Index>(k)] = values_.inputs[k];
  make_motion();
  if (run_) {
    for (Eigen::Index k = 0; k < saved.inputs.size(); ++k) run_->set_parameter(static_cast<int>(k), saved.inputs[k]);
    run_->set_state(saved.state);
  } else {
    motion_->continue_at(saved.state, saved.inputs, saved.sampled);
  }
}

Bytes FmuInstance::bytes_of(const Saved& saved) const {
  ByteWriter bytes;
  bytes.text("armature " + token_);
  bytes.count(saved.mode);
  bytes.count(saved.values.parameters.size());
  for (const std::optional<double>& value : saved.values.parameters) bytes.optional(value);
  bytes.numbers(saved.values.inputs);
  bytes.count(saved.values.starts.size());
  for (const HostValues::Start& start : saved.values.starts)
    bytes.count(static_cast<std::uint64_t>(start.state)), bytes.number(start.value);
  bytes.optional(saved.values.tolerance);
  bytes.number(saved.values.start_time);
  bytes.optional(saved.stop);
  bytes.number(saved.state.t);
  bytes.numbers(saved.state.x), bytes.numbers(saved.state.d), bytes.numbers(saved.state.w);
  for (const ComparisonStatus status : saved.state.comparisons) bytes.count(static_cast<std::uint64_t>(status));
  bytes.numbers(saved.inputs);
  bytes.count(saved.sampled);
  return bytes.take();
}

std::unique_ptr<FmuInstance::Saved> FmuInstance::saved_of(std::span<const std::uint8_t> given) const {
  const Layout& n = machine_->prepared.system->layout();
  ByteReader bytes(given);
  if (bytes.text() != "armature " + token_) ByteReader::refuse();
  auto saved = std::make_unique<Saved>();
  const auto mode = bytes.count(failed);
  if (mode == 0 || (mode & (mode - 1))) ByteReader::refuse();
  saved->mode = static_cast<Mode>(mode);
  saved->values.parameters.resize(bytes.count(values_.parameters.size()));
  if (saved->values.parameters.size() != values_.parameters.size()) ByteReader::refuse();
  for (std::optional<double>& value : saved->values.parameters) value = bytes.optional();
  saved->values.inputs = bytes.numbers(static_cast<std::size_t>(n.np));
  const auto starts = bytes.count(static_cast<std::uint64_t>(n.nx()));
  for (std::uint64_t k = 0; k < starts; ++k) {
    const auto state = bytes.count(static_cast<std::uint64_t>(n.nx() - 1));
    saved->values.starts.push_back({static_cast<int>(state), bytes.number()});
  }
  saved->values.tolerance = bytes.optional();
  saved->values.start_time = bytes.number();
  saved->stop = bytes.optional();
  saved->state.t = bytes.number();
  saved->state.x = vector_of(bytes.numbers(static_cast<std::size_t>(n.nx())));
  saved->state.d = vector_of(bytes.numbers(static_cast<std::size_t>(n.nd)));
  saved->state.w = vector_of(bytes.numbers(static_cast<std::size_t>(n.nw)));
  for (int k = 0; k < n.nw; ++k)
    saved->state.comparisons.push_back(
        static_cast<ComparisonStatus>(bytes.count(static_cast<std::uint64_t>(ComparisonStatus::sliding))));
  saved->inputs = vector_of(bytes.numbers(static_cast<std::size_t>(n.np)));
  saved->sampled = bytes.count(1) == 1;
  bytes.end();
  return saved;
}

}  // namespace armature::internal
