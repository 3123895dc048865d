// A grid that is refined where its classes differ. Nodes lie on a lattice 2^levels times finer than the grid; the boxes of the
// grid whose nodes are not all of one class are halved along every axis, level by level, so that only the neighborhood of
// a boundary costs anything. The order of nodes follows from the classes alone.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "study/design.hpp"

namespace armature::internal {

class Lattice {
 public:
  Lattice(std::vector<Axis> axes, int levels);  // throws std::length_error: too fine to be numbered

  long nodes() const { return static_cast<long>(keys_.size()); }
  Points points(long first) const;  // of the nodes from `first` on
  int level(long node) const { return level_[static_cast<std::size_t>(node)]; }
  const std::vector<int>& classes() const { return class_; }

  // The classes of the nodes from the last classified on. New nodes may follow; none: the lattice is as fine as it gets.
  void classify(const std::vector<int>& classes);

  // Two neighbors of different classes, `gap` apart along an axis.
  struct Border {
    long a, b;  // nodes, a below b
    int axis;
    double gap;
  };
  std::vector<Border> borders() const;

 private:
  using Key = std::uint64_t;
  using Place = std::vector<std::int64_t>;  // on the finest lattice
  Key key_of(const Place& place) const;
  Place place_of(Key key) const;
  double coordinate(std::size_t axis, std::int64_t k) const;
  long find(Key key) const;  // -1: not a node
  void add(const Place& place);
  bool split_mixed();  // boxes of the level that are mixed; false: there are none left
  bool mixed(const Place& corner) const;
  void split(const Place& corner);
  // Calls f with each of the 3^d places of a box: its corners, and what halving it adds.
  template <class F>
  void each_place(const Place& corner, F f) const;

  std::vector<Axis> axes_;
  int levels_, current_ = 0;
  std::int64_t side_;         // of the boxes of the current level
  std::vector<Place> boxes_;  // of the current level, not split yet
  std::vector<Place> parts_;  // of those split
  std::vector<Key> keys_;
  std::vector<int> level_, class_;
  std::unordered_map<Key, long> node_;
};

}  // namespace armature::internal
