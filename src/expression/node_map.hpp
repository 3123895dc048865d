// What is known of some nodes of a graph, by their ids. A page of it appears where something is written: a derivative meets few of the
// many nodes that a graph has, and neighbors among them, since nodes are numbered in the order in which they were made.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

namespace armature::internal {

template <class T>
class NodeMap {
 public:
  bool contains(std::int32_t id) const {
    return page_of(id) < pages_.size() && pages_[page_of(id)] && pages_[page_of(id)]->known[place_of(id)];
  }
  const T& at(std::int32_t id) const { return pages_[page_of(id)]->values[place_of(id)]; }  // one that it contains
  void set(std::int32_t id, const T& value) {
    if (page_of(id) >= pages_.size()) pages_.resize(page_of(id) + 1);
    std::unique_ptr<Page>& page = pages_[page_of(id)];
    if (!page) page = std::make_unique<Page>();
    page->known.set(place_of(id)), page->values[place_of(id)] = value;
  }

 private:
  static constexpr std::size_t page_size = 128;
  struct Page {
    std::bitset<page_size> known;
    std::array<T, page_size> values;
  };
  static std::size_t page_of(std::int32_t id) { return static_cast<std::size_t>(id) / page_size; }
  static std::size_t place_of(std::int32_t id) { return static_cast<std::size_t>(id) % page_size; }

  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace armature::internal
