// The sections of a model file, in the order in which they are read: each finds what it refers to in the model so far.
// Forces, drives and controllers are read by their kinds: read/read_items.hpp.
#pragma once

#include "model/map_reader.hpp"

namespace armature::internal {

void read_parameters(const YamlNode& section, Reading& reading);  // and evaluates them
void read_inputs(const YamlNode& section, Reading& reading);
void read_states(const YamlNode& section, Reading& reading);
void read_tables(const YamlNode& section, Reading& reading);
void read_definitions(const YamlNode& section, Reading& reading);
void read_bodies(const YamlNode& section, Reading& reading);
void read_points(const YamlNode& section, Reading& reading);  // on the ground
void read_joints(const YamlNode& section, Reading& reading);
void read_lagrangian(const YamlNode& section, Reading& reading);  // and adds its definitions to those of the model
void read_constraints(const YamlNode& section, Reading& reading);
void read_inverse(const YamlNode& section, Reading& reading);
void read_start(const YamlNode& section, Reading& reading);
// --set start.keep.NAME=… or start.speed.NAME=…, after read_start().
void read_start_setting(const std::string& name, const YamlNode& value, Reading& reading);
void read_simulate(const YamlNode& section, Reading& reading);
void read_record(const YamlNode& section, Reading& reading);

// {xx: …}, rod, box, … of a body whose mass is known
Inertia read_inertia(const YamlNode& node, const Formula& mass, const std::string& path, Reading& reading);

// {length, section, …} of a flexible body
Beam read_beam(const YamlNode& node, const std::string& path, Reading& reading);
// rectangle, tube, or A, I_y, I_z, J, of a beam of which it is known whether it is planar
void read_beam_section(const YamlNode& node, const std::string& path, Beam& beam, Reading& reading);

// {mesh, density, scale} of a rigid body: its mass, center, inertia and shape
void read_solid(const YamlNode& node, const std::string& path, Body& body, Reading& reading);

// What a body looks like: one shape or a list of them
std::vector<Shape> read_shapes(const YamlNode& node, const std::string& path, Reading& reading);

// Named points of a map; `owner` is the body's name, or empty for the ground.
std::vector<NamedPoint> read_named_points(const YamlNode& section, const std::string& path, const std::string& owner,
                                          Reading& reading);

// A place: "body", "body.point", "body [x, y, z]", "ground", "ground [x, y, z]" or a point on the ground.
std::optional<Attachment> read_attachment(const YamlNode& node, const std::string& path, Reading& reading);
// The two places of between: [a, b]; false if something is wrong with them.
bool read_between(const MapReader& map, Attachment& a, Attachment& b, Reading& reading);

// The normal of a plane "xy", "xz" or "yz".
Formula plane_normal(const std::string& plane, Location where);

// The name of a coordinate; what is wrong with it is reported.
struct CoordinateReference {
  std::string name;
  bool is_length = false;
};
std::vector<CoordinateReference> read_coordinates(const MapReader& map, const std::string& key, Reading& reading);
std::optional<CoordinateReference> read_coordinate(const YamlNode& node, const std::string& path, Reading& reading);
std::optional<CoordinateReference> read_coordinate_on(const MapReader& map, Reading& reading);  // the key `on`
struct CoordinatePair {
  CoordinateReference a, b;
};
std::optional<CoordinatePair> read_coordinate_pair(const MapReader& map, Reading& reading);  // the key `between`

}  // namespace armature::internal
