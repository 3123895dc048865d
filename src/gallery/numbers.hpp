// The value of a number of an entry, from what its experiment said and wrote.
#pragma once

#include <stdexcept>

#include "gallery/experiments.hpp"

namespace armature::internal::gallery {

// Why a number has no value: a sentence.
struct NumberError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The number at place k of the item. Throws NumberError.
double value_of(const Entry& entry, const Item& item, std::size_t k, const ExperimentResults& results);

// The experiment of an entry. Throws NumberError: it failed.
const ExperimentResult& result_of(const Entry& entry, const std::string& experiment, const ExperimentResults& results);

}  // namespace armature::internal::gallery
