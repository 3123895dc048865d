// An XML file as a tree whose elements know their file and line, with readers of their attributes. What is wrong is thrown as a
// ModelError: "robot.urdf:12: joint hip: 'axis' expects three numbers".
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "import/frame.hpp"
#include "import/robot_files.hpp"

namespace armature::internal {

class XmlTree {
 public:
  // Throws ModelError where the text is no XML.
  XmlTree(const std::string& text, const std::string& file);

  pugi::xml_node root() const { return document_.document_element(); }

  // Puts the children of the root of each file that is named by `element` with the attribute `file` in the place of that element.
  // Throws ModelError where a file is missing, lies outside the folder or includes itself.
  void include_files(const std::string& element, const RobotFiles& files);

  // Puts the model of each file that an <include> of SDFormat names in the place of that element, with the name, the pose and whether it
  // is static as the <include> says. Files that the included model names are named from the folder of the robot afterwards. Throws
  // ModelError as include_files().
  void include_models(const RobotFiles& files);

  std::string place_of(pugi::xml_node node) const;  // "line 12", "parts.xml, line 12"
  [[noreturn]] void fail(pugi::xml_node node, const std::string& message) const;

  // Attributes. Nothing where there is none.
  std::optional<std::string> word(pugi::xml_node node, const char* name) const;
  std::optional<double> number(pugi::xml_node node, const char* name) const;
  std::optional<Eigen::Vector3d> vector(pugi::xml_node node, const char* name) const;
  std::optional<std::vector<double>> numbers(pugi::xml_node node, const char* name, std::size_t least,
                                             std::size_t most) const;
  std::string required_word(pugi::xml_node node, const char* name) const;
  double required_number(pugi::xml_node node, const char* name) const;

  // Text inside the element, as SDFormat has it.
  double number_in(pugi::xml_node node) const;
  std::vector<double> numbers_in(pugi::xml_node node, std::size_t least, std::size_t most) const;

 private:
  struct Place {
    std::size_t file = 0;
    int line = 0;
  };
  void load(pugi::xml_document& document, const std::string& text, const std::string& file);
  void include(pugi::xml_node node, const std::string& element, const RobotFiles& files,
               std::vector<std::string>& open);
  void include_models(pugi::xml_node node, const std::string& beside, const RobotFiles& files,
                      std::vector<std::string>& open);
  void require_new(pugi::xml_node node, const std::string& name, const std::vector<std::string>& open) const;
  Place place(pugi::xml_node node) const;
  std::vector<double> parse(pugi::xml_node node, const std::string& what, const std::string& text, std::size_t least,
                            std::size_t most) const;

  std::vector<std::string> files_;
  pugi::xml_document document_;
};

// "joint hip", "joint" where it has no name.
std::string element_in_words(pugi::xml_node node);

}  // namespace armature::internal
