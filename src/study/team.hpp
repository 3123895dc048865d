// The processes that work on one job: those that one mpirun started. Nothing passes between them but files in the folder of the
// results, so that a process that dies takes nothing along but the cells it was computing.
#pragma once

#include <string>

namespace armature::internal {

struct Team {
  int rank = 0, size = 1;
  int here = 1;         // processes of the team on this machine
  std::string session;  // the same for all of them, and for no other team

  bool alone() const { return size == 1; }
};

// From what mpirun (OpenMPI) tells its processes; without it, a team of one.
Team team_from_environment();

}  // namespace armature::internal
