#include "picture_arguments.hpp"

#include "validators.hpp"

namespace armature::internal::cli {

void add_picture_options(CLI::App& verb, plot::PoseOptions& options) {
  verb.add_option("--view", options.view, "front, top, side or iso (default: front of a planar machine, else iso)")
      ->type_name("NAME");
  verb.add_option("--trace", options.traces, "draw the paths of these points or joints")
      ->type_name("NAME,…")
      ->delimiter(',');
  verb.add_flag("--centers", options.centers, "mark the centers of mass");
  verb.add_flag("--frames", options.frames, "draw the axes of the bodies: x orange, y green, z blue");
  verb.add_flag("--names", options.names, "write the names of bodies and joints");
  verb.add_flag("--velocities", options.velocities, "arrows for the velocities of the centers of mass");
  verb.add_flag("--reactions", options.reactions, "arrows for the forces that joints apply to their second bodies");
  verb.add_option("--bend", options.bend, "magnify the deflections of beams by this factor")
      ->type_name("X")
      ->check(positive);
  verb.add_flag("--stress", options.stress,
                "color beams by their stress, or by their bending moment if the shape of the section is unknown");
  verb.add_option("--title", options.title, "title above the picture")->type_name("TEXT");
}

}  // namespace armature::internal::cli
