// Items of a file that name their type: forces, drives and controllers. A kind is a class in one file; it states the keys of its
// items, reads them, and turns an item into equations. What an item gives for its keys is kept by key.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "expression/syntax.hpp"
#include "model/format_keys.hpp"

namespace armature::internal {

class EquationsBuilder;
class MapReader;
struct Model;
struct Reading;

// A place on a body ("ground" is a body too), in the body's frame.
struct Attachment {
  std::string body;
  Formula at;  // vector, m; not given: the body's origin
  Location where;
};

// Formulas by key; those of a map inside an item by both keys: "limits.lower".
class Values {
 public:
  const Formula& operator[](std::string_view key) const;  // not given where the file has none
  void set(std::string_view key, Formula formula);

  auto begin() { return formulas_.begin(); }
  auto end() { return formulas_.end(); }
  auto begin() const { return formulas_.begin(); }
  auto end() const { return formulas_.end(); }

 private:
  std::map<std::string, Formula, std::less<>> formulas_;
};

struct Item {
  std::string name;
  Location where;
  Values values;
};

// What every kind states for the reader and for the reference of the format.
class ItemKind {
 public:
  virtual ~ItemKind() = default;

  virtual FormatSection format() const = 0;                       // "forces: spring", what it is, its keys
  virtual std::vector<FormatSection> maps() const { return {}; }  // maps inside an item, with their keys
  std::string type() const;                                       // "spring": the word of the file
};

// Reads every key of the map that holds numbers.
void read_values(const MapReader& map, KeyTable keys, Item& item, bool of_length = false);
// The same for a map inside an item.
void read_values_of(const MapReader& map, const std::string& key, KeyTable keys, Item& item, Reading& reading);

}  // namespace armature::internal
