// Studies of many motions, and other questions about a model.
#pragma once

#include "armature/machine.hpp"
