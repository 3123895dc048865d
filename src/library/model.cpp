#include "armature/model.hpp"

#include <fmt/format.h>

#include "library/access.hpp"
#include "library/translate.hpp"
#include "read/reader.hpp"
#include "record/version.hpp"

namespace armature {

namespace {

std::string line_of(const Problem& problem) {
  std::string text = problem.file;
  if (problem.line > 0) text += fmt::format(":{}", problem.line);
  for (const std::string& part : {problem.key, problem.sentence})
    if (!part.empty()) text += (text.empty() ? "" : ": ") + part;
  return text;
}

std::string lines_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + line_of(problem);
  return text;
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

}  // namespace

const char* version() { return internal::version(); }

Error::Error(Kind kind, std::vector<Problem> problems)
    : std::runtime_error(lines_of(problems)), kind_(kind), problems_(std::move(problems)) {
  if (problems_.empty()) problems_.emplace_back();
}

Error::Error(Kind kind, const std::string& sentence) : Error(kind, {Problem{"", 0, "", sentence}}) {}

Error::~Error() = default;

Model::Model(std::shared_ptr<const internal::Model> model, Settings settings)
    : model_(std::move(model)), settings_(std::make_shared<const Settings>(std::move(settings))) {}

const std::string& Model::name() const { return model_->name; }
const std::string& Model::file() const { return model_->file; }
const std::string& Model::text() const { return model_->text; }
double Model::end() const { return model_->simulate.end; }
std::vector<std::string> Model::bodies() const { return names_of(model_->bodies); }
std::vector<std::string> Model::joints() const { return names_of(model_->joints); }

std::vector<Quantity> Model::parameters() const {
  std::vector<Quantity> list;
  for (const internal::Parameter& parameter : model_->parameters)
    list.push_back(
        {parameter.name, parameter.dimension ? internal::to_string(*parameter.dimension) : "", parameter.value});
  return list;
}

std::vector<Quantity> Model::inputs() const {
  std::vector<Quantity> list;
  for (const internal::HostInput& input : model_->inputs) list.push_back({input.name, input.unit, input.value});
  return list;
}

Model read_model(const std::string& file, const Settings& settings, const std::string& root) {
  return translated([&] {
    return internal::Access::model(std::make_shared<const internal::Model>(internal::read_model(file, settings, root)),
                                   settings);
  });
}

Model parse_model(const std::string& text, const std::string& file, const Settings& settings, const std::string& root) {
  return translated([&] {
    return internal::Access::model(
        std::make_shared<const internal::Model>(internal::read_model_text(text, file, settings, root)), settings);
  });
}

}  // namespace armature
