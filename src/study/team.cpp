#include "study/team.hpp"

#include <algorithm>
#include <cstdlib>

namespace armature::internal {

namespace {

int number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

}  // namespace

Team team_from_environment() {
  Team team;
  team.rank = number("OMPI_COMM_WORLD_RANK", 0);
  team.size = std::max(1, number("OMPI_COMM_WORLD_SIZE", 1));
  team.here = std::max(1, number("OMPI_COMM_WORLD_LOCAL_SIZE", team.size));
  const char* session = std::getenv("PMIX_NAMESPACE");
  team.session = session ? session : "";
  return team;
}

}  // namespace armature::internal
